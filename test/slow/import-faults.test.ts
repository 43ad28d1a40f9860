import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { sized } from '../support/size.js'
import { createFaultBench } from './fault-bench.js'
import { planKills } from './fault-plan.js'

const FILES = sized({ full: 2_000, sample: 300 })
const KILLS = sized({ full: 4, sample: 1 })
const WAIT = { timeout: 300_000, interval: 250 }

const root = mkdtempSync(join(tmpdir(), 'archivolt-import-faults-'))
afterAll(() => rmSync(root, { recursive: true }))

const { seed, call, rows, folder, killAlong, expectCalm } = await createFaultBench({
  env: { ARCHIVOLT_IMPORT_FOLDERS: root },
})

/** A folder of the server with files that are written one by one. */
const filled = (name: string, extension: string, contentOf: (index: number) => string): string => {
  const path = join(root, name)
  mkdirSync(path)
  for (let index = 0; index < FILES; index++)
    writeFileSync(join(path, `${index}.${extension}`), contentOf(index))
  return path
}

const namesBelow = async (path: string): Promise<string[]> =>
  (await rows<{ name: string }>(`SELECT name FROM documents WHERE path LIKE '${path}/%'`)).map(
    ({ name }) => name,
  )

const killing = async (path: string, offset: number): Promise<void> => {
  const plan = planKills(seed + offset, { each: KILLS, maxDelayMs: 50, among: ['worker', 'postgres'] })
  expect(await killAlong(plan, async () => (await namesBelow(path)).length / FILES)).toBe(plan.length)
}

const expected = (extension: string): string[] =>
  Array.from({ length: FILES }, (_, index) => `${index}${extension}`).sort()

test('a folder is imported once, whatever is killed', { timeout: 2 * WAIT.timeout }, async () => {
  await folder('/', 'files')
  const inputPath = filled('files', 'txt', (index) => `file ${index}`)
  const query = new URLSearchParams({ inputPath, targetPath: '/files', skipRootContainerCreation: 'true' })
  const answerOf = async (path: string): Promise<string> =>
    (await call('GET', `/nuxeo/site/fileImporter/${path}`)).text()
  // An answer that is lost is asked for again.
  expect(await answerOf(`run?${query}`)).toMatch(/^Started$|another import is running$/)
  await killing('/files', 0)
  await expect.poll(() => answerOf('status'), WAIT).toBe('Not Running')
  expect((await namesBelow('/files')).sort()).toEqual(expected('.txt'))
  const last = (await answerOf('log')).split('\n').at(-1)
  expect(last).toBe(`${FILES} documents created, 0 updated, 0 there already, 0 failed`)
  await expectCalm()
})

test('descriptors are imported once, whatever is killed', { timeout: 2 * WAIT.timeout }, async () => {
  await folder('/', 'scans')
  const sourcePath = filled('scans', 'xml', (index) => `<doc><title>${index}</title></doc>`)
  const deploy = async (point: string, content: object): Promise<void> => {
    const body = JSON.stringify(content)
    expect((await call('PUT', `/api/v1/contributions/${point}/default`, { body })).status).toBeLessThan(300)
  }
  await deploy('importerConfig', {
    sourcePath,
    targetPath: '/scans',
    update: false,
    createInitialFolder: false,
  })
  await deploy('importerMapping', { fieldMappings: [{ sourceXPath: '//title', targetXPath: 'dc:title' }] })
  const body = { params: { name: 'ScanIngestionStart' } }
  expect((await call('POST', '/api/v1/automation/Event.Fire', { body })).status).toBeLessThan(300)
  await killing('/scans', 1)
  await expect.poll(() => readdirSync(sourcePath).length, WAIT).toBe(0)
  expect((await namesBelow('/scans')).sort()).toEqual(expected(''))
  await expectCalm()
})

import { access, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { NativeConnection } from '@temporalio/worker'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import {
  createScanSource,
  IMPORT_START,
  type ImportSource,
  runImportPage,
} from '../../../core/automation/folder-imports/index.js'
import { scanOf } from '../../../core/content/scan-import/index.js'
import type { BlobValue } from '../../../core/model/properties/index.js'
import { startScans } from '../../../worker/events/index.js'
import { soon } from '../../support/soon.js'
import { ADMINISTRATOR } from '../support/operations-support.js'
import { AUTOMATION, createRunsBench } from '../support/runs-support.js'

const root = await mkdtemp(join(tmpdir(), 'archivolt-scan-'))
const secret = await mkdtemp(join(tmpdir(), 'archivolt-secret-'))
afterAll(() => Promise.all([root, secret].map((folder) => rm(folder, { recursive: true }))))

const { call, client, make, platform, runtime, settings } = await createRunsBench({
  ARCHIVOLT_IMPORT_FOLDERS: root,
})
const connection = await NativeConnection.connect({ address: inject('temporalAddress') })
let stop: () => Promise<void>
beforeAll(() => {
  stop = startScans({ connection, platform })
})
afterAll(async () => {
  await stop()
  await connection.close()
})

const RUN = `scan-import-${settings.temporal.taskQueue}`

let folder: string
let targetPath: string
let targets = 0

beforeEach(async () => {
  folder = await mkdtemp(join(root, 'in-'))
  targetPath = (await make('/default-domain/workspaces', `scanned-${targets++}`, 'Workspace')).path
})

const deploy = async (point: string, content: object) => {
  const answer = await call('PUT', `/api/v1/contributions/${point}/default`, { json: content })
  expect(answer.status, answer.text).toBeLessThan(300)
}

const MAPPING = {
  fieldMappings: [
    { sourceXPath: '//title', targetXPath: 'dc:title' },
    {
      sourceXPath: '/doc/at',
      sourceAttribute: 'day',
      targetXPath: 'dc:issued',
      targetType: 'date',
      dateFormat: 'dd/MM/yyyy',
    },
    { sourceXPath: '//source', targetXPath: 'dc:source' },
    { sourceXPath: '//count', targetXPath: 'dc:rights', targetType: 'integer' },
  ],
  blobMappings: [{ sourceXPath: '//file', sourcePathAttribute: 'path', sourceFilenameAttribute: 'name' }],
}

const configured = async (config: object = {}, mapping: object = MAPPING) => {
  await deploy('importerConfig', { sourcePath: folder, targetPath, ...config })
  await deploy('importerMapping', mapping)
}

const put = async (name: string, content: string): Promise<void> => {
  await mkdir(join(folder, name, '..'), { recursive: true })
  await writeFile(join(folder, name), content)
}

const descriptor = ({ title = 'A title', day = '24/12/2015', file = '', more = '' } = {}) =>
  `<doc><title>${title}</title><at day="${day}"/><source>scanner</source><count>12</count>
   ${file && `<file path="${file}" name="scan.pdf"/>`}${more}</doc>`

const fire = (user = 'Administrator') =>
  call('POST', `${AUTOMATION}/Event.Fire`, { user, json: { params: { name: 'ScanIngestionStart' } } })

const executions = async (): Promise<string[]> => {
  const found: string[] = []
  const query = `WorkflowId = '${RUN}'`
  for await (const { runId, status } of client.workflow.list({ query }))
    if (status.name !== 'CONTINUED_AS_NEW') found.push(`${runId} ${status.name}`)
  return found
}

/** Asks for a scan, and waits for its end. @returns its log. */
const scanned = async (): Promise<string[]> => {
  const before = await executions()
  expect((await fire()).status).toBeLessThan(300)
  return soon(async () => {
    const now = await executions()
    expect(now.length).toBe(before.length + 1)
    expect(now.filter((each) => each.endsWith(' RUNNING'))).toEqual([])
    return client.workflow.getHandle(RUN).query<string[]>('log')
  })
}

const read = (path: string) => platform.readSession(ADMINISTRATOR).stores.documents.get(path)

const namesIn = async (path: string): Promise<string[]> => {
  const { id } = (await read(path))!
  return (await platform.readSession(ADMINISTRATOR).stores.children.list(id)).map(({ name }) => name).sort()
}

const contentOf = async (path: string) => {
  const blob = (await read(path))!.properties['file:content'] as BlobValue | undefined
  return blob && [blob.name, await text(await platform.blobs.open(blob))]
}

test('descriptors become documents with their files, and are moved when they are done', async () => {
  const processedPath = await mkdtemp(join(root, 'done-'))
  await configured({ processedPath, batchSize: 1 })
  await put('files/scan', 'the scan')
  await put('a.xml', descriptor({ file: join(folder, 'files/scan') }))
  await put('sub/b.xml', descriptor({ title: 'B' }))
  const log = await scanned()
  const container = `${targetPath}/${basename(folder)}`
  const a = await read(`${container}/a`)
  expect(a).toMatchObject({
    type: 'File',
    properties: {
      ...{ 'dc:title': 'A title', 'dc:issued': '2015-12-24T00:00:00.000Z' },
      ...{ 'dc:source': 'scanner', 'dc:rights': '12' },
    },
  })
  expect(await contentOf(`${container}/a`)).toEqual(['scan.pdf', 'the scan'])
  expect([(await read(container))!.type, (await read(`${container}/sub/b`))!.properties['dc:title']]).toEqual(
    ['Folder', 'B'],
  )
  expect(await namesIn(container)).toEqual(['a', 'sub'])
  expect([await readdir(folder), (await readdir(processedPath)).sort()]).toEqual([
    ['files', 'sub'],
    ['a.xml', 'sub'],
  ])
  expect(log).toEqual([
    'sub/b.xml: //file is 0 elements instead of one, and is left out',
    '2 documents created, 0 updated, 0 there already, 0 failed',
  ])
})

test('what is missing or may not be read is left out, what is no date fails alone', async () => {
  await writeFile(join(secret, 'key'), 'the key of the server')
  await configured({ createInitialFolder: false })
  await put('a.xml', descriptor({ file: join(folder, 'none'), more: '<source>two</source>' }))
  await put('b.xml', descriptor({ day: 'soon' }))
  await put('b2.xml', descriptor({ day: 'soon'.repeat(1_000_000) }))
  await put('c.xml', '<!DOCTYPE doc [<!ENTITY x SYSTEM "file:///etc/passwd">]><doc>&x;</doc>')
  await put('d.xml', descriptor({ file: join(secret, 'key') }))
  const log = await scanned()
  expect(await namesIn(targetPath)).toEqual(['a', 'd'])
  expect([
    (await read(`${targetPath}/a`))!.properties['dc:source'],
    await contentOf(`${targetPath}/d`),
  ]).toEqual([undefined, undefined])
  expect(log).toEqual([
    `a.xml: the file ${join(folder, 'none')} is left out: ${join(folder, 'none')} cannot be read: ENOENT`,
    'a.xml: //source is 2 elements instead of one, and is left out',
    'b.xml: //file is 0 elements instead of one, and is left out',
    "b.xml: failed: dc:issued: 'soon' is no date",
    'b2.xml: //file is 0 elements instead of one, and is left out',
    expect.stringMatching(/^b2.xml: failed: dc:issued: '.{470,480}$/),
    expect.stringMatching(/^c.xml: failed: .*DOCTYPE/),
    expect.stringMatching(
      /^d.xml: the file .*key is left out: .*not below a folder of ARCHIVOLT_IMPORT_FOLDERS$/,
    ),
    '2 documents created, 0 updated, 0 there already, 3 failed',
  ])
  // Those that are done are removed without a folder for them, the others stay.
  expect(await readdir(folder)).toEqual(['b.xml', 'b2.xml', 'c.xml'])
})

describe('a second scan', () => {
  test('updates what is there', async () => {
    await configured()
    await put('a.xml', descriptor())
    await scanned()
    await put('a.xml', descriptor({ title: 'Changed' }))
    expect((await scanned()).at(-1)).toBe('0 documents created, 1 updated, 0 there already, 0 failed')
    expect(await namesIn(targetPath)).toEqual([basename(folder)])
    expect((await read(`${targetPath}/${basename(folder)}/a`))!.properties['dc:title']).toBe('Changed')
  })

  test('without update makes a container of its own, or documents beside those that are there', async () => {
    await configured({ update: false })
    for (const _ of [1, 2]) {
      await put('a.xml', descriptor())
      await scanned()
    }
    const names = await namesIn(targetPath)
    expect(names).toHaveLength(2)
    for (const name of names) expect(name).toMatch(new RegExp(`^${basename(folder)}-\\d+$`))
    await configured({ update: false, mergeInitialFolder: true })
    for (const _ of [1, 2]) {
      await put('a.xml', descriptor())
      await scanned()
    }
    expect(await namesIn(`${targetPath}/${basename(folder)}`)).toHaveLength(2)
  })
})

test('without a mapping every file is a document, and stays where it is', async () => {
  await configured({ useXMLMapping: false, createInitialFolder: false }, { targetLeafType: 'Picture' })
  await put('a.png', 'not quite')
  await put('b.xml', '<b/>')
  await scanned()
  expect(await namesIn(targetPath)).toEqual(['a.png', 'b.xml'])
  expect((await read(`${targetPath}/a.png`))!).toMatchObject({
    type: 'Picture',
    properties: { 'dc:title': 'a.png' },
  })
  expect(await contentOf(`${targetPath}/b.xml`)).toEqual(['b.xml', '<b/>'])
  expect(await readdir(folder)).toEqual(['a.png', 'b.xml'])
})

test('an attempt that is lost before it has moved a descriptor doubles nothing', async () => {
  await configured({ update: false, createInitialFolder: false })
  for (const name of ['a.xml', 'b.xml']) await put(name, descriptor())
  const { services, units } = runtime.segments()
  const { signal } = new AbortController()
  const call = {
    ...{
      principal: ADMINISTRATOR,
      importId: `lost-${targetPath}`,
      cursor: IMPORT_START,
      batchSize: 1,
      signal,
    },
    report: () => undefined,
  }
  const scan = { ...scanOf(platform.snapshot().contributions)!, startedAt: 1 }
  const source = await createScanSource(scan, { folders: [root], services, principal: ADMINISTRATOR, signal })
  const lost = new Error('the process has died')
  const dying: ImportSource = { ...source, settle: () => Promise.reject(lost) }
  await expect(runImportPage({ units }, dying, call)).rejects.toBe(lost)
  expect([await namesIn(targetPath), await readdir(folder)]).toEqual([['a'], ['a.xml', 'b.xml']])
  expect(await runImportPage({ units }, source, call)).toMatchObject({ isDone: true, cursor: { created: 2 } })
  expect([await namesIn(targetPath), await readdir(folder)]).toEqual([['a', 'b'], []])
})

test('events of others start none', async () => {
  await configured()
  await put('a.xml', descriptor())
  const before = await executions()
  expect((await fire('ann')).status).toBeLessThan(300)
  // The next one of an administrator is looked at behind it.
  await scanned()
  expect(await executions()).toHaveLength(before.length + 1)
  await expect(access(join(folder, 'a.xml'))).rejects.toThrow()
})

test.each([
  ['importerConfig', { targetPath: '/' }, /sourcePath/],
  ['importerConfig', { sourcePath: '/x', batchSize: 0 }, /batchSize/],
  [
    'importerMapping',
    { fieldMappings: [{ sourceXPath: 'count(//a)', targetXPath: 'dc:title' }] },
    /not a path/,
  ],
  ['importerMapping', { targetLeafTypeMapper: 'org.example.Mapper' }, /targetLeafTypeMapper/],
])('%s %j is refused', async (point, content, message) => {
  const answer = await call('PUT', `/api/v1/contributions/${point}/default`, { json: content })
  expect([answer.status, answer.text]).toEqual([422, expect.stringMatching(message)])
})

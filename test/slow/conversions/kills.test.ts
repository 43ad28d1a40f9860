import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Client, Connection } from '@temporalio/client'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { Server } from '../../../stack/process/index.js'
import { type Process, processesNaming, run } from '../../integration/support/conversions-support.js'
import { conversionAttempts } from '../../support/conversion-attempts.js'
import { openOwnServers } from '../own-servers.js'

/** Conversions whose worker or whose program is killed: each ends once, and leaves neither a process nor a file. */

const servers = await openOwnServers()
const { call, startApi, startWorker } = servers
const temporal = new Client({ connection: await Connection.connect({ address: inject('temporalAddress') }) })
const samples = mkdtempSync(join(tmpdir(), 'archivolt-kills-'))
afterAll(async () => {
  await temporal.connection.close()
  rmSync(samples, { recursive: true, force: true })
})

/** Encoding it takes seconds, in which a kill finds its program. */
const makeFilm = (): string => {
  const path = join(samples, 'film.mkv')
  const source = ['-f', 'lavfi', '-i', 'testsrc=duration=12:size=640x360:rate=25']
  execFileSync('ffmpeg', ['-v', 'error', ...source, '-c:v', 'mpeg4', path])
  return path
}

const create = async (name: string, path: string, type = 'video/x-matroska'): Promise<void> => {
  const { batchId } = (await (await call('upload', { method: 'POST', expected: 201 })).json()) as {
    batchId: string
  }
  await call(`upload/${batchId}/0`, {
    ...{ method: 'POST', expected: 201, body: readFileSync(path) },
    headers: { 'X-File-Name': basename(path), 'X-File-Type': type },
  })
  const properties = { 'file:content': { 'upload-batch': batchId, 'upload-fileId': '0' } }
  await call('path/', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ 'entity-type': 'document', type: 'File', name, properties }),
    expected: 201,
  })
}

let worker: Server
beforeAll(async () => {
  await startApi()
  worker = await startWorker()
  await create('film', makeFilm())
})

const scheduled = async (name: string, query: string): Promise<string> => {
  const answer = await call(`path/${name}/@convert?${query}&async=true`, { method: 'POST', expected: 202 })
  return ((await answer.json()) as { conversionId: string }).conversionId
}

/** To a height of its own, as the same request again would have the same result. */
const schedule = (height: number): Promise<string> => scheduled('film', `format=webm&height=${height}`)

const temporary = (): string => join(servers.folder, 'tmp')
const tools = (): Promise<Process[]> => processesNaming(`${temporary()}/`)
const encoders = async (): Promise<Process[]> =>
  (await tools()).filter(({ commandLine }) => commandLine.includes('libvpx'))

const runOf = (id: string) => temporal.workflow.getHandle(`conversion-${id}`)

const attemptsOf = async (id: string): Promise<number[]> => conversionAttempts(await runOf(id).fetchHistory())

const expectFilm = async (id: string): Promise<void> => {
  const answer = await call(`conversions/${id}/result`, { expected: 200 })
  const path = join(samples, `${id}.webm`)
  writeFileSync(path, Buffer.from(await answer.arrayBuffer()))
  const entries = ['-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', path]
  expect(Number(execFileSync('ffprobe', entries).toString())).toBeCloseTo(12, 0)
}

test('go on at the next worker when theirs is killed, with its programs', async () => {
  const id = await schedule(360)
  for (let kill = 0; kill < 2; kill++) {
    await expect.poll(encoders).not.toEqual([])
    process.kill(worker.pid, 'SIGKILL')
    await worker.exited
    await expect.poll(tools).toEqual([])
    worker = await startWorker()
  }
  await runOf(id).result()
  expect(await attemptsOf(id)).toEqual([3])
  await expectFilm(id)
})

test('say that their program was killed, and are not begun again', async () => {
  const id = await schedule(240)
  await expect.poll(encoders).not.toEqual([])
  for (const { id: program } of await encoders()) process.kill(program, 'SIGKILL')
  await expect(runOf(id).result()).rejects.toThrow()
  const answer = await call(`conversions/${id}/poll`, { expected: 422 })
  expect(await answer.text()).toMatch(/ffmpeg failed/)
  expect(await attemptsOf(id)).toEqual([1])
  await expect.poll(tools).toEqual([])
})

/** Whether a program that is kept warm is at work: its folder holds a document. */
const isAtWork = (): boolean =>
  readdirSync(temporary()).some((folder) => existsSync(join(temporary(), folder, 'job', 'document')))

/** Other test files have programs of the same name. */
const isBelowWorker = ({ id }: Process): boolean => {
  const parent = Number(readFileSync(`/proc/${id}/stat`, 'utf8').replace(/^.*\) . (\d+) .*$/s, '$1'))
  return parent === worker.pid || (parent > 1 && isBelowWorker({ id: parent, commandLine: '' }))
}

/** What a program is started in names the program, too. */
const isNoSandbox = ({ commandLine }: Process): boolean => !/^\S*(?:bwrap|unshare|sh) /.test(commandLine)

const makeText = (name: string, lines: number): string => {
  const path = join(samples, name)
  writeFileSync(path, Array.from({ length: lines }, (_, line) => `Line ${line} of ${name}.`).join('\n'))
  return path
}

const makePicture = async (name: string, side: number): Promise<string> => {
  const path = join(samples, name)
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 60 }
  const picture = { width: side, height: side, channels: 3 as const, background: '#468', noise }
  await sharp({ create: picture }).png({ compressionLevel: 1 }).toFile(path)
  return path
}

const pagesOf = async (id: string): Promise<number> => {
  const answer = await call(`conversions/${id}/result`, { expected: 200 })
  const path = join(samples, `${id}.pdf`)
  writeFileSync(path, Buffer.from(await answer.arrayBuffer()))
  // Each page ends with a form feed.
  const { stdout } = await run('pdftotext', [path, '-'], { maxBuffer: 64 * 1024 ** 2 })
  return stdout.split('\f').length - 1
}

const sideOf = async (id: string): Promise<number | undefined> => {
  const answer = await call(`conversions/${id}/result`, { expected: 200 })
  return (await sharp(Buffer.from(await answer.arrayBuffer())).metadata()).width
}

test.each([
  {
    tool: 'soffice.bin',
    query: 'format=pdf',
    type: 'text/plain',
    make: (name: string, isLong: boolean) => makeText(`${name}.txt`, isLong ? 30_000 : 10),
    measure: pagesOf,
    isWhole: (pages: number | undefined) => (pages ?? 0) > 300,
  },
  {
    tool: 'child.mjs',
    query: 'converter=pictureResize&width=4000&height=4000&conversionFormat=avif',
    type: 'image/png',
    make: (name: string, isLong: boolean) => makePicture(`${name}.png`, isLong ? 1_200 : 40),
    measure: sideOf,
    isWhole: (side: number | undefined) => side === 1_200,
  },
])('end once when the warm $tool is killed that was at work on them', async (kind) => {
  const { tool, query, type, make, measure, isWhole } = kind
  const [short, long] = [`short-${tool}`, `long-${tool}`]
  await create(short, await make(short, false), type)
  await create(long, await make(long, true), type)
  // The first is the one that starts the program.
  await runOf(await scheduled(short, query)).result()
  expect(isAtWork()).toBe(false)
  const id = await scheduled(long, query)
  await expect.poll(isAtWork, { interval: 10 }).toBe(true)
  const [program] = (await processesNaming(tool)).filter(isBelowWorker).filter(isNoSandbox)
  process.kill(program!.id, 'SIGKILL')
  await runOf(id).result()
  expect(isWhole(await measure(id))).toBe(true)
  expect(await attemptsOf(id)).toEqual([1])
})

test('leave nothing behind', async () => {
  const id = await schedule(120)
  await runOf(id).result()
  await expectFilm(id)
  await worker.stop()
  expect(await tools()).toEqual([])
  expect(readdirSync(temporary())).toEqual([])
  expect(readdirSync(join(servers.folder, 'blobs', 'tmp'))).toEqual([])
})

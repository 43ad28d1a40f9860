import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Client, Connection } from '@temporalio/client'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { Server } from '../../../stack/process/index.js'
import { type Process, processesNaming } from '../../integration/support/conversions-support.js'
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

type Kept = { name: string; path: string; mimeType?: string; type?: string }

const create = async ({ name, path, mimeType = 'video/x-matroska', type = 'File' }: Kept): Promise<void> => {
  const { batchId } = (await (await call('upload', { method: 'POST', expected: 201 })).json()) as {
    batchId: string
  }
  await call(`upload/${batchId}/0`, {
    ...{ method: 'POST', expected: 201, body: readFileSync(path) },
    headers: { 'X-File-Name': basename(path), 'X-File-Type': mimeType },
  })
  const properties = { 'file:content': { 'upload-batch': batchId, 'upload-fileId': '0' } }
  await call('path/', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ 'entity-type': 'document', type, name, properties }),
    expected: 201,
  })
}

let worker: Server
beforeAll(async () => {
  await startApi()
  worker = await startWorker()
  await create({ name: 'film', path: makeFilm() })
})

const scheduleAt = async (path: string): Promise<string> => {
  const answer = await call(`path/${path}&async=true`, { method: 'POST', expected: 202 })
  return ((await answer.json()) as { conversionId: string }).conversionId
}

/** To a height of its own, as the same request again would have the same result. */
const schedule = (height: number): Promise<string> => scheduleAt(`film/@convert?format=webm&height=${height}`)

const temporary = (): string => join(servers.folder, 'tmp')
const tools = (): Promise<Process[]> => processesNaming(`${temporary()}/`)
const encoders = async (): Promise<Process[]> =>
  (await tools()).filter(({ commandLine }) => commandLine.includes('libvpx'))

const runOf = (id: string) => temporal.workflow.getHandle(`conversion-${id}`)

/** How often a conversion was begun, as its last attempt says. */
const attemptsOf = async (id: string): Promise<number[]> =>
  ((await runOf(id).fetchHistory()).events ?? []).flatMap(
    ({ activityTaskStartedEventAttributes: started }) => started?.attempt ?? [],
  )

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

/** Files whose conversion takes seconds, and what does it. */
const slowFiles: readonly {
  what: string
  program: string
  target: string
  make(path: string): unknown
  file: string
  mimeType: string
}[] = [
  {
    what: 'LibreOffice',
    program: 'soffice.bin',
    ...{ file: 'long.txt', mimeType: 'text/plain', target: 'type=application/pdf' },
    make: (path) =>
      writeFileSync(
        path,
        Array.from({ length: 60_000 }, (_, line) => `Line ${line} of a long text`).join('\n'),
      ),
  },
  {
    what: 'a picture process',
    program: 'child.mjs',
    ...{ file: 'large.jpg', mimeType: 'image/jpeg', target: 'converter=pictureToAvif' },
    make: (path) =>
      sharp({
        ...{ create: { width: 4000, height: 3000, channels: 3, background: '#808080' } },
      })
        .jpeg()
        .toFile(path),
  },
]

test.each(slowFiles)(
  'of $what end once, whoever is killed',
  async ({ program, target, make, file, mimeType }) => {
    const path = join(samples, file)
    await make(path)
    await create({ name: file, path, mimeType })
    const programs = async () => (await tools()).filter(({ commandLine }) => commandLine.includes(program))
    const first = await scheduleAt(`${file}/@convert?${target}`)
    await expect.poll(programs).not.toEqual([])
    process.kill(worker.pid, 'SIGKILL')
    await worker.exited
    await expect.poll(tools).toEqual([])
    worker = await startWorker()
    await runOf(first).result()
    expect((await attemptsOf(first)).length).toBe(1)
    const answer = await call(`conversions/${first}/result`, { expected: 200 })
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(1_000)
    // A parameter that no engine reads makes another request of it.
    const second = await scheduleAt(`${file}/@convert?${target}&again=true`)
    await expect.poll(async () => (await runOf(second).describe()).raw.pendingActivities?.length).toBe(1)
    await expect.poll(programs).not.toEqual([])
    for (const { id } of await programs()) process.kill(id, 'SIGKILL')
    // In a process that has done others it is tried once more; else it says what has happened.
    const outcome = await runOf(second)
      .result()
      .then(
        () => 'converted',
        () => 'failed',
      )
    const status = outcome === 'converted' ? 200 : 422
    await call(`conversions/${second}/poll`, { expected: status })
    expect((await attemptsOf(second)).length).toBe(1)
    const third = await scheduleAt(`${file}/@convert?${target}&again=once`)
    await runOf(third).result()
  },
)

const startsOf = async (workflowId: string) => {
  const { events = [] } = await temporal.workflow.getHandle(workflowId).fetchHistory()
  const scheduled = new Map<string, string>()
  const attempts: number[] = []
  let done = 0
  for (const event of events ?? []) {
    const { activityTaskScheduledEventAttributes: asked, activityTaskStartedEventAttributes: started } = event
    if (asked) scheduled.set(String(event.eventId), asked.activityType?.name ?? '')
    if (started && scheduled.get(String(started.scheduledEventId)) === 'convertFilmPart')
      attempts.push(started.attempt ?? 0)
    const ended = event.activityTaskCompletedEventAttributes
    if (ended && scheduled.get(String(ended.scheduledEventId)) === 'convertFilmPart') done++
  }
  const parts = [...scheduled.values()].filter((name) => name === 'convertFilmPart').length
  return { parts, done, attempts }
}

const framesOf = (path: string): number => {
  const entries = [
    '-v',
    'error',
    '-count_frames',
    '-select_streams',
    'v:0',
    '-show_entries',
    'stream=nb_read_frames',
  ]
  return Number(
    execFileSync('ffprobe', [...entries, '-of', 'csv=p=0', path])
      .toString()
      .trim()
      .replace(',', ''),
  )
}

/** Decibels by which pictures of two films differ; those of one that is coded well are 30 apart or more. */
const likenessOf = (path: string, original: string): number => {
  const graph = '[1:v]scale=320:180[b];[0:v]scale=320:180[a];[a][b]psnr'
  const args = ['-hide_banner', '-i', path, '-i', original, '-lavfi', graph, '-f', 'null', '-']
  const { stderr } = spawnSync('ffmpeg', args, { encoding: 'utf8' })
  return Number(/PSNR.* average:(\d+\.?\d*)/.exec(stderr)?.[1])
}

test('a film in parts loses one part when its worker is killed, and no frame where it is joined', async () => {
  const put = (address: string, json: object) =>
    call(`contributions/${address}`, {
      ...{ method: 'PUT', expected: 201, body: JSON.stringify(json) },
      headers: { 'content-type': 'application/json' },
    })
  await put('automaticVideoConversions/WebM%20480p', { enabled: false })
  await put('videoConversions/MP4%20480p', { converter: 'convertToMP4', height: 180, segmentSeconds: 5 })
  const path = join(samples, 'parts.mp4')
  const source = ['-f', 'lavfi', '-i', 'testsrc2=duration=40:size=1280x720:rate=25']
  const sound = ['-f', 'lavfi', '-i', 'sine=duration=40']
  execFileSync('ffmpeg', ['-v', 'error', ...source, ...sound, '-g', '25', '-preset', 'ultrafast', path])
  // Until the worker knows of the contributions.
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  await create({ name: 'parts', path, mimeType: 'video/mp4', type: 'Video' })
  const transcodings = async () => {
    const found: string[] = []
    for await (const { workflowId } of temporal.workflow.list({
      query: `WorkflowType = 'media' AND ChainId = 'transcoding:MP4 480p' AND Principal = 'Administrator'`,
    }))
      found.push(workflowId)
    return found
  }
  await expect.poll(transcodings, { timeout: 60_000 }).toHaveLength(1)
  const [id = ''] = await transcodings()
  await expect.poll(async () => (await startsOf(id)).done, { timeout: 120_000 }).toBeGreaterThan(1)
  const before = (await startsOf(id)).done
  process.kill(worker.pid, 'SIGKILL')
  await worker.exited
  await expect.poll(tools).toEqual([])
  worker = await startWorker()
  await temporal.workflow.getHandle(id).result()
  const { parts, done, attempts } = await startsOf(id)
  expect(parts).toBeGreaterThan(5)
  expect(done).toBe(parts)
  expect(attempts.filter((attempt) => attempt === 1).length).toBeGreaterThanOrEqual(before)
  const document = (await (
    await call('path/parts', { expected: 200, headers: { 'X-NXproperties': '*' } })
  ).json()) as { properties: { [xpath: string]: { name: string }[] } }
  expect(document.properties['vid:transcodedVideos']?.map(({ name }) => name)).toEqual(['MP4 480p'])
  const answer = await call('path/parts/@blob/vid:transcodedVideos/0/content', { expected: 200 })
  const joined = join(samples, 'joined.mp4')
  writeFileSync(joined, Buffer.from(await answer.arrayBuffer()))
  expect(framesOf(joined)).toBe(framesOf(path))
  expect(likenessOf(joined, path)).toBeGreaterThan(25)
})

test('leave nothing behind', async () => {
  const id = await schedule(120)
  await runOf(id).result()
  await expectFilm(id)
  await worker.stop()
  expect(await tools()).toEqual([])
  expect(readdirSync(temporary())).toEqual([])
  expect(readdirSync(join(servers.folder, 'blobs', 'tmp'))).toEqual([])
  const data = join(servers.folder, 'blobs', 'data')
  const stored = readdirSync(data, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  expect(stored.length).toBeGreaterThan(10)
  // Each is whole: it is what its name says.
  for (const { parentPath, name } of stored) {
    const digest = createHash('sha256')
      .update(readFileSync(join(parentPath, name)))
      .digest('hex')
    expect(digest).toBe(name)
  }
})

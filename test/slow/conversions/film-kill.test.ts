import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { freePort, LOOPBACK, type Server } from '../../../stack/process/index.js'
import { type Process, processesNaming } from '../../integration/support/conversions-support.js'
import { AUTHORIZATION, openOwnServers } from '../own-servers.js'

/** A film that is converted in parts, whose worker is killed while it has made some of them. */

const SECONDS = 24
const RATE = 25
const PART_SECONDS = 3
const PARTS = SECONDS / PART_SECONDS

const workerPort = await freePort()
const servers = await openOwnServers({ ARCHIVOLT_WORKER_PORT: String(workerPort) })
const { call, startApi, startWorker } = servers
const temporal = new Client({ connection: await Connection.connect({ address: inject('temporalAddress') }) })
const samples = mkdtempSync(join(tmpdir(), 'archivolt-film-kill-'))
afterAll(async () => {
  await temporal.connection.close()
  rmSync(samples, { recursive: true, force: true })
})

/** A key frame each second; every frame has its number in it, so that no two parts are alike. */
const makeFilm = (): string => {
  const path = join(samples, 'film.mp4')
  const picture = ['-f', 'lavfi', '-i', `testsrc2=duration=${SECONDS}:size=640x360:rate=${RATE}`]
  const sound = ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${SECONDS}`]
  const encoding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', String(RATE), '-pix_fmt', 'yuv420p']
  execFileSync('ffmpeg', ['-v', 'error', ...picture, ...sound, ...encoding, path])
  return path
}

/** Whether it is the first of its name makes no difference. */
const contribute = async (address: string, body: string): Promise<void> => {
  const headers = { authorization: AUTHORIZATION, 'content-type': 'application/yaml' }
  const url = `${servers.apiUrl}/api/v1/contributions/${address}`
  const answer = await fetch(url, { method: 'PUT', headers, body })
  expect(`${answer.status} ${answer.ok ? '' : await answer.text()}`).toMatch(/^20[01] $/)
}

/** @returns the id of a new document with the film. */
const createFilm = async (): Promise<string> => {
  const batch = await call('upload', { method: 'POST', expected: 201 })
  const { batchId } = (await batch.json()) as { batchId: string }
  await call(`upload/${batchId}/0`, {
    ...{ method: 'POST', expected: 201, body: readFileSync(makeFilm()) },
    headers: { 'X-File-Name': 'film.mp4', 'X-File-Type': 'video/mp4' },
  })
  const properties = { 'file:content': { 'upload-batch': batchId, 'upload-fileId': '0' } }
  const created = await call('path/', {
    ...{ method: 'POST', expected: 201, headers: { 'content-type': 'application/json' } },
    body: JSON.stringify({ 'entity-type': 'document', type: 'Video', name: 'film', properties }),
  })
  return ((await created.json()) as { uid: string }).uid
}

let worker: Server
let documentId: string
beforeAll(async () => {
  await startApi()
  worker = await startWorker()
  // One conversion alone. Its preset is slow, so that a kill finds it at work.
  await contribute('mediaListeners/videos', '{ makes: video, enabled: false }')
  await contribute('automaticVideoConversions/WebM%20480p', '{ enabled: false }')
  await contribute(
    'videoConversions/MP4%20480p',
    `{ converter: convertToMP4, height: 720, segmentSeconds: ${PART_SECONDS} }`,
  )
  documentId = await createFilm()
})

const temporary = (): string => join(servers.folder, 'tmp')
const tools = (): Promise<Process[]> => processesNaming(`${temporary()}/`)
const encoders = async (): Promise<Process[]> =>
  (await tools()).filter(({ commandLine }) => commandLine.includes('libx264'))

/** The run of the film; undefined while there is none. */
const runOf = async (): Promise<string | undefined> => {
  const taskQueue = new URL(servers.databaseUrl).pathname.slice(1)
  const query = `WorkflowType = "media" AND TaskQueue = "${taskQueue}"`
  for await (const { workflowId } of temporal.workflow.list({ query })) return workflowId
  return undefined
}

/** The steps of a run that have ended, by the name of their activity, each with the attempt that ended it. */
const endedSteps = async (workflowId: string): Promise<{ name: string; attempt: number }[]> => {
  const { events = [] } = await temporal.workflow.getHandle(workflowId).fetchHistory()
  const names = new Map<string, string>()
  const attempts = new Map<string, number>()
  const ended: { name: string; attempt: number }[] = []
  for (const event of events ?? []) {
    const { activityTaskScheduledEventAttributes: scheduled, activityTaskStartedEventAttributes: started } =
      event
    if (scheduled) names.set(String(event.eventId), scheduled.activityType?.name ?? '')
    if (started) attempts.set(String(started.scheduledEventId), started.attempt ?? 0)
    const completed = event.activityTaskCompletedEventAttributes
    if (!completed) continue
    const id = String(completed.scheduledEventId)
    ended.push({ name: names.get(id) ?? '', attempt: attempts.get(id) ?? 0 })
  }
  return ended
}

const partsOf = async (workflowId: string): Promise<{ attempt: number }[]> =>
  (await endedSteps(workflowId)).filter(({ name }) => name === 'convertFilmPart')

/** Films that the worker of now has encoded. */
const encodedByWorker = async (): Promise<number> => {
  const metrics = await (await fetch(`http://${LOOPBACK}:${workerPort}/metrics`)).text()
  const counted = metrics
    .split('\n')
    .filter((line) => line.startsWith('archivolt_conversion_duration_seconds_count{'))
    .filter((line) => line.includes('converter="convertToMP4"') && line.includes('outcome="completed"'))
  // Without one the name or the labels are others, and 0 would say nothing.
  expect(counted).toHaveLength(1)
  return Number(counted[0]?.split(' ').at(-1))
}

const probed = (path: string, entries: readonly string[]): string =>
  execFileSync('ffprobe', ['-v', 'error', ...entries, '-of', 'csv=p=0', path])
    .toString()
    .trim()

/** The film as it is stored at the document, as a file. */
const fetchFilm = async (): Promise<string> => {
  const answer = await call(`id/${documentId}/@blob/vid:transcodedVideos/0/content`, { expected: 200 })
  const path = join(samples, 'made.mp4')
  writeFileSync(path, Buffer.from(await answer.arrayBuffer()))
  return path
}

test('a kill of the worker costs the parts that it was making, and no frame', async () => {
  await expect.poll(runOf).toBeDefined()
  const workflowId = (await runOf()) ?? ''
  await expect.poll(async () => (await partsOf(workflowId)).length).toBeGreaterThanOrEqual(2)
  await expect.poll(encoders).not.toEqual([])
  process.kill(worker.pid, 'SIGKILL')
  await worker.exited
  // All that it had made; what it was at is made by the next one, as is what nobody had begun.
  const kept = (await partsOf(workflowId)).length
  try {
    await expect.poll(tools).toEqual([])
  } finally {
    // Whatever was found: without a worker nothing that follows would end.
    worker = await startWorker()
  }
  await temporal.workflow.getHandle(workflowId).result()

  const parts = await partsOf(workflowId)
  expect(parts).toHaveLength(PARTS)
  expect(kept).toBeGreaterThanOrEqual(2)
  expect(kept).toBeLessThan(PARTS)
  // Those that the kill found under way are made a second time: two at once, and no others.
  const again = parts.filter(({ attempt }) => attempt > 1).length
  expect(again).toBeGreaterThanOrEqual(1)
  expect(again).toBeLessThanOrEqual(2)
  // What was made before is not made again, and each other part once.
  expect(await encodedByWorker()).toBe(PARTS - kept)

  const film = await fetchFilm()
  const frames = ['-count_frames', '-select_streams', 'v', '-show_entries', 'stream=nb_read_frames']
  expect(Number(probed(film, frames))).toBe(SECONDS * RATE)
  expect(Number(probed(film, ['-show_entries', 'format=duration']))).toBeCloseTo(SECONDS, 0)
  expect(probed(film, ['-show_entries', 'stream=codec_type']).split('\n').sort()).toEqual(['audio', 'video'])
  // A decoder finds nothing wrong where parts meet.
  expect(spawnSync('ffmpeg', ['-v', 'error', '-i', film, '-f', 'null', '-']).stderr.toString()).toBe('')
})

test('nothing is left behind', async () => {
  await worker.stop()
  expect(await tools()).toEqual([])
  expect(readdirSync(temporary())).toEqual([])
  expect(readdirSync(join(servers.folder, 'blobs', 'tmp'))).toEqual([])
})

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, Connection } from '@temporalio/client'
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

const create = async (name: string, path: string): Promise<void> => {
  const { batchId } = (await (await call('upload', { method: 'POST', expected: 201 })).json()) as {
    batchId: string
  }
  await call(`upload/${batchId}/0`, {
    ...{ method: 'POST', expected: 201, body: readFileSync(path) },
    headers: { 'X-File-Name': `${name}.mkv`, 'X-File-Type': 'video/x-matroska' },
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

/** To a height of its own, as the same request again would have the same result. */
const schedule = async (height: number): Promise<string> => {
  const path = `path/film/@convert?format=webm&height=${height}&async=true`
  const answer = await call(path, { method: 'POST', expected: 202 })
  return ((await answer.json()) as { conversionId: string }).conversionId
}

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

test('leave nothing behind', async () => {
  const id = await schedule(120)
  await runOf(id).result()
  await expectFilm(id)
  await worker.stop()
  expect(await tools()).toEqual([])
  expect(readdirSync(temporary())).toEqual([])
  expect(readdirSync(join(servers.folder, 'blobs', 'tmp'))).toEqual([])
})

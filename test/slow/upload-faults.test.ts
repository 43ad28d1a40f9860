import { createHash } from 'node:crypto'
import { readdirSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { beforeAll, describe, expect, test } from 'vitest'
import { createBlobCollection, createPlatform, removeExpiredUploads } from '../../runtime/index.js'
import type { Server } from '../../stack/process/index.js'
import { seededRandom, testSeed } from '../support/random.js'
import { parseTestSettings } from '../support/settings.js'
import { sized } from '../support/size.js'
import { post } from './cut-request.js'
import { generateFile } from './generated-file.js'
import { AUTHORIZATION, openOwnServers } from './own-servers.js'

/** Uploads to two APIs that are killed, over connections that are cut: what is kept of them is what was sent. */

const MIB = 1024 ** 2
const free = statfsSync(tmpdir())
/** Chunks and the file that they make are on the disk at once. */
const LARGEST = free.bavail * free.bsize < 12_000 * MIB ? 512 : 2048
const SIZE = sized({ full: LARGEST, sample: 64 }) * MIB
const CHUNK = sized({ full: 8, sample: 1 }) * MIB
const COUNT = SIZE / CHUNK
const KINDS = ['local', 'cluster']
const KILLS = sized({ full: 12, sample: 2 })

const servers = await openOwnServers()
const random = seededRandom(testSeed())
const urls = [servers.apiUrl, await servers.furtherUrl()]
const apis: Server[] = []

beforeAll(async () => {
  for (const url of urls) apis.push(await servers.startApi(url))
})

const kill = async (victim: number): Promise<void> => {
  process.kill(apis[victim]!.pid, 'SIGKILL')
  await apis[victim]!.exited
  apis[victim] = await servers.startApi(urls[victim])
}

/** Kills one API after the other until work has ended. */
const killDuring = async <Result>(work: Promise<Result>, everyMs: number): Promise<Result> => {
  let isOver = false
  const killing = (async () => {
    for (let kills = 0; kills < KILLS && !isOver; kills++) {
      await sleep(everyMs * (0.5 + random()))
      if (!isOver) await kill(random() < 0.5 ? 0 : 1)
    }
  })()
  try {
    return await work
  } finally {
    isOver = true
    await killing
  }
}

const anyUrl = (): string => urls[random() < 0.5 ? 0 : 1]!

const deploy = (point: string, name: string, json: object): Promise<Response> =>
  fetch(`${urls[0]}/api/v1/contributions/${point}/${name}`, {
    method: 'PUT',
    headers: { authorization: AUTHORIZATION, 'content-type': 'application/json' },
    body: JSON.stringify(json),
  })

const newBatch = async (): Promise<string> =>
  ((await (await servers.call('upload', { method: 'POST', expected: 201 })).json()) as { batchId: string })
    .batchId

type File = ReturnType<typeof generateFile>

const chunkOf = (file: File, chunk: number): Buffer[] =>
  Array.from({ length: CHUNK / MIB }, (_, at) => file.mebibyte((chunk * CHUNK) / MIB + at))

/** Sends the chunks of a list, four at a time, some of which are cut. @returns the answers that are no success. */
const sendChunks = async (batch: string, file: File, order: readonly number[]): Promise<string[]> => {
  const refused: string[] = []
  const left = [...order]
  const send = async (): Promise<void> => {
    for (let chunk = left.shift(); chunk !== undefined; chunk = left.shift()) {
      const answer = await post(`${anyUrl()}/api/v1/upload/${batch}/0`, {
        headers: {
          ...{ 'X-Upload-Type': 'chunked', 'X-Upload-Chunk-Index': chunk, 'X-File-Name': 'stormy.bin' },
          ...{ 'X-Upload-Chunk-Count': COUNT, 'X-File-Size': SIZE },
        },
        body: { length: CHUNK, parts: chunkOf(file, chunk).flatMap(halves) },
        ...(random() < 0.25 && { cutAfter: CHUNK * random() }),
      })
      // Nobody listens while a server starts again.
      if (!answer) await sleep(20)
      else if (answer.status !== 201 && answer.status !== 202) refused.push(`${answer.status} ${answer.text}`)
    }
  }
  await Promise.all([send(), send(), send(), send()])
  return refused
}

/** So that a cut may come within a chunk of one MiB. */
const halves = (part: Buffer): Buffer[] => [part.subarray(0, MIB / 2), part.subarray(MIB / 2)]

/** Chunks that a batch does not have yet; all of them when it has no file. */
const missingIn = async (batch: string): Promise<number[]> => {
  const all = [...Array(COUNT).keys()]
  const response = await fetch(`${anyUrl()}/api/v1/upload/${batch}/0`, {
    headers: { authorization: AUTHORIZATION },
  }).catch(() => undefined)
  if (!response || response.status === 404) return all
  const { uploadedChunkIds } = (await response.json()) as { uploadedChunkIds: number[] }
  return all.filter((chunk) => !uploadedChunkIds.includes(chunk))
}

const shuffled = (chunks: readonly number[]): number[] =>
  chunks
    .map((chunk) => ({ chunk, rank: random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ chunk }) => chunk)

/** Gives a batch to a document, and reads the file back. @returns the MD5 of what comes. */
const storedAs = async (name: string, batch: string): Promise<string> => {
  const properties = { 'file:content': { 'upload-batch': batch, 'upload-fileId': '0' } }
  await servers.call('path/', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ 'entity-type': 'document', type: 'File', name, properties }),
    expected: 201,
  })
  const response = await servers.call(`path/${name}/@blob/file:content`, { expected: 200, at: urls[1]! })
  const hash = createHash('md5')
  for await (const chunk of response.body!) hash.update(chunk)
  return hash.digest('hex')
}

describe.each(KINDS)('a file that comes while APIs are killed, kept in a %s store', (kind) => {
  beforeAll(async () => {
    expect((await deploy('transientStores', 'default', { kind })).ok).toBe(true)
  })

  test('in chunks, twice, out of order and cut, is what was sent', async () => {
    const file = generateFile(SIZE)
    const batch = await newBatch()
    const refused: string[] = []
    const sending = async (): Promise<void> => {
      let missing = shuffled([...Array(COUNT).keys(), ...Array(COUNT).keys()])
      while (missing.length > 0) {
        refused.push(...(await sendChunks(batch, file, missing)))
        missing = shuffled(await missingIn(batch))
      }
    }
    await killDuring(sending(), 1_500)
    expect(refused).toEqual([])
    expect(await storedAs(`chunks-${kind}`, batch)).toBe(file.md5())
  })

  test('whole is there when it is answered for, and not before', async () => {
    const file = generateFile(SIZE)
    const batch = await newBatch()
    const url = () => `${anyUrl()}/api/v1/upload/${batch}/0`
    const whole = () => ({
      headers: { 'X-File-Name': 'whole.bin' },
      body: { length: SIZE, parts: file.chunks() },
    })
    for (let cut = 0; cut < 3; cut++) {
      expect(await post(url(), { ...whole(), cutAfter: 0.9 * SIZE * random() })).toBeUndefined()
      expect(await missingIn(batch)).toHaveLength(COUNT)
    }
    const sending = async (): Promise<number> => {
      for (;;) {
        const answer = await post(url(), whole())
        if (answer) return answer.status
        await sleep(50)
      }
    }
    expect(await killDuring(sending(), 300)).toBe(201)
    expect(await storedAs(`whole-${kind}`, batch)).toBe(file.md5())
  })

  test('and is left by its client', async () => {
    const file = generateFile(SIZE)
    await sendChunks(await newBatch(), file, [0, 1, 2])
    const [batch, body] = [await newBatch(), { length: SIZE, parts: file.chunks() }]
    const sending = post(`${urls[0]}/api/v1/upload/${batch}/0`, { headers: {}, body })
    await sleep(20)
    await Promise.all([kill(0), kill(1)])
    await sending
  })
})

test('nothing is left but what documents name, once what has expired is collected', async () => {
  const platform = await createPlatform(
    parseTestSettings({ DATABASE_URL: servers.databaseUrl, ARCHIVOLT_HOME: servers.folder }),
    pino({ level: 'silent' }),
  )
  const { sql } = platform.database
  const filesIn = (folder: string): string[] =>
    readdirSync(join(servers.folder, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .sort()
  try {
    const named = await sql<{ key: string }[]>`
      SELECT properties -> 'file:content' ->> 'key' AS key FROM documents WHERE type = 'File' ORDER BY 1`
    expect(named).toHaveLength(4)
    for (const kind of KINDS) {
      // A tenth of a second.
      await deploy('transientStores', 'default', { kind, firstLevelTTL: 0.002 })
      await sleep(200)
      await expect.poll(() => removeExpiredUploads(platform)).toBeGreaterThan(0)
    }
    const collect = createBlobCollection(
      { ...platform, settings: { ...platform.settings, blobGraceHours: 1e-6 } },
      async () => undefined,
    )
    await collect({ isDryRun: false })
    await collect({ isDryRun: false })
    expect(filesIn('transient')).toEqual([])
    expect(filesIn('blobs/tmp')).toEqual([])
    expect(filesIn('blobs/data')).toEqual(named.map(({ key }) => key))
    expect(await sql`SELECT key FROM blobs ORDER BY 1`).toEqual(named)
    expect(await sql`SELECT key FROM transient_file_entries`).toEqual([])
    expect(await sql`SELECT key FROM transient_file_parts`).toEqual([])
  } finally {
    await platform.close()
  }
})

import { createHash } from 'node:crypto'
import { readdirSync, readlinkSync, statfsSync } from 'node:fs'
import { type IncomingMessage, type RequestOptions, request } from 'node:http'
import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Server } from '../../stack/process/index.js'
import { sized } from '../support/size.js'
import { type GeneratedFile, generateFile } from './generated-file.js'
import { AUTHORIZATION, openOwnServers } from './own-servers.js'
import { peakDuring, residentMiB } from './resident-memory.js'

/** Files far larger than the memory that the API may use for them, in and out. */

const MIB = 1024 ** 2
const GIB = 1024 ** 3
/** Three files of this size may be on the disk at once. */
const LARGEST = statfsSync(tmpdir()).bavail * statfsSync(tmpdir()).bsize < 8 * GIB ? GIB / 2 : 2 * GIB
const SIZE = sized({ full: LARGEST, sample: GIB / 2 })
const ALLOWED_MIB = 150

const BOUNDARY = 'archivolt-large'
const BLOB = 'path/large/@blob/file:content'

const servers = await openOwnServers()
let api: Server
let baselineMiB: number

const part = (name: string, type: string, fileName?: string): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${fileName ? `; filename="${fileName}"` : ''}\r\n` +
  `Content-Type: ${type}\r\n\r\n`

/** A multipart body as it is sent: text parts, the file, the end. */
const multipartOf = (file: GeneratedFile, first = ''): { length: number; chunks: Iterable<Buffer> } => {
  const head = Buffer.from(`${first}${part('content', 'application/octet-stream', 'large.bin')}`)
  const tail = Buffer.from(`\r\n--${BOUNDARY}--\r\n`)
  const chunks = function* (): Generator<Buffer> {
    yield head
    yield* file.chunks()
    yield tail
  }
  return { length: head.length + file.length + tail.length, chunks: chunks() }
}

type Call = RequestOptions & { body?: { length: number; chunks: Iterable<Buffer> } }

/** A call whose body and answer are streams. */
const open = (path: string, { body, headers, ...options }: Call = {}): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const sent = request(`${servers.apiUrl}/api/v1/${path}`, {
      ...options,
      agent: false,
      headers: {
        authorization: AUTHORIZATION,
        ...(body && {
          'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`,
          'Content-Length': body.length,
        }),
        ...headers,
      },
    })
    sent.once('error', reject).once('response', resolve)
    if (!body) return sent.end()
    pipeline(Readable.from(body.chunks), sent).catch(reject)
  })

type Received = { status: number; length: number; md5: string }

const receive = async (response: IncomingMessage): Promise<Received> => {
  const hash = createHash('md5')
  let length = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    hash.update(chunk)
    length += chunk.byteLength
  }
  return { status: response.statusCode ?? 0, length, md5: hash.digest('hex') }
}

/** Files below the folder of blobs that the API has open. */
const openBlobs = (): string[] =>
  readdirSync(`/proc/${api.pid}/fd`).flatMap((descriptor) => {
    try {
      const target = readlinkSync(`/proc/${api.pid}/fd/${descriptor}`)
      return target.startsWith(`${servers.folder}/blobs/`) ? [target] : []
    } catch {
      // Closed since it was listed.
      return []
    }
  })

const expectFlat = (peakMiB: number): void => {
  expect(peakMiB - baselineMiB).toBeLessThan(ALLOWED_MIB)
}

/** What a document says of its file. */
const storedFile = async (name: string): Promise<unknown> => {
  const document = (await json(await open(`path/${name}`, { headers: { properties: '*' } }))) as {
    properties: Record<string, unknown>
  }
  return document.properties['file:content']
}

const create = async (name: string): Promise<void> => {
  await servers.call('path/', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ 'entity-type': 'document', type: 'File', name }),
    expected: 201,
  })
}

beforeAll(async () => {
  api = await servers.startApi()
  for (const name of ['large', 'attached']) await create(name)
  const small = generateFile(MIB)
  await receive(await open(BLOB, { method: 'PUT', body: multipartOf(small) }))
  await receive(await open(BLOB))
  baselineMiB = residentMiB(api.pid)
})
afterEach(async () => {
  await expect.poll(openBlobs).toEqual([])
})

describe(`memory stays flat on a file of ${SIZE / GIB} GiB`, () => {
  const file = generateFile(SIZE)
  const md5 = file.md5()
  const whole = { status: 200, length: SIZE, md5 }

  test('that is put at a property', async () => {
    const { result, peakMiB } = await peakDuring(api.pid, async () =>
      receive(await open(BLOB, { method: 'PUT', body: multipartOf(file) })),
    )
    expect(result.status).toBe(200)
    expectFlat(peakMiB)
    expect(await storedFile('large')).toMatchObject({ name: 'large.bin', length: String(SIZE), digest: md5 })
  })

  test('that is downloaded whole', async () => {
    const { result, peakMiB } = await peakDuring(api.pid, async () => receive(await open(BLOB)))
    expect(result).toEqual(whole)
    expectFlat(peakMiB)
  })

  test('that a client takes slowly, then not at all', async () => {
    const first = 32 * MIB
    const { result, peakMiB } = await peakDuring(api.pid, async () => {
      const response = await open(BLOB)
      const hash = createHash('md5')
      let left = first
      for await (const chunk of response as AsyncIterable<Buffer>) {
        hash.update(chunk.subarray(0, left))
        left -= chunk.byteLength
        if (left <= 0) break
        await sleep(5)
      }
      return hash.digest('hex')
    })
    expect(result).toBe(file.md5(first))
    expectFlat(peakMiB)
  })

  test('of which the last half is downloaded', async () => {
    const start = SIZE / 2 + 1
    const { result, peakMiB } = await peakDuring(api.pid, async () =>
      receive(await open(BLOB, { headers: { Range: `bytes=${start}-` } })),
    )
    const expected = createHash('md5')
    let position = 0
    for (const chunk of file.chunks()) {
      if (position + chunk.byteLength > start) expected.update(chunk.subarray(Math.max(0, start - position)))
      position += chunk.byteLength
    }
    expect(result).toEqual({ status: 206, length: SIZE - start, md5: expected.digest('hex') })
    expectFlat(peakMiB)
  })

  test('that an operation takes as its input and gives back', async () => {
    const other = generateFile(SIZE)
    const call = JSON.stringify({ params: { document: '/attached' }, context: {} })
    const body = multipartOf(other, `${part('request', 'application/json')}${call}\r\n`)
    const { result, peakMiB } = await peakDuring(api.pid, async () =>
      receive(await open('automation/Blob.AttachOnDocument', { method: 'POST', body })),
    )
    expect(result).toEqual({ ...whole, md5: other.md5() })
    expectFlat(peakMiB)
    expect(await storedFile('attached')).toMatchObject({ digest: result.md5 })
  })
})

import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Hono } from 'hono'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendBlob } from '../../api/download/index.js'
import type { Environment } from '../../api/edge/index.js'
import { type ApiServer, startServer } from '../../api/server.js'
import { principalOf } from '../../core/access/security/index.js'
import type { BlobStore, FileStream } from '../../core/files/blobs/index.js'
import { createFileBlobStore } from '../../storage/blobs/filesystem/index.js'

/** Files that are sent by the server itself, as they are read, in buffers that are used again. */

const folder = mkdtempSync(join(tmpdir(), 'archivolt-direct-'))
const store = createFileBlobStore({ folder })
const contents = Array.from({ length: 6 }, (_, index) => randomBytes(5 * 1024 * 1024 + index))
const opened: FileStream[] = []
let intoBuffers = 0

/** Counts what is read into buffers of the server. */
const blobs: BlobStore = {
  ...store,
  open: async (ref, range) => {
    const stream = (await store.open(ref, range)) as FileStream
    const { readInto } = stream
    opened.push(stream)
    return Object.assign(stream, {
      readInto: (buffer: Uint8Array) => {
        intoBuffers++
        return readInto(buffer)
      },
    })
  },
}

let server: ApiServer
const addressOf = (path: string) => `http://127.0.0.1:${server.port}/${path}`

beforeAll(async () => {
  const stored = await Promise.all(contents.map((content) => store.write(content)))
  const app = new Hono<Environment>()
  app.use('*', async (c, next) => {
    c.set('principal', principalOf('ann', [], false))
    await next()
    c.header('X-Added', 'afterwards')
  })
  app.use('/replaced/*', async (c, next) => {
    await next()
    await c.res.body?.cancel()
    // Hono keeps the headers of an answer that is replaced by another.
    c.res = undefined
    c.res = new Response('something else')
  })
  for (const place of ['', '/replaced'])
    app.get(`${place}/:index`, (c) => {
      const { key: _, ...blob } = stored[Number(c.req.param('index'))]!
      const [key, name] = [stored[Number(c.req.param('index'))]!.key, 'content.bin']
      const value = {
        ...blob,
        key,
        name,
        'mime-type': 'application/octet-stream',
        encoding: null,
        data: null,
      }
      return sendBlob(c, { blobs, blob: value as never })
    })
  server = await startServer(app, { host: '127.0.0.1', port: 0 })
})

afterAll(async () => {
  await server.stop(1_000)
  rmSync(folder, { recursive: true, force: true })
})

const fetched = async (path: string, headers: { [name: string]: string } = {}) => {
  const response = await fetch(addressOf(path), { headers })
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}

test('several files at once come whole, in buffers of the server, with the headers that are added afterwards', async () => {
  intoBuffers = 0
  const answers = await Promise.all(contents.map((_, index) => fetched(String(index))))
  for (const [index, { response, bytes }] of answers.entries()) {
    expect(bytes.equals(contents[index]!)).toBe(true)
    expect(response.headers.get('x-added')).toBe('afterwards')
    expect(response.headers.get('content-length')).toBe(String(contents[index]!.length))
  }
  expect(intoBuffers).toBeGreaterThanOrEqual(6 * 5)
})

test('a range comes as asked for', async () => {
  const { response, bytes } = await fetched('0', { Range: 'bytes=1000-3000000' })
  expect(response.status).toBe(206)
  expect(bytes.equals(contents[0]!.subarray(1000, 3_000_001))).toBe(true)
})

test('what takes the place of the file is sent instead', async () => {
  intoBuffers = 0
  const { response, bytes } = await fetched('replaced/0')
  expect([bytes.toString(), response.headers.get('x-added')]).toEqual(['something else', 'afterwards'])
  expect(intoBuffers).toBe(0)
})

test('a client that reads slowly gets the same, one that leaves closes the file', async () => {
  const slow = await new Promise<Buffer>((resolve, reject) => {
    get(addressOf('1'), async (response) => {
      const parts: Buffer[] = []
      for await (const part of response) {
        parts.push(part as Buffer)
        await pause(2)
      }
      resolve(Buffer.concat(parts))
    }).once('error', reject)
  })
  expect(slow.equals(contents[1]!)).toBe(true)
  await new Promise<void>((resolve) => {
    const request = get(addressOf('2'), (response) => {
      response.once('data', () => {
        request.destroy()
        resolve()
      })
      response.on('error', () => undefined)
    })
  })
  await expect.poll(() => opened.every(({ closed }) => closed)).toBe(true)
  expect((await fetched('3')).bytes.equals(contents[3]!)).toBe(true)
})

test('a file that is cut while it is sent breaks the connection', async () => {
  const stored = await store.stat(await store.write(contents[4]!))
  const path = join(folder, 'data', stored!.key.slice(0, 2), stored!.key.slice(2, 4), stored!.key)
  const ended = new Promise<string>((resolve) => {
    get(addressOf('4'), (response) => {
      response.pause()
      truncateSync(path, 2 * 1024 * 1024)
      response.on('error', (error) => resolve(error.message))
      response.on('end', () => resolve('whole'))
      response.resume()
    })
  })
  expect(await ended).toBe('aborted')
  writeFileSync(path, contents[4]!)
})

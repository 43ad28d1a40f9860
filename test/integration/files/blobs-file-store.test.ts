import { mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BlobStore } from '../../../core/files/blobs/index.js'
import { createFileBlobStore } from '../../../storage/blobs/filesystem/index.js'
import { describeBlobStore } from '../../../storage/contract/blobs.js'

let folder: string
let store: BlobStore

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archivolt-blobs-'))
  store = createFileBlobStore({ folder })
})

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

describeBlobStore('file', () => store)

const pathOf = (digest: string) => join(folder, 'data', digest.slice(0, 2), digest.slice(2, 4), digest)

test('lays files out as data/ab/cd/abcd… and empties tmp', async () => {
  const { digest } = await store.write(Buffer.from('layout'))
  expect((await stat(pathOf(digest))).size).toBe(6)
  expect(await readdir(join(folder, 'tmp'))).toEqual([])
})

test('writing bytes again renews the date that the garbage collector looks at', async () => {
  const { digest } = await store.write(Buffer.from('renewed'))
  await utimes(pathOf(digest), 1, 1)
  await store.write(Buffer.from('renewed'))
  expect((await stat(pathOf(digest))).mtimeMs).toBeGreaterThan(Date.now() - 60_000)
})

test('another algorithm is for new blobs; old ones stay readable', async () => {
  const { digest } = await store.write(Buffer.from('two algorithms'))
  const modern = createFileBlobStore({ folder, digestAlgorithm: 'SHA-256' })
  const written = await modern.write(Buffer.from('two algorithms'))
  expect([written.digestAlgorithm, written.digest.length]).toEqual(['SHA-256', 64])
  expect(await modern.stat(digest)).toEqual({ digest, digestAlgorithm: 'MD5', length: 14 })
})

test('memory stays flat while a large blob passes', async () => {
  const chunk = Buffer.alloc(1024 * 1024, 7)
  const chunks = 512
  const source = async function* () {
    for (let index = 0; index < chunks; index++) yield chunk
  }
  const before = process.memoryUsage().rss
  let peak = before
  const sampler = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }, 5)
  const { digest, length } = await store.write(source())
  let read = 0
  for await (const part of await store.open(digest)) read += (part as Buffer).length
  clearInterval(sampler)
  expect([length, read]).toEqual([chunks * chunk.length, chunks * chunk.length])
  expect(peak - before).toBeLessThan((chunks / 2) * chunk.length)
})

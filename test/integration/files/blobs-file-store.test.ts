import { createHash } from 'node:crypto'
import { appendFile, mkdir, mkdtemp, readdir, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BlobStore } from '../../../core/files/blobs/index.js'
import { createFileBlobStore } from '../../../storage/blobs/filesystem/index.js'
import { describeBlobStore } from '../../../storage/contract/blobs.js'
import { MD5_COLLISION } from '../../../storage/contract/md5-collision.js'

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

const pathOf = (key: string) => join(folder, 'data', key.slice(0, 2), key.slice(2, 4), key)

test('lays files out as data/ab/cd/abcd… and empties tmp', async () => {
  const { key } = await store.write(Buffer.from('layout'))
  expect((await stat(pathOf(key))).size).toBe(6)
  expect(await readdir(join(folder, 'tmp'))).toEqual([])
})

test('writing bytes again leaves the file that has them', async () => {
  const { key } = await store.write(Buffer.from('kept'))
  const { ino } = await stat(pathOf(key))
  await store.write(Buffer.from('kept'))
  expect((await stat(pathOf(key))).ino).toBe(ino)
})

test('bytes that a disk has lost or changed are repaired by whoever writes them again', async () => {
  const { key } = await store.write(Buffer.from('whole'))
  for (const damaged of ['wh', 'whale']) {
    await writeFile(pathOf(key), damaged)
    const blob = await store.write(Buffer.from('whole'))
    expect(await text(await store.open(blob))).toBe('whole')
  }
})

test.each([
  ['fewer', (path: string) => truncate(path, 3)],
  ['more', (path: string) => appendFile(path, 'x')],
])('a file that has %s bytes than were written becomes no blob', async (_, damage) => {
  const content = Buffer.from('bytes that a disk does not keep')
  const tmp = join(folder, 'tmp')
  // Called when all is written, and before it becomes a blob.
  const confirm = async () => {
    for (const name of await readdir(tmp)) await damage(join(tmp, name))
  }
  await expect(
    store.write(content, { accounting: { receive: () => undefined, confirm } }),
  ).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('did not keep all bytes') })
  const key = createHash('sha256').update(content).digest('hex')
  await expect(stat(pathOf(key))).rejects.toThrow('ENOENT')
  expect(await readdir(tmp)).toEqual([])
  // It may be written again, to a disk that keeps it.
  const blob = await store.write(content)
  expect(blob.key).toBe(key)
  expect(await buffer(await store.open(blob))).toEqual(content)
  await store.delete(key)
})

test('what release 0.1.0 stored under its MD5 is read, and stays as it is when other bytes of that MD5 come', async () => {
  const [old, other] = MD5_COLLISION
  const digest = createHash('md5').update(old).digest('hex')
  await mkdir(dirname(pathOf(digest)), { recursive: true })
  await writeFile(pathOf(digest), old)
  const blob = await store.write(other)
  expect(blob.digest).toBe(digest)
  expect(await buffer(await store.open({ digest }))).toEqual(old)
  expect(await buffer(await store.open(blob))).toEqual(other)
})

test('what unfinished writes have left is removed when it is old enough', async () => {
  const left = join(folder, 'tmp', 'left')
  await writeFile(left, 'half')
  expect(await store.removeUnfinished(60_000)).toBe(0)
  await utimes(left, 1, 1)
  expect(await store.removeUnfinished(60_000)).toBe(1)
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
  const stored = await store.write(source())
  let read = 0
  for await (const part of await store.open(stored)) read += (part as Buffer).length
  clearInterval(sampler)
  expect([stored.length, read]).toEqual([chunks * chunk.length, chunks * chunk.length])
  expect(peak - before).toBeLessThan((chunks / 2) * chunk.length)
})

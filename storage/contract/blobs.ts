import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import type { BlobStore } from '../../core/files/blobs/index.js'

const hello = Buffer.from('hello world')
const helloDigest = '5eb63bbbe01eeed093cb22bb8f5acdc3'
const nowhere = 'f'.repeat(32)
const malformed = [
  '',
  '..',
  '../../../etc/passwd',
  helloDigest.toUpperCase(),
  `${helloDigest}/`,
  `${helloDigest}\0`,
]

/** What every blob store must do. `getStore` gives an empty or shared store whose algorithm is MD5. */
export const describeBlobStore = (name: string, getStore: () => BlobStore): void => {
  describe(`blob store contract: ${name}`, () => {
    test('says that it can be used, and keeps nothing of it', async () => {
      await expect(getStore().check()).resolves.toBeUndefined()
    })

    test('reads back what was written, whole and in part', async () => {
      const store = getStore()
      const stored = await store.write(hello)
      expect(stored).toEqual({ digest: helloDigest, digestAlgorithm: 'MD5', length: 11 })
      expect(await buffer(await store.open(helloDigest))).toEqual(hello)
      expect((await buffer(await store.open(helloDigest, { start: 6, end: 10 }))).toString()).toBe('world')
      expect((await buffer(await store.open(helloDigest, { start: 0, end: 0 }))).toString()).toBe('h')
      expect(await store.stat(helloDigest)).toEqual(stored)
      expect(await store.has(helloDigest)).toBe(true)
    })

    test('takes a stream and gives a file', async () => {
      const store = getStore()
      const bytes = randomBytes(3_000_001)
      const chunks = [bytes.subarray(0, 1), bytes.subarray(1, 2_000_000), bytes.subarray(2_000_000)]
      const { digest, length } = await store.write(Readable.from(chunks))
      expect([digest, length]).toEqual([createHash('md5').update(bytes).digest('hex'), bytes.length])
      expect((await store.withFile(digest, (path) => readFile(path))).equals(bytes)).toBe(true)
    })

    test('keeps an empty blob', async () => {
      const store = getStore()
      const { digest, length } = await store.write(new Uint8Array())
      expect(length).toBe(0)
      expect((await buffer(await store.open(digest))).length).toBe(0)
    })

    test('the same bytes written at once by several writers are one blob', async () => {
      const store = getStore()
      const bytes = randomBytes(100_000)
      const written = await Promise.all(Array.from({ length: 8 }, () => store.write(Readable.from([bytes]))))
      expect(new Set(written.map((blob) => blob.digest)).size).toBe(1)
      expect((await buffer(await store.open(written[0]!.digest))).equals(bytes)).toBe(true)
    })

    test('a range outside the blob is refused', async () => {
      const store = getStore()
      await store.write(hello)
      for (const range of [
        { start: 0, end: 11 },
        { start: 5, end: 4 },
        { start: -1, end: 4 },
      ])
        await expect(store.open(helloDigest, range)).rejects.toMatchObject({ code: 'badRequest' })
    })

    test('a source that fails, is too long or is aborted leaves nothing behind', async () => {
      const store = getStore()
      const bytes = randomBytes(1000)
      const digest = createHash('md5').update(bytes).digest('hex')
      const broken = async function* () {
        yield bytes
        throw new Error('connection lost')
      }
      await expect(store.write(broken())).rejects.toThrow('connection lost')
      await expect(store.write(bytes, { maxLength: 999 })).rejects.toMatchObject({ code: 'tooLarge' })
      await expect(store.write(bytes, { signal: AbortSignal.abort() })).rejects.toThrow(/abort/i)
      expect(await store.has(digest)).toBe(false)
    })

    test('an abort frees a writer whose source has stalled', async () => {
      const stalled = new Readable({ read() {} })
      const writing = getStore().write(stalled, { signal: AbortSignal.timeout(50) })
      await expect(writing).rejects.toThrow(/abort/i)
      stalled.destroy()
    })

    test('an unknown or malformed digest is not found', async () => {
      const store = getStore()
      for (const digest of [nowhere, ...malformed]) {
        expect([await store.has(digest), await store.stat(digest)]).toEqual([false, null])
        await expect(store.open(digest)).rejects.toMatchObject({ code: 'notFound' })
        await expect(store.withFile(digest, async () => 'used')).rejects.toMatchObject({ code: 'notFound' })
        expect(await store.delete(digest)).toBe(false)
      }
    })

    test('a deleted blob is gone, can be written again, and its open readers finish', async () => {
      const store = getStore()
      const bytes = randomBytes(200_000)
      const { digest } = await store.write(bytes)
      const reader = await store.open(digest)
      expect(await store.delete(digest)).toBe(true)
      expect(await store.has(digest)).toBe(false)
      expect((await buffer(reader)).equals(bytes)).toBe(true)
      await store.write(bytes)
      expect(await store.has(digest)).toBe(true)
    })
  })
}

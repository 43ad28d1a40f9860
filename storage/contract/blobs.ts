import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import type { BlobStat, BlobStore } from '../../core/files/blobs/index.js'
import { MD5_COLLISION } from './md5-collision.js'

const hello = Buffer.from('hello world')
const helloKey = 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9'
const helloBlob = { key: helloKey, digest: '5eb63bbbe01eeed093cb22bb8f5acdc3' }
const nowhere = 'f'.repeat(64)
const malformed = ['', '..', '../../../etc/passwd', helloKey.toUpperCase(), `${helloKey}/`, `${helloKey}\0`]

/**
 * What every blob store must do.
 *
 * @param getStore gives an empty or shared store.
 * @param options.isCut connections to the store end at random.
 */
export const describeBlobStore = (
  name: string,
  getStore: () => BlobStore,
  { isCut = false }: { isCut?: boolean } = {},
): void => {
  describe(`blob store contract: ${name}`, () => {
    test('says that it can be used, and keeps nothing of it', async () => {
      await expect(getStore().check()).resolves.toBeUndefined()
    })

    test('reads back what was written, whole and in part', async () => {
      const store = getStore()
      const stored = await store.write(hello)
      expect(stored).toEqual({ ...helloBlob, digestAlgorithm: 'MD5', length: 11 })
      expect(await buffer(await store.open(helloBlob))).toEqual(hello)
      expect((await buffer(await store.open(helloBlob, { start: 6, end: 10 }))).toString()).toBe('world')
      expect((await buffer(await store.open(helloBlob, { start: 0, end: 0 }))).toString()).toBe('h')
      expect(await store.stat(stored)).toEqual({ key: helloKey, length: 11 })
      expect(await store.has(stored)).toBe(true)
    })

    test('takes a stream and gives a file', async () => {
      const store = getStore()
      const bytes = randomBytes(3_000_001)
      const chunks = [bytes.subarray(0, 1), bytes.subarray(1, 2_000_000), bytes.subarray(2_000_000)]
      const stored = await store.write(Readable.from(chunks))
      const hashes = ['sha256', 'md5'].map((name) => createHash(name).update(bytes).digest('hex'))
      expect([stored.key, stored.digest, stored.length]).toEqual([...hashes, bytes.length])
      expect((await store.withFile(stored, (path) => readFile(path))).equals(bytes)).toBe(true)
    })

    test('keeps an empty blob', async () => {
      const store = getStore()
      const stored = await store.write(new Uint8Array())
      expect(stored.length).toBe(0)
      expect((await buffer(await store.open(stored))).length).toBe(0)
    })

    test('the same bytes written at once by several writers are one blob', async () => {
      const store = getStore()
      const bytes = randomBytes(100_000)
      const written = await Promise.all(Array.from({ length: 8 }, () => store.write(Readable.from([bytes]))))
      expect(new Set(written.map((blob) => blob.key)).size).toBe(1)
      expect((await buffer(await store.open(written[0]!))).equals(bytes)).toBe(true)
    })

    test('a range outside the blob is refused', async () => {
      const store = getStore()
      await store.write(hello)
      for (const range of [
        { start: 0, end: 11 },
        { start: 5, end: 4 },
        { start: -1, end: 4 },
      ])
        await expect(store.open(helloBlob, range)).rejects.toMatchObject({ code: 'badRequest' })
    })

    test('a source that fails, is too long or is aborted leaves nothing behind', async () => {
      const store = getStore()
      const bytes = randomBytes(1000)
      const key = createHash('sha256').update(bytes).digest('hex')
      const broken = async function* () {
        yield bytes
        throw new Error('connection lost')
      }
      await expect(store.write(broken())).rejects.toThrow('connection lost')
      await expect(store.write(bytes, { maxLength: 999 })).rejects.toMatchObject({ code: 'tooLarge' })
      await expect(store.write(bytes, { signal: AbortSignal.abort() })).rejects.toThrow(/abort/i)
      const refused = (bytesOf: string) => {
        throw new Error(`no room for ${bytesOf}`)
      }
      const receive = () => refused('parts')
      const confirm = async ({ length }: { length: number }) => refused(String(length))
      await expect(store.write(bytes, { accounting: { receive, confirm } })).rejects.toThrow(
        'no room for parts',
      )
      const late = { receive: () => undefined, confirm }
      await expect(store.write(bytes, { accounting: late })).rejects.toThrow('no room for 1000')
      expect(await store.has({ key, digest: key })).toBe(false)
      expect(await store.removeUnfinished(0)).toBe(0)
    })

    test('an abort frees a writer whose source has stalled', async () => {
      const stalled = new Readable({ read() {} })
      const writing = getStore().write(stalled, { signal: AbortSignal.timeout(50) })
      await expect(writing).rejects.toThrow(/abort/i)
      stalled.destroy()
    })

    test('an unknown or malformed key is not found', async () => {
      const store = getStore()
      for (const key of [nowhere, ...malformed]) {
        const blob = { key, digest: helloBlob.digest }
        expect([await store.has(blob), await store.stat(blob)]).toEqual([false, null])
        await expect(store.open(blob)).rejects.toMatchObject({ code: 'notFound' })
        await expect(store.withFile(blob, async () => 'used')).rejects.toMatchObject({ code: 'notFound' })
        expect(await store.delete(key)).toBe(false)
      }
    })

    test('a deleted blob is gone, can be written again, and its open readers finish', async () => {
      const store = getStore()
      const bytes = randomBytes(200_000)
      const blob = await store.write(bytes)
      const reader = await store.open(blob)
      expect(await store.delete(blob.key)).toBe(true)
      expect(await store.has(blob)).toBe(false)
      // A connection that is cut has nothing left to go on with, and its reader learns that.
      if (isCut)
        await buffer(reader).then(
          (read) => expect(read.equals(bytes)).toBe(true),
          (error) => expect(error).toMatchObject({ code: 'notFound' }),
        )
      else expect((await buffer(reader)).equals(bytes)).toBe(true)
      await store.write(bytes)
      expect(await store.has(blob)).toBe(true)
    })

    test('two files of the same MD5 are two blobs, each with its own bytes', async () => {
      const store = getStore()
      const blobs = await Promise.all(MD5_COLLISION.map((bytes) => store.write(bytes)))
      expect(new Set(blobs.map(({ digest }) => digest)).size).toBe(1)
      for (const [at, blob] of blobs.entries())
        expect(await buffer(await store.open(blob))).toEqual(MD5_COLLISION[at])
    })

    test('lists every blob once', async () => {
      const store = getStore()
      const { key, length } = await store.write(randomBytes(10))
      await store.write(randomBytes(20))
      const listed: BlobStat[] = []
      for await (const blob of store.list()) listed.push(blob)
      expect(listed).toContainEqual({ key, length })
      expect(new Set(listed.map((blob) => blob.key)).size).toBe(listed.length)
    })
  })
}

import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, describe, expect, test } from 'vitest'
import type { BlobStore } from '../../core/files/blobs/index.js'
import { createS3BlobStore } from '../../storage/blobs/s3/index.js'
import { describeBlobStore } from '../../storage/contract/blobs.js'
import { startCuttingProxy } from './cutting-proxy.js'
import { testSeed } from './random.js'
import { S3_BUCKET, S3_CREDENTIALS } from './real-s3.js'
import { sized } from './size.js'

/**
 * What a store must do while the connections to its server are cut.
 *
 * @param name of the server.
 * @param options.folder of what is being written.
 * @param options.unfinished how many uploads of several parts the server has, of names that begin with a prefix.
 */
export const describeCutConnections = async (
  name: string,
  {
    endpoint,
    folder,
    unfinished,
  }: { endpoint: string; folder: string; unfinished(prefix: string): number | Promise<number> },
): Promise<void> => {
  const spool = join(folder, randomUUID())
  const proxy = await startCuttingProxy(endpoint, testSeed())
  afterAll(proxy.close)
  const open = (prefix = `${randomUUID()}/`): BlobStore =>
    createS3BlobStore({
      ...{ folder: spool, endpoint: proxy.url, bucket: S3_BUCKET, region: 'us-east-1' },
      credentials: S3_CREDENTIALS,
      ...{ prefix, presignedSeconds: 0 },
    })
  const shared = open()
  describeBlobStore(`s3 over cut connections, ${name}`, () => shared, { isCut: true })

  describe(`over connections that are cut, to ${name}`, () => {
    test('files of many parts are kept once and whole, and read whole', async () => {
      const prefix = `${randomUUID()}/`
      const store = open(prefix)
      const keys: string[] = []
      for (let file = 0; file < sized({ full: 10, sample: 3 }); file++) {
        const bytes = randomBytes(20_000_000 + file)
        const blob = await store.write(bytes)
        expect(blob.key).toBe(createHash('sha256').update(bytes).digest('hex'))
        // The same bytes again are the same file.
        expect((await store.write(bytes)).key).toBe(blob.key)
        keys.push(blob.key)
        expect((await buffer(await store.open(blob))).equals(bytes)).toBe(true)
        const part = await buffer(await store.open(blob, { start: 5_000_000, end: 14_999_999 }))
        expect(part.equals(bytes.subarray(5_000_000, 15_000_000))).toBe(true)
        expect(await store.withFile(blob, async (path) => path)).toContain(spool)
      }
      const listed: string[] = []
      for await (const { key } of store.list()) listed.push(key)
      expect(listed.sort()).toEqual(keys.sort())
      expect(await readdir(spool)).toEqual([])
      await store.removeUnfinished(0)
      expect(await unfinished(prefix)).toBe(0)
      expect([...proxy.cuts.keys()].sort()).toEqual(['before', 'beforeAnswer', 'inAnswer', 'inRequest'])
    })

    test('what is aborted ends its connection', async () => {
      const store = open()
      const blob = await store.write(randomBytes(3_000_000))
      const reading = await store.open(blob)
      reading.destroy()
      await expect(buffer(reading)).rejects.toThrow()
      expect((await buffer(await store.open(blob))).length).toBe(3_000_000)
    })
  })
}

import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, describe, expect, test } from 'vitest'
import type { BlobStore } from '../../../core/files/blobs/index.js'
import { createS3BlobStore } from '../../../storage/blobs/s3/index.js'
import { describeBlobStore } from '../../../storage/contract/blobs.js'
import { startCuttingProxy } from '../../support/cutting-proxy.js'
import { testSeed } from '../../support/random.js'
import { realS3Endpoint, S3_BUCKET, S3_CREDENTIALS } from '../../support/real-s3.js'
import { startS3Server } from '../../support/s3-server.js'
import { sized } from '../../support/size.js'

const fixture = await startS3Server()
const folder = await mkdtemp(join(tmpdir(), 'archivolt-s3-cuts-'))
afterAll(async () => {
  await fixture.close()
  await rm(folder, { recursive: true, force: true })
})

const SERVERS = { 'the fixture': fixture.endpoint, 'a real server': await realS3Endpoint() }

for (const [name, endpoint] of Object.entries(SERVERS)) {
  if (endpoint === undefined) continue
  const spool = join(folder, randomUUID())
  const proxy = await startCuttingProxy(endpoint, testSeed())
  afterAll(proxy.close)
  const open = (): BlobStore =>
    createS3BlobStore({
      ...{ folder: spool, endpoint: proxy.url, bucket: S3_BUCKET, region: 'us-east-1' },
      credentials: S3_CREDENTIALS,
      ...{ prefix: `${randomUUID()}/`, presignedSeconds: 0 },
    })
  const shared = open()
  describeBlobStore(`s3 over cut connections, ${name}`, () => shared)

  describe(`over connections that are cut, to ${name}`, () => {
    test('files of many parts are kept once and whole, and read whole', async () => {
      const store = open()
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
      if (endpoint === fixture.endpoint) expect(fixture.uploads.size).toBe(0)
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

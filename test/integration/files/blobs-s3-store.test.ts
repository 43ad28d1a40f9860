import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, describe, expect, test } from 'vitest'
import type { BlobStore } from '../../../core/files/blobs/index.js'
import { createS3BlobStore } from '../../../storage/blobs/s3/index.js'
import { describeBlobStore } from '../../../storage/contract/blobs.js'
import { startS3Server } from '../../support/s3-server.js'

const server = await startS3Server()
const folder = await mkdtemp(join(tmpdir(), 'archivolt-s3-'))

afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

/** A real server, such as MinIO, whose user and password are those of its examples. */
const REAL = process.env.ARCHIVOLT_TEST_S3_ENDPOINT

const storeAt = (endpoint: string, more: Partial<Parameters<typeof createS3BlobStore>[0]> = {}): BlobStore =>
  createS3BlobStore({
    ...{ folder, endpoint, bucket: 'archivolt-test', region: 'us-east-1', prefix: `${randomUUID()}/` },
    credentials: { accessKeyId: 'minioadmin', secretAccessKey: 'minioadmin' },
    presignedSeconds: 0,
    ...more,
  })

const shared = storeAt(server.endpoint)
describeBlobStore('s3', () => shared)

describe.runIf(REAL)('a real server', async () => {
  const endpoint = REAL ?? ''
  if (REAL)
    await new S3Client({
      ...{ endpoint, region: 'us-east-1', forcePathStyle: true },
      credentials: { accessKeyId: 'minioadmin', secretAccessKey: 'minioadmin' },
    })
      .send(new CreateBucketCommand({ Bucket: 'archivolt-test' }))
      .catch((error: Error) => {
        if (!error.name.startsWith('BucketAlready')) throw error
      })
  const real = storeAt(endpoint)
  describeBlobStore('s3, real server', () => real)

  test('gives out an address by which a client reads the bytes with the headers that were asked for', async () => {
    await expectAddress(storeAt(endpoint, { presignedSeconds: 60 }), {
      'content-type': 'text/html',
      'content-disposition': 'attachment; filename="a b.html"',
    })
  })
})

const expectAddress = async (store: BlobStore, headers: Record<string, string>): Promise<void> => {
  const blob = await store.write(Buffer.from('signed'))
  const address = await store.addressOf!(blob, {
    contentType: 'text/html',
    contentDisposition: 'attachment; filename="a b.html"',
  })
  const response = await fetch(address!)
  expect([response.status, await response.text()]).toEqual([200, 'signed'])
  expect(Object.fromEntries(response.headers)).toMatchObject(headers)
}

test('gives out addresses where they are wanted alone', async () => {
  expect(shared.addressOf).toBeUndefined()
  await expectAddress(storeAt(server.endpoint, { presignedSeconds: 60 }), {})
})

test('a file of many parts goes through cut connections once and whole', async () => {
  const store = storeAt(server.endpoint)
  const bytes = randomBytes(20_000_000)
  const seen = new Set<string>()
  // The first try of everything fails.
  server.cut = ({ method, path }) => {
    const request = `${method} ${path.replace(/uploadId=[^&]*/, '')}`
    if (seen.has(request)) return false
    seen.add(request)
    return true
  }
  const blob = await store.write(bytes)
  expect(blob.key).toBe(createHash('sha256').update(bytes).digest('hex'))
  expect((await buffer(await store.open(blob))).equals(bytes)).toBe(true)
  server.cut = () => false
  const listed: string[] = []
  for await (const { key } of store.list()) listed.push(key)
  expect(listed).toEqual([blob.key])
})

test('a file that a server refuses leaves nothing, and can be written again', async () => {
  const store = storeAt(server.endpoint)
  const bytes = randomBytes(20_000_000)
  server.cut = ({ path }) => path.includes('partNumber=2')
  await expect(store.write(bytes)).rejects.toThrow()
  server.cut = () => false
  expect(await readdir(folder)).toEqual([])
  await store.removeUnfinished(0)
  expect(server.uploads.size).toBe(0)
  expect(await store.has(await store.write(bytes))).toBe(true)
})

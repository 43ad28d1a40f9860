import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { ListMultipartUploadsCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, describe, expect, test } from 'vitest'
import { createS3BlobStore } from '../../storage/blobs/s3/index.js'
import { describeBlobStore } from '../../storage/contract/blobs.js'
import { startMinio } from '../support/minio.js'
import { S3_BUCKET, S3_CREDENTIALS } from '../support/real-s3.js'
import { describeCutConnections } from '../support/s3-cuts.js'

const folder = await mkdtemp(join(tmpdir(), 'archivolt-minio-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const endpoint = await startMinio(folder)

if (endpoint === undefined) test.skip('the store of files on MinIO', () => undefined)
else {
  const open = (presignedSeconds = 0) =>
    createS3BlobStore({
      ...{ folder: join(folder, 'spool'), endpoint, bucket: S3_BUCKET, region: 'us-east-1' },
      ...{ prefix: `${randomUUID()}/`, credentials: S3_CREDENTIALS, presignedSeconds },
    })

  const shared = open()
  describeBlobStore('s3, MinIO', () => shared)

  const unfinished = async (): Promise<number> => {
    const client = new S3Client({
      ...{ endpoint, region: 'us-east-1', forcePathStyle: true },
      credentials: S3_CREDENTIALS,
    })
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: S3_BUCKET }))
    client.destroy()
    return Uploads.length
  }
  await describeCutConnections('MinIO', { endpoint, folder, unfinished })

  describe('MinIO', () => {
    test('gives out an address by which a client reads the bytes with the headers that were asked for', async () => {
      const store = open(60)
      const headers = { contentType: 'text/html', contentDisposition: 'attachment; filename="a b.html"' }
      const address = await store.addressOf!(await store.write(Buffer.from('signed')), headers)
      const response = await fetch(address!)
      expect([response.status, await response.text()]).toEqual([200, 'signed'])
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': headers.contentType,
        'content-disposition': headers.contentDisposition,
      })
    })

    test('keeps a file of many parts once and whole', async () => {
      const store = open()
      const bytes = randomBytes(50_000_000)
      const blob = await store.write(bytes)
      expect(blob.key).toBe(createHash('sha256').update(bytes).digest('hex'))
      expect((await buffer(await store.open(blob))).equals(bytes)).toBe(true)
    })
  })
}

import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { CreateMultipartUploadCommand, ListMultipartUploadsCommand } from '@aws-sdk/client-s3'
import { afterAll, describe, expect, test } from 'vitest'
import { createS3BlobStore } from '../../storage/blobs/s3/index.js'
import { describeBlobStore } from '../../storage/contract/blobs.js'
import { startMinio } from '../support/minio.js'
import { clientOf, S3_BUCKET, S3_CREDENTIALS } from '../support/real-s3.js'
import { describeCutConnections } from '../support/s3-cuts.js'

const folder = await mkdtemp(join(tmpdir(), 'archivolt-minio-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const endpoint = await startMinio(folder)

if (endpoint === undefined) test.skip('the store of files on MinIO', () => undefined)
else {
  const open = ({ presignedSeconds = 0, prefix = `${randomUUID()}/` } = {}) =>
    createS3BlobStore({
      ...{ folder: join(folder, 'spool'), endpoint, bucket: S3_BUCKET, region: 'us-east-1' },
      ...{ prefix, credentials: S3_CREDENTIALS, presignedSeconds },
    })

  const shared = open()
  describeBlobStore('s3, MinIO', () => shared)

  const unfinished = async (prefix: string): Promise<number> => {
    const client = clientOf(endpoint)
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: S3_BUCKET }))
    client.destroy()
    return Uploads.filter(({ Key }) => Key?.startsWith(prefix)).length
  }
  await describeCutConnections('MinIO', { endpoint, folder, unfinished })

  describe('MinIO', () => {
    test('removes what uploads have left that were not finished, its own alone', async () => {
      const prefix = `${randomUUID()}/`
      const client = clientOf(endpoint)
      for (const Key of [`${prefix}data/aa/bb/aabb`, `${randomUUID()}/data/aa/bb/aabb`])
        await client.send(new CreateMultipartUploadCommand({ Bucket: S3_BUCKET, Key }))
      client.destroy()
      expect(await unfinished(prefix)).toBe(1)
      const before = await unfinished('')
      expect(await open({ prefix }).removeUnfinished(0)).toBe(1)
      expect([await unfinished(prefix), await unfinished('')]).toEqual([0, before - 1])
    })

    test('gives out an address by which a client reads the bytes with the headers that were asked for', async () => {
      const store = open({ presignedSeconds: 60 })
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

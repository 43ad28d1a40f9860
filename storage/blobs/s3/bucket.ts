import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { type BlobHeaders, type ByteRange, READ_BUFFER_BYTES } from '../../../core/files/blobs/index.js'
import type { S3Settings } from '../../../core/platform/settings/index.js'

/** Parts of a file that are sent at once, and what each holds: what an upload needs of memory. */
const PARTS = 2
const PART_BYTES = 8 * 1024 * 1024

const statusOf = (error: unknown): number | undefined =>
  error instanceof Error && '$metadata' in error
    ? (error.$metadata as { httpStatusCode?: number }).httpStatusCode
    : undefined

/** What a request gives; null for an object that does not exist. */
const orMissing = async <Result>(request: Promise<Result>): Promise<Result | null> => {
  try {
    return await request
  } catch (error) {
    if (statusOf(error) === 404) return null
    throw error
  }
}

export const isRangeRefused = (error: unknown): boolean => statusOf(error) === 416

/** The requests that the store needs, on one bucket. Names of objects are those behind the prefix. */
export const createBucket = ({ bucket, endpoint, region, credentials, prefix }: S3Settings) => {
  const client = new S3Client({
    region,
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    ...(credentials && { credentials }),
  })
  const object = (name: string) => ({ Bucket: bucket, Key: `${prefix}${name}` })

  return {
    put: (name: string, body: string) => client.send(new PutObjectCommand({ ...object(name), Body: body })),

    /** Whole or not at all: a large file in parts, which are joined when all have come. */
    putFile: async (name: string, path: string, signal: AbortSignal | undefined): Promise<void> => {
      const body = createReadStream(path, { highWaterMark: READ_BUFFER_BYTES })
      const upload = new Upload({
        client,
        params: { ...object(name), Body: body },
        queueSize: PARTS,
        partSize: PART_BYTES,
      })
      const abort = () => void upload.abort()
      signal?.addEventListener('abort', abort)
      try {
        await upload.done()
      } finally {
        signal?.removeEventListener('abort', abort)
        body.destroy()
      }
    },

    /** Bytes of an object; null when there is none. */
    length: async (name: string): Promise<number | null> => {
      const found = await orMissing(client.send(new HeadObjectCommand(object(name))))
      return found && (found.ContentLength ?? 0)
    },

    /** The bytes, and how many the whole object has; null when there is none. */
    get: async (name: string, range?: ByteRange): Promise<{ body: Readable; total: number } | null> => {
      const Range = range && `bytes=${range.start}-${range.end}`
      const found = await orMissing(
        client.send(new GetObjectCommand({ ...object(name), ...(Range && { Range }) })),
      )
      const body = found?.Body as Readable | undefined
      if (!found || !body) return null
      const total = Number(found.ContentRange?.split('/')[1] ?? found.ContentLength ?? 0)
      return { body, total }
    },

    remove: (name: string) => client.send(new DeleteObjectCommand(object(name))),

    async *list(folder: string): AsyncGenerator<{ name: string; length: number }> {
      for (let token: string | undefined; ; ) {
        const page = await client.send(
          new ListObjectsV2Command({
            Bucket: bucket,
            Prefix: `${prefix}${folder}`,
            ...(token !== undefined && { ContinuationToken: token }),
          }),
        )
        for (const { Key = '', Size = 0 } of page.Contents ?? [])
          yield { name: Key.slice(prefix.length), length: Size }
        token = page.NextContinuationToken
        if (token === undefined) return
      }
    },

    /** Ends uploads in parts that began before so long. @returns how many. */
    abortUploads: async (idleMs: number): Promise<number> => {
      let aborted = 0
      for (let marker = {}; ; ) {
        const page = await client.send(
          // Without a prefix: MinIO takes one for the whole name of an object.
          new ListMultipartUploadsCommand({ Bucket: bucket, ...marker }),
        )
        for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
          if (!Key?.startsWith(prefix)) continue
          if (!Initiated || Initiated.getTime() > Date.now() - idleMs) continue
          await orMissing(client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId })))
          aborted += 1
        }
        if (!page.IsTruncated) return aborted
        marker = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
      }
    },

    signedUrl: (name: string, { contentType, contentDisposition }: BlobHeaders, seconds: number) =>
      getSignedUrl(
        client,
        new GetObjectCommand({
          ...object(name),
          ResponseContentType: contentType,
          ResponseContentDisposition: contentDisposition,
        }),
        { expiresIn: seconds },
      ),
  }
}

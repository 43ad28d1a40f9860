import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'

/** The user and password of MinIO's examples. */
export const S3_CREDENTIALS = { accessKeyId: 'minioadmin', secretAccessKey: 'minioadmin' }
export const S3_BUCKET = 'archivolt-test'

export const clientOf = (endpoint: string): S3Client =>
  new S3Client({
    ...{ endpoint, region: 'us-east-1', forcePathStyle: true },
    credentials: S3_CREDENTIALS,
  })

/** Creates the bucket of the tests on a server, unless it is there. */
export const createBucket = async (endpoint: string): Promise<void> => {
  const client = clientOf(endpoint)
  await client.send(new CreateBucketCommand({ Bucket: S3_BUCKET })).catch((error: Error) => {
    if (!error.name.startsWith('BucketAlready')) throw error
  })
  client.destroy()
}

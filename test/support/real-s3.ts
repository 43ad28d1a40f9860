import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'

/** The user and password of MinIO's examples. */
export const S3_CREDENTIALS = { accessKeyId: 'minioadmin', secretAccessKey: 'minioadmin' }
export const S3_BUCKET = 'archivolt-test'

/** The address of a real server, such as MinIO, with the bucket of the tests; undefined where none is given. */
export const realS3Endpoint = async (): Promise<string | undefined> => {
  const endpoint = process.env.ARCHIVOLT_TEST_S3_ENDPOINT
  if (endpoint === undefined) return undefined
  const client = new S3Client({
    ...{ endpoint, region: 'us-east-1', forcePathStyle: true },
    credentials: S3_CREDENTIALS,
  })
  await client.send(new CreateBucketCommand({ Bucket: S3_BUCKET })).catch((error: Error) => {
    if (!error.name.startsWith('BucketAlready')) throw error
  })
  client.destroy()
  return endpoint
}

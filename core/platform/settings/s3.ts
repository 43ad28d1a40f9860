import { z } from 'zod'

export const s3Variables = {
  S3_BUCKET: z.string().min(3).max(63).optional(),
  S3_ENDPOINT: z.url().optional(),
  S3_REGION: z.string().min(1).default('us-east-1'),
  S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  S3_PREFIX: z
    .string()
    .regex(/^(?:[\w.-]+\/)*$/, "must be empty, or names of folders, each with '/' behind it")
    .default(''),
  S3_PRESIGNED_SECONDS: z.coerce.number().int().min(0).max(604_800).default(0),
}

export type S3Settings = {
  bucket: string
  /** Of a server that is not Amazon's; its buckets are parts of the path. */
  endpoint: string | undefined
  region: string
  /** Absent: as the environment of the process says, by the rules of the AWS SDK. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined
  /** What the keys of all objects begin with. */
  prefix: string
  /** How long the address is valid by which a client downloads from the bucket; 0: downloads pass the API. */
  presignedSeconds: number
}

type Variables = z.infer<z.ZodObject<typeof s3Variables>>

/** @returns undefined without a bucket: files are in the folder of the installation then. */
export const s3Settings = (value: Variables): S3Settings | undefined => {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = value
  if (bucket === undefined) return undefined
  return {
    bucket,
    endpoint: value.S3_ENDPOINT,
    region: value.S3_REGION,
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
    prefix: value.S3_PREFIX,
    presignedSeconds: value.S3_PRESIGNED_SECONDS,
  }
}

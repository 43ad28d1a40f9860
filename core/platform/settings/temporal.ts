import { readFileSync } from 'node:fs'
import { z } from 'zod'

export const DEFAULT_TASK_QUEUE = 'archivolt'

/** Keys are separated by commas: the first one is used, the others still read what they wrote. */
const keys = z
  .string()
  .transform((text) => text.split(',').map((key) => key.trim()))
  .refine((all) => all.every((key) => key.length >= 32), 'each key must have 32 characters or more')
  .optional()

/** Settings of the connection to Temporal, and of what is written into it. */
export const temporalVariables = {
  TEMPORAL_ADDRESS: z.string().min(1).default('127.0.0.1:7233'),
  TEMPORAL_NAMESPACE: z.string().min(1).default('default'),
  TEMPORAL_API_KEY: z.string().min(1).optional(),
  TEMPORAL_TLS: z.enum(['true', 'false']).optional(),
  TEMPORAL_TLS_CA: z.string().min(1).optional(),
  TEMPORAL_TLS_CERT: z.string().min(1).optional(),
  TEMPORAL_TLS_KEY: z.string().min(1).optional(),
  TEMPORAL_TLS_SERVER_NAME: z.string().min(1).optional(),
  ARCHIVOLT_TASK_QUEUE: z.string().min(1).default(DEFAULT_TASK_QUEUE),
  ARCHIVOLT_TEMPORAL_UI: z.url().optional(),
  ARCHIVOLT_TEMPORAL_KEY: keys,
  ARCHIVOLT_SIGNING_KEY: keys,
}

const variables = z.object(temporalVariables)

type Variables = z.infer<typeof variables>

/** TLS with the system's authorities, or with these; PEM texts. */
type TemporalTls = {
  ca: Buffer | undefined
  client: { cert: Buffer; key: Buffer } | undefined
  serverName: string | undefined
}

export type TemporalSettings = {
  address: string
  namespace: string
  taskQueue: string
  uiUrl: string | undefined
  /** Absent: without TLS. */
  tls: TemporalTls | undefined
  apiKey: string | undefined
  /** By which runs are signed; empty: by the key that the database keeps. */
  signingKeys: readonly string[]
  /** By which payloads are encrypted; empty: they are not. */
  encryptionKeys: readonly string[]
}

/** @throws Error naming the variable whose file cannot be read. */
const fileOf = (name: keyof Variables, file: string | undefined): Buffer | undefined => {
  if (file === undefined) return undefined
  try {
    return readFileSync(file)
  } catch (cause) {
    throw new Error(`${name}: the file cannot be read: ${(cause as Error).message}`, { cause })
  }
}

const tlsOf = (value: Variables): TemporalTls | undefined => {
  const { TEMPORAL_TLS_CERT: certFile, TEMPORAL_TLS_KEY: keyFile } = value
  const isNamed = [value.TEMPORAL_TLS_CA, certFile, keyFile, value.TEMPORAL_TLS_SERVER_NAME].some(Boolean)
  if (value.TEMPORAL_TLS === 'false') {
    if (isNamed) throw new Error('TEMPORAL_TLS: is false, but another TEMPORAL_TLS_ setting is given')
    return undefined
  }
  if (value.TEMPORAL_TLS === undefined && !isNamed && value.TEMPORAL_API_KEY === undefined) return undefined
  const [cert, key] = [fileOf('TEMPORAL_TLS_CERT', certFile), fileOf('TEMPORAL_TLS_KEY', keyFile)]
  if (!cert !== !key)
    throw new Error(`${cert ? 'TEMPORAL_TLS_KEY' : 'TEMPORAL_TLS_CERT'}: certificate and key go together`)
  return {
    ca: fileOf('TEMPORAL_TLS_CA', value.TEMPORAL_TLS_CA),
    client: cert && key && { cert, key },
    serverName: value.TEMPORAL_TLS_SERVER_NAME,
  }
}

/** @throws Error naming the variable that is wrong. */
export const temporalSettings = (value: Variables): TemporalSettings => ({
  address: value.TEMPORAL_ADDRESS,
  namespace: value.TEMPORAL_NAMESPACE,
  taskQueue: value.ARCHIVOLT_TASK_QUEUE,
  uiUrl: value.ARCHIVOLT_TEMPORAL_UI,
  tls: tlsOf(value),
  apiKey: value.TEMPORAL_API_KEY,
  signingKeys: value.ARCHIVOLT_SIGNING_KEY ?? [],
  encryptionKeys: value.ARCHIVOLT_TEMPORAL_KEY ?? [],
})

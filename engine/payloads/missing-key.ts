import { defaultPayloadConverter, type Payload, type PayloadCodec } from '@temporalio/common'
import { type ArchivoltError, fail } from '../../core/platform/errors/index.js'

const MISSING_KEY = 'archivoltMissingKey'
const NAME = 'MissingKeyError'

const messageOf = (key: string): string =>
  `ARCHIVOLT_TEMPORAL_KEY has not the key ${key}, by which a payload is encrypted`

/** @param key the name of the key that no setting has. */
export const missingKey = (key: string): Error =>
  Object.assign(new Error(messageOf(key)), { name: NAME, key })

const isMissingKey = (error: unknown): error is Error & { key: string } =>
  error instanceof Error && error.name === NAME

/** Stands for a value that cannot be decrypted. */
const placeholder = (key: string): Payload => defaultPayloadConverter.toPayload({ [MISSING_KEY]: key })

/** A codec that reads on where a key is missing: `unreadableAmong` finds what could not be read. */
export const lenient = (codec: PayloadCodec): PayloadCodec => ({
  encode: (payloads, context) => codec.encode(payloads, context),
  decode: (payloads, context) =>
    Promise.all(
      payloads.map(async (payload) => {
        try {
          const [decoded] = await codec.decode([payload], context)
          return decoded ?? payload
        } catch (error) {
          if (!isMissingKey(error)) throw error
          return placeholder(error.key)
        }
      }),
    ),
})

/** Why some of the values could not be read; undefined when all could be. */
export const unreadableAmong = (values: readonly unknown[]): string | undefined => {
  for (const value of values)
    if (typeof value === 'object' && value !== null && MISSING_KEY in value)
      return messageOf(String(value[MISSING_KEY]))
  return undefined
}

/** What it means to a caller that a key is missing; undefined for any other error. */
export const missingKeyFailure = (error: unknown): ArchivoltError | undefined =>
  isMissingKey(error) ? fail('operationFailed', error.message, { cause: error }) : undefined

/** The outcome of reading; of reading leniently where a key is missing. */
export const orLeniently = async <Result>(
  read: () => Promise<Result>,
  readLeniently: () => Promise<Result>,
): Promise<Result> => {
  try {
    return await read()
  } catch (error) {
    if (!isMissingKey(error)) throw error
    return readLeniently()
  }
}

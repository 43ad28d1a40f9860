import type { Payload } from '@temporalio/common'
import { encryptionOf } from './create-payloads.js'

/** A payload as Temporal's codec servers exchange it: JSON, the bytes in base64. */
export type RemotePayload = { metadata?: { [name: string]: string } | undefined; data?: string | undefined }

/** What the Temporal UI asks for payloads that it cannot read. */
export type RemoteCodec = {
  encode(payloads: readonly RemotePayload[]): Promise<RemotePayload[]>
  decode(payloads: readonly RemotePayload[]): Promise<RemotePayload[]>
}

const received = ({ metadata = {}, data = '' }: RemotePayload): Payload => ({
  metadata: Object.fromEntries(
    Object.entries(metadata).map(([name, value]) => [name, Buffer.from(value, 'base64')]),
  ),
  data: Buffer.from(data, 'base64'),
})

const sent = ({ metadata, data }: Payload): RemotePayload => ({
  metadata: Object.fromEntries(
    Object.entries(metadata ?? {}).map(([name, value]) => [name, Buffer.from(value).toString('base64')]),
  ),
  data: Buffer.from(data ?? []).toString('base64'),
})

/**
 * Encrypts and decrypts alone: a signature is never given, and secret parameters stay sealed. Undefined without keys.
 *
 * @throws Error from `decode` for a payload of another key, or one that was changed.
 */
export const createRemoteCodec = (encryptionKeys: readonly string[]): RemoteCodec | undefined => {
  if (encryptionKeys.length === 0) return undefined
  const codec = encryptionOf(encryptionKeys)
  return {
    encode: async (payloads) => (await codec.encode(payloads.map(received))).map(sent),
    decode: async (payloads) => (await codec.decode(payloads.map(received))).map(sent),
  }
}

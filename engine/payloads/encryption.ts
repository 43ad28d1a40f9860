import { createHash, type KeyObject } from 'node:crypto'
import type { Payload, PayloadCodec } from '@temporalio/common'
import { bytesOf } from './json-object.js'
import { missingKey } from './missing-key.js'
import { decrypt, encrypt } from './sealing.js'

const ENCODING = Buffer.from('binary/encrypted')
const CIPHER = Buffer.from('AES/GCM')
const KEY_ID = 'encryption-key-id'
const HEAD_LENGTH = 4

/** Names a key without saying anything about it. */
const idOf = (key: KeyObject): string =>
  createHash('sha256').update('key id').update(key.export()).digest('hex').slice(0, 16)

/** A payload as bytes: the length of its metadata, these as JSON, its data. */
const packed = (payload: Payload): Buffer => {
  const metadata = Object.entries(payload.metadata ?? {}).map(([name, value]) => [
    name,
    Buffer.from(value).toString('base64'),
  ])
  const head = Buffer.from(JSON.stringify(metadata))
  const length = Buffer.alloc(HEAD_LENGTH)
  length.writeUInt32BE(head.length)
  return Buffer.concat([length, head, bytesOf(payload)])
}

const unpacked = (bytes: Buffer): Payload => {
  const end = HEAD_LENGTH + bytes.readUInt32BE()
  const metadata = JSON.parse(bytes.toString('utf8', HEAD_LENGTH, end)) as [string, string][]
  return {
    metadata: Object.fromEntries(metadata.map(([name, value]) => [name, Buffer.from(value, 'base64')])),
    data: bytes.subarray(end),
  }
}

/**
 * Encrypts whole payloads (AES-256-GCM). What is not encrypted is read as it is: runs of the time before there was a
 * key go on.
 *
 * @param keys the first encrypts, each decrypts. Without any, what was encrypted before is still named as such.
 */
export const createEncryptionCodec = (keys: readonly KeyObject[]): PayloadCodec => {
  const [own] = keys
  const ownId = own ? idOf(own) : ''
  const byId = new Map(keys.map((key) => [idOf(key), key]))

  const encode = (payload: Payload): Payload => {
    if (!own) return payload
    return {
      metadata: { encoding: ENCODING, 'encryption-cipher': CIPHER, [KEY_ID]: Buffer.from(ownId) },
      data: encrypt(own, packed(payload), ownId),
    }
  }

  const decode = (payload: Payload): Payload => {
    const id = payload.metadata?.[KEY_ID]
    if (!id || !ENCODING.equals(payload.metadata?.encoding ?? Buffer.alloc(0))) return payload
    const name = Buffer.from(id).toString()
    const key = byId.get(name)
    if (!key) throw missingKey(name)
    return unpacked(decrypt(key, bytesOf(payload), name))
  }

  return {
    encode: async (payloads) => payloads.map(encode),
    decode: async (payloads) => payloads.map(decode),
  }
}

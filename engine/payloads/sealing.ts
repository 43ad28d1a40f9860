import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto'
import type { Payload } from '@temporalio/common'
import { bytesOf, objectIn, withData } from './json-object.js'

const SEALED = 'archivolt-sealed:'
const CIPHER = 'aes-256-gcm'
const [IV, TAG] = [12, 16]

export const encrypt = (key: KeyObject, text: Buffer, about: string): Buffer => {
  const iv = randomBytes(IV)
  const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(about))
  const encrypted = Buffer.concat([cipher.update(text), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), encrypted])
}

/** @throws Error when the key is another one, or the bytes were changed. */
export const decrypt = (key: KeyObject, bytes: Buffer, about: string): Buffer => {
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV))
    .setAAD(Buffer.from(about))
    .setAuthTag(bytes.subarray(IV, IV + TAG))
  return Buffer.concat([decipher.update(bytes.subarray(IV + TAG)), decipher.final()])
}

/** Encrypts the values of secret parameters within what is otherwise readable. */
export type Seals = {
  seal(payload: Payload): Payload
  /** For what we have signed alone: whoever could have another text opened would read it. */
  open(payload: Payload): Payload
}

export type Sealing = {
  /** The first seals; each opens. */
  keys: readonly KeyObject[]
  /** Names whose values are secret, wherever they stand. */
  names(): readonly string[]
}

export const createSeals = ({ keys, names }: Sealing): Seals => {
  const [own] = keys

  const sealValue = (name: string, value: unknown): string => {
    if (!own) throw new Error('There is no key for secret parameters')
    return `${SEALED}${encrypt(own, Buffer.from(JSON.stringify(value)), name).toString('base64url')}`
  }

  const openValue = (name: string, text: string): unknown => {
    const bytes = Buffer.from(text.slice(SEALED.length), 'base64url')
    for (const key of keys) {
      try {
        return JSON.parse(decrypt(key, bytes, name).toString())
      } catch {
        // Sealed with another key.
      }
    }
    throw new Error(`The secret parameter "${name}" was sealed with a key that ARCHIVOLT_SIGNING_KEY has not`)
  }

  const seal = (payload: Payload): Payload => {
    const object = objectIn(payload)
    if (!object) return payload
    const secret = names().filter((name) => object.includes(JSON.stringify(name)))
    if (secret.length === 0 && !object.includes(SEALED)) return payload
    const text = JSON.stringify(JSON.parse(object.toString()), (name, value) => {
      // What looks sealed was written by a user: sealed once more, it stays as it is.
      const isSecret = secret.includes(name) && value !== null && value !== undefined
      return isSecret || (typeof value === 'string' && value.startsWith(SEALED))
        ? sealValue(name, value)
        : value
    })
    return withData(payload, Buffer.from(text))
  }

  const open = (payload: Payload): Payload => {
    if (!objectIn(payload)?.includes(SEALED)) return payload
    const opened = JSON.parse(bytesOf(payload).toString(), (name, value) =>
      typeof value === 'string' && value.startsWith(SEALED) ? openValue(name, value) : value,
    )
    return withData(payload, Buffer.from(JSON.stringify(opened)))
  }

  return { seal, open }
}

import { hash as digest, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { normalForm } from '../../../platform/names/index.js'

/** What a hash costs: 2^`log2N` blocks of memory, 1 KiB each, `p` times over. */
export type HashCost = { log2N: number; p: number }

/** A profile of OWASP for scrypt: 32 MiB, and about 180 ms a hash. */
export const STANDARD_COST: HashCost = { log2N: 15, p: 3 }

/** Of hashes whose prefix names no cost. */
const FIRST_COST: HashCost = { log2N: 15, p: 1 }

const BLOCK_SIZE = 8
const KEY_LENGTH = 32
const OWN = /^\{scrypt(?:-(1[0-7])-8-([1-4]))?\}([\w-]{22})\$([\w-]{43})$/

/** Hashes of the reference platform: base64 of digest and salt after the algorithm's prefix (reference: security.md §8). */
const IMPORTED = /^\{(SSHA|SMD5)\}([A-Za-z0-9+/]+={0,2})$/
const IMPORTED_ALGORITHMS = {
  SSHA: { name: 'sha1', bytes: 20 },
  SMD5: { name: 'md5', bytes: 16 },
} as const

type Own = { cost: HashCost; salt: string; key: string }

const ownParts = (text: string): Own | undefined => {
  const [, log2N, p, salt, key] = OWN.exec(text) ?? []
  if (salt === undefined || key === undefined) return undefined
  return { cost: log2N === undefined ? FIRST_COST : { log2N: Number(log2N), p: Number(p) }, salt, key }
}

const derive = (password: string, salt: Buffer, { log2N, p }: HashCost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const N = 2 ** log2N
    // Twice what is needed: the limit counts more than the blocks.
    const options = { N, r: BLOCK_SIZE, p, maxmem: 2 * 128 * N * BLOCK_SIZE }
    scrypt(normalForm('NFC', password), salt, KEY_LENGTH, options, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })

/** A slow, salted hash under its own prefix: `{scrypt-<log2N>-8-<p>}<salt>$<key>`, salt and key base64url. */
export const hashPassword = async (password: string, cost: HashCost = STANDARD_COST): Promise<string> => {
  const salt = randomBytes(16)
  const key = await derive(password, salt, cost)
  const prefix = `{scrypt-${cost.log2N}-${BLOCK_SIZE}-${cost.p}}`
  return `${prefix}${salt.toString('base64url')}$${key.toString('base64url')}`
}

/** Whether a text is a hash that `verifyPassword` understands, so that an import may bring it as it is. */
export const isHashed = (text: string): boolean =>
  ownParts(text) !== undefined || importedParts(text) !== undefined

const workOf = ({ log2N, p }: HashCost): number => 2 ** log2N * p

/** Whether a stored password is kept in a weaker way than `hashPassword` does at this cost. */
export const isOutdated = (stored: string, cost: HashCost = STANDARD_COST): boolean => {
  const own = ownParts(stored)
  return own === undefined || workOf(own.cost) < workOf(cost)
}

/** Whether a password is the one that was hashed. Takes the same time for a wrong password as for a right one. */
export const verifyPassword = async (password: string, stored: string): Promise<boolean> => {
  if (stored.startsWith('{scrypt')) return verifyOwn(password, stored)
  const imported = importedParts(stored)
  if (!imported) return isSame(Buffer.from(password), Buffer.from(stored))
  const { algorithm, expected, salt } = imported
  return isSame(digest(algorithm, Buffer.concat([Buffer.from(password), salt]), 'buffer'), expected)
}

const verifyOwn = async (password: string, stored: string): Promise<boolean> => {
  const own = ownParts(stored)
  if (!own) return false
  const key = await derive(password, Buffer.from(own.salt, 'base64url'), own.cost)
  return isSame(key, Buffer.from(own.key, 'base64url'))
}

const importedParts = (text: string): { algorithm: string; expected: Buffer; salt: Buffer } | undefined => {
  const [, name, encoded] = IMPORTED.exec(text) ?? []
  if (name === undefined || encoded === undefined) return undefined
  const { name: algorithm, bytes } = IMPORTED_ALGORITHMS[name as keyof typeof IMPORTED_ALGORITHMS]
  const decoded = Buffer.from(encoded, 'base64')
  if (decoded.length < bytes) return undefined
  return { algorithm, expected: decoded.subarray(0, bytes), salt: decoded.subarray(bytes) }
}

const isSame = (actual: Buffer, expected: Buffer): boolean =>
  actual.length === expected.length && timingSafeEqual(actual, expected)

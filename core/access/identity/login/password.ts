import { hash as digest, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

/** OWASP's second profile for scrypt: 32 MiB and about 60 ms a hash. */
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }
const KEY_LENGTH = 32
const PREFIX = '{scrypt}'
const OWN = /^\{scrypt\}[\w-]{22}\$[\w-]{43}$/

/** Hashes of the reference platform: base64 of digest and salt after the algorithm's prefix (reference: security.md §8). */
const IMPORTED = /^\{(SSHA|SMD5)\}([A-Za-z0-9+/]+={0,2})$/
const IMPORTED_ALGORITHMS = {
  SSHA: { name: 'sha1', bytes: 20 },
  SMD5: { name: 'md5', bytes: 16 },
} as const

const derive = (password: string, salt: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(password.normalize('NFC'), salt, KEY_LENGTH, COST, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })

/** A slow, salted hash under its own prefix: `{scrypt}<salt>$<key>`, both base64url. */
export const hashPassword = async (password: string): Promise<string> => {
  const salt = randomBytes(16)
  const key = await derive(password, salt)
  return `${PREFIX}${salt.toString('base64url')}$${key.toString('base64url')}`
}

/** Whether a text is a hash that `verifyPassword` understands, so that an import may bring it as it is. */
export const isHashed = (text: string): boolean => OWN.test(text) || importedParts(text) !== undefined

/** Whether a stored password is kept in a weaker way than `hashPassword` does. */
export const isOutdated = (stored: string): boolean => !stored.startsWith(PREFIX)

/** Whether a password is the one that was hashed. Takes the same time for a wrong password as for a right one. */
export const verifyPassword = async (password: string, stored: string): Promise<boolean> => {
  if (stored.startsWith(PREFIX)) return verifyOwn(password, stored.slice(PREFIX.length))
  const imported = importedParts(stored)
  if (!imported) return isSame(Buffer.from(password), Buffer.from(stored))
  const { algorithm, expected, salt } = imported
  return isSame(digest(algorithm, Buffer.concat([Buffer.from(password), salt]), 'buffer'), expected)
}

const verifyOwn = async (password: string, stored: string): Promise<boolean> => {
  const [salt, key] = stored.split('$')
  if (!salt || !key) return false
  return isSame(await derive(password, Buffer.from(salt, 'base64url')), Buffer.from(key, 'base64url'))
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

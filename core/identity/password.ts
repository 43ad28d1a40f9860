import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

/** OWASP's second profile for scrypt: 32 MiB and about 60 ms a hash. */
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }
const KEY_LENGTH = 32
const PREFIX = '{scrypt}'

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

/** Whether a password is the one that was hashed. Takes the same time for a wrong password as for a right one. */
export const verifyPassword = async (password: string, hash: string): Promise<boolean> => {
  const [salt, key] = hash.startsWith(PREFIX) ? hash.slice(PREFIX.length).split('$') : []
  if (!salt || !key) return false
  const expected = Buffer.from(key, 'base64url')
  const actual = await derive(password, Buffer.from(salt, 'base64url'))
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}

import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { hashPassword, isHashed, isOutdated, verifyPassword } from './password.js'

const imported = (
  prefix: string,
  algorithm: string,
  password: string,
  salt = Buffer.from('12345678'),
): string => {
  const digest = createHash(algorithm).update(password).update(salt).digest()
  return `${prefix}${Buffer.concat([digest, salt]).toString('base64')}`
}

const SSHA = imported('{SSHA}', 'sha1', 'pässword')
const OWN = await hashPassword('pässword')
const SMD5 = imported('{SMD5}', 'md5', 'pässword')

describe('verifying', () => {
  test.each([
    ['scrypt', OWN],
    ['SSHA', SSHA],
    ['SMD5', SMD5],
    ['SSHA without salt', imported('{SSHA}', 'sha1', 'pässword', Buffer.alloc(0))],
    ['clear text', 'pässword'],
  ])('%s', async (_form, stored) => {
    expect(await verifyPassword('pässword', stored)).toBe(true)
    for (const wrong of ['passwort', '', stored === 'pässword' ? 'x' : stored])
      expect(await verifyPassword(wrong, stored)).toBe(false)
  })

  test.each(['{scrypt}', '{scrypt}a$b', '{scrypt}$', '{SSHA}', '{SSHA}AAAA', '{SMD5}????'])(
    'what is no hash lets nobody in: %s',
    async (stored) => {
      expect(await verifyPassword('pässword', stored)).toBe(false)
    },
  )
})

test.each([
  [SSHA, true, true],
  [SMD5, true, true],
  ['{SSHA}AAAA', false, true],
  ['{MD5}AAAA', false, true],
  ['pässword', false, true],
  ['{scrypt}short$short', false, false],
])('%s: a hash %s, outdated %s', (text, hashed, outdated) => {
  expect([isHashed(text), isOutdated(text)]).toEqual([hashed, outdated])
})

test('our own hash is one, and up to date', async () => {
  const hash = await hashPassword('x')
  expect([isHashed(hash), isOutdated(hash)]).toEqual([true, false])
})

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
/** As releases up to 0.1 wrote it: 2^15 blocks, once. */
const FIRST = '{scrypt}AAECAwQFBgcICQoLDA0ODw$DS6iuU62lBdy_UIWx2oCRF5HPAfYblGCEX1CN52qklY'
const CHEAP = await hashPassword('pässword', { log2N: 10, p: 2 })
const SMD5 = imported('{SMD5}', 'md5', 'pässword')

describe('verifying', () => {
  test.each([
    ['scrypt', OWN],
    ['scrypt of another cost', CHEAP],
    ['scrypt without a cost', FIRST],
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
  ['{scrypt}short$short', false, true],
  ['{scrypt-30-8-1}AAECAwQFBgcICQoLDA0ODw$AAECAwQFBgcICQoLDA0ODwAAECAwQFBgcICQoLDA0OD', false, true],
  [FIRST, true, true],
  [await hashPassword('x', { log2N: 14, p: 3 }), true, true],
  [await hashPassword('x', { log2N: 16, p: 3 }), true, false],
])('%s: a hash %s, outdated %s', (text, hashed, outdated) => {
  expect([isHashed(text), isOutdated(text)]).toEqual([hashed, outdated])
})

test('our own hash is one, and up to date', async () => {
  expect(OWN).toMatch(/^\{scrypt-15-8-3\}/)
  const hash = await hashPassword('x')
  expect([isHashed(hash), isOutdated(hash)]).toEqual([true, false])
})

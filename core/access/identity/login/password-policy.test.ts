import { describe, expect, test } from 'vitest'
import { STANDARD_COST } from './password.js'
import { type PasswordPolicy, requireGoodPassword } from './password-policy.js'

const STRICT: PasswordPolicy = { minLength: 12, refusesCommon: true, cost: STANDARD_COST }
const LENIENT: PasswordPolicy = { minLength: 4, refusesCommon: false, cost: STANDARD_COST }

const check = (password: unknown, policy: PasswordPolicy, pattern?: string) =>
  requireGoodPassword(password, { policy, pattern, username: 'archibald.archer' })

test.each([undefined, null, '', '    ', '\t\u00a0  \n', 'abcd\0', 'x'.repeat(1_001)])(
  'no policy takes %j',
  async (password) => {
    await expect(check(password, LENIENT)).rejects.toMatchObject({
      code: 'badRequest',
      message: /^password: /,
    })
  },
)

describe('twelve characters that are not common', () => {
  test.each(['x7Gk2p9QvLm', 'zwölfZeich3', '👩‍💻'])('%s is too short', async (password) => {
    await expect(check(password, STRICT)).rejects.toThrow('password: must have at least 12 characters')
  })

  test.each([
    ...['password1234', 'Password1234!', 'passwordpassword', '123456789012', 'qwertyuiopas', 'aaaaaaaaaaaa'],
    ...['administrator', 'iloveyou1234', 'archibald.archer', 'Archibald.Archer1'],
  ])('%s is common', async (password) => {
    await expect(check(password, STRICT)).rejects.toThrow('password: is too common')
  })

  test.each([
    'x7Gk2p9QvLm3',
    'correct horse battery staple',
    'Zwölf-Zeichen-7',
    '48151623421123581321'.repeat(9),
  ])('%s is neither', async (password) => {
    expect(await check(password, STRICT)).toBe(password)
  })
})

test.each(['pass', 'jdoe1', '1234', ' a b'])('a lenient one takes %s', async (password) => {
  expect(await check(password, LENIENT)).toBe(password)
})

test('a pattern must match somewhere', async () => {
  expect(await check('abc7', LENIENT, '\\d')).toBe('abc7')
  await expect(check('abcd', LENIENT, '\\d')).rejects.toThrow('password: does not fit the rules')
  await expect(check('xab1', LENIENT, '^(a|b)')).rejects.toThrow('password: does not fit the rules')
  expect(await check('bcd1', LENIENT, '^x|1$')).toBe('bcd1')
})

test('a pattern that backtracks is given up', async () => {
  await expect(check(`${'a'.repeat(60)}!`, LENIENT, '^(a+)+$')).rejects.toThrow(
    'password: takes too long to compare with the rules for passwords',
  )
})

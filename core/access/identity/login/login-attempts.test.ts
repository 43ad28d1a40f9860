import { expect, test } from 'vitest'
import { createLoginAttempts } from './login-attempts.js'

const HOUR_MS = 3_600_000

const bench = () => {
  let time = 1_000_000
  const attempts = createLoginAttempts(() => time)
  const fail = async (account: string, count: number) => {
    for (let made = 0; made < count; made++) expect(await attempts.begin(account)).toBeUndefined()
  }
  return { attempts, fail, pass: (milliseconds: number) => (time += milliseconds) }
}

test('a hundred in an hour are allowed to an account, and the next when the first is an hour ago', async () => {
  const { attempts, fail, pass } = bench()
  await fail('ann', 1)
  pass(600_000)
  await fail('ann', 99)
  for (let again = 0; again < 3; again++) expect(await attempts.begin('ann')).toBe(3_000)
  pass(HOUR_MS - 600_000 - 1)
  expect(await attempts.begin('ann')).toBe(1)
  pass(1)
  await fail('ann', 1)
  expect(await attempts.begin('ann')).toBe(600)
})

test('those of another account are not counted', async () => {
  const { fail } = bench()
  await fail('ann', 100)
  await fail('bob', 100)
})

test('those that were right are not counted, and forgive no others', async () => {
  const { attempts, fail } = bench()
  await fail('ann', 99)
  for (let login = 0; login < 50; login++) {
    expect(await attempts.begin('ann')).toBeUndefined()
    await attempts.forgive('ann')
  }
  await fail('ann', 1)
  expect(await attempts.begin('ann')).toBeGreaterThan(0)
})

import { expect, test } from 'vitest'
import { createLoginAttempts } from './login-attempts.js'
import { memoryTries } from './memory-tries.fixture.js'

const HOUR_MS = 3_600_000
const ANN = { name: 'ann', address: 'a' }
const BOB = { name: 'bob', address: 'a' }
const ELSEWHERE = { name: 'ann', address: 'b' }

const bench = () => {
  let time = 1_000_000
  const store = memoryTries()
  const createNode = () => createLoginAttempts({ store, now: () => time })
  const attempts = createNode()
  const waitOf = async (client: typeof ANN) => (await attempts.begin(client)).wait
  const fail = async (client: typeof ANN, count: number, node = attempts) => {
    for (let made = 0; made < count; made++) expect((await node.begin(client)).wait).toBeUndefined()
  }
  return { attempts, createNode, fail, waitOf, pass: (milliseconds: number) => (time += milliseconds) }
}

test('a hundred in an hour are allowed to an account, by all nodes together', async () => {
  const { createNode, fail, waitOf, pass } = bench()
  await fail(ANN, 1)
  pass(600_000)
  await fail(ANN, 49)
  await fail(ELSEWHERE, 50, createNode())
  for (const client of [ANN, ELSEWHERE, ANN]) expect(await waitOf(client)).toBe(3_000)
  pass(HOUR_MS - 600_000 - 1)
  expect(await waitOf(ANN)).toBe(1)
  pass(1)
  await fail(ANN, 100)
  expect(await waitOf(ANN)).toBe(3_600)
})

test('those of another account are not counted, nor push any out', async () => {
  const { fail, waitOf } = bench()
  await fail(ANN, 100)
  for (let other = 0; other < 10_001; other++) await fail({ name: `other-${other}`, address: 'a' }, 1)
  expect(await waitOf(ANN)).toBeGreaterThan(0)
  await fail(BOB, 100)
})

test('those that were right are not counted, and take back no others', async () => {
  const { attempts, fail, waitOf } = bench()
  await fail(ANN, 99)
  for (let login = 0; login < 50; login++) {
    const attempt = await attempts.begin(ANN)
    if (attempt.wait === undefined) await attempt.takeBack()
  }
  await fail(ANN, 1)
  expect(await waitOf(ANN)).toBeGreaterThan(0)
})

test('an address of which a login is remembered has a hundred of its own', async () => {
  const { attempts, fail, waitOf, pass } = bench()
  await attempts.remember(ANN)
  await fail(ELSEWHERE, 100)
  expect(await waitOf(ELSEWHERE)).toBeGreaterThan(0)
  await fail(ANN, 100)
  expect(await waitOf(ANN)).toBeGreaterThan(0)
  pass(30 * 24 * HOUR_MS)
  await fail(ELSEWHERE, 100)
  expect(await waitOf(ANN)).toBeGreaterThan(0)
})

test('a reset forgets those of one account, wherever from', async () => {
  const { attempts, fail, waitOf } = bench()
  await attempts.remember(ANN)
  for (const client of [ANN, ELSEWHERE, BOB]) await fail(client, 100)
  await attempts.reset('ann')
  await fail(ANN, 100)
  await fail(ELSEWHERE, 100)
  expect(await waitOf(BOB)).toBeGreaterThan(0)
})

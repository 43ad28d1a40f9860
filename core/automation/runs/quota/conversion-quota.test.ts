import { expect, test } from 'vitest'
import { principalOf } from '../../../access/security/index.js'
import { createConversionQuota } from './conversion-quota.js'
import { memoryOpenRuns } from './memory-open-runs.fixture.js'

const ann = principalOf('ann', [], false)
const TOO_MANY = { code: 'tooManyRequests' }

const held = () => {
  let end = (): void => {}
  const over = new Promise<void>((resolve) => {
    end = resolve
  })
  return { end, work: () => over }
}

/** Two processes on one store, and what the engine lists. */
const bench = (max: number) => {
  let time = 0
  let list = async (): Promise<string[]> => []
  const store = memoryOpenRuns(() => time)
  const createNode = () =>
    createConversionQuota({
      max,
      store,
      runs: { list: () => list(), isOpen: async () => true },
      now: () => time,
      wait: async (milliseconds) => {
        time += milliseconds
      },
      onError: (error) => {
        throw error
      },
    })
  return {
    quota: createNode(),
    other: createNode(),
    pass: (milliseconds: number) => (time += milliseconds),
    listed: (...ids: string[]) => (list = async () => ids),
    goAway: () => (list = () => Promise.reject(new Error('away'))),
  }
}

const done = async () => 'done'

test('conversions of the engine and of all processes count together', async () => {
  const { quota, other, pass, listed } = bench(2)
  await quota.enter(ann, 'conversion-1')
  listed('conversion-1')
  const first = held()
  const running = quota.within(ann, first.work)
  await expect(quota.within(ann, done)).rejects.toMatchObject({
    ...TOO_MANY,
    message: 'User ann has 2 open conversions, which is the maximum; wait for one to end',
  })
  pass(60_000)
  await expect(other.within(ann, done)).rejects.toMatchObject(TOO_MANY)
  await expect(other.enter(ann, 'conversion-2')).rejects.toMatchObject(TOO_MANY)
  expect(await quota.within(principalOf('bob', [], true), done)).toBe('done')
  first.end()
  await running
  expect(await other.within(ann, done)).toBe('done')
})

test('one that fails gives its place back', async () => {
  const { quota } = bench(1)
  await expect(quota.within(ann, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await quota.within(ann, done)).toBe('done')
})

test('one of a process that has died ends after two hours', async () => {
  const { quota, other, pass } = bench(1)
  const running = held()
  const first = quota.within(ann, running.work)
  pass(7_200_000)
  await expect(quota.within(ann, done)).rejects.toMatchObject(TOO_MANY)
  expect(await other.within(ann, done)).toBe('done')
  running.end()
  await first
})

test('an engine that cannot be asked ends nothing', async () => {
  const { quota, goAway } = bench(1)
  goAway()
  const first = held()
  const running = quota.within(ann, first.work)
  await expect(quota.within(ann, done)).rejects.toMatchObject(TOO_MANY)
  first.end()
  await running
  expect(await quota.within(ann, done)).toBe('done')
})

import { expect, test } from 'vitest'
import { fail } from '../core/platform/errors/index.js'
import { endTimeouts } from './failure.js'

const cancelled = new Error('canceling statement due to statement timeout')
const failureOf = (error: unknown) =>
  error === cancelled ? fail('timeout', 'The database needed longer', { cause: error }) : undefined

const attemptOf = (attempt: number, error: Error) =>
  endTimeouts({ attempt, failureOf }, () => Promise.reject(error))

test('a statement that lasts too long is tried again, but not for ever', async () => {
  for (const attempt of [1, 2, 3]) await expect(attemptOf(attempt, cancelled)).rejects.toBe(cancelled)
  await expect(attemptOf(4, cancelled)).rejects.toMatchObject({
    code: 'timeout',
    retryable: false,
    message: 'The database needed longer, at 4 attempts',
    cause: cancelled,
  })
})

test('what may pass at any time is tried again at any time', async () => {
  const lost = new Error('the connection was lost')
  await expect(attemptOf(1_000, lost)).rejects.toBe(lost)
  expect(await endTimeouts({ attempt: 9, failureOf }, async () => 'done')).toBe('done')
})

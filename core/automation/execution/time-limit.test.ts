import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { throwIfStopped } from '../../platform/limits/index.js'
import { throwIfLate, withinTimeLimit } from './time-limit.js'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const caller = () => {
  const controller = new AbortController()
  return { signal: controller.signal, abort: (reason: unknown) => controller.abort(reason) }
}

test('work that ends leaves neither a timer nor a listener', async () => {
  const { signal } = caller()
  expect(await withinTimeLimit({ signal, seconds: 300 }, async () => 'done')).toBe('done')
  await expect(
    withinTimeLimit({ signal, seconds: 300 }, () => Promise.reject(new Error('broken'))),
  ).rejects.toThrow('broken')
  expect([vi.getTimerCount(), getEventListeners(signal, 'abort')]).toEqual([0, []])
})

test('work that lasts too long is stopped, for good', async () => {
  await withinTimeLimit({ signal: caller().signal, seconds: 0.5 }, async (limited) => {
    throwIfStopped(limited)
    vi.advanceTimersByTime(499)
    throwIfLate(limited)
    vi.advanceTimersByTime(1)
    const late = expect.objectContaining({ code: 'timeout', retryable: false })
    expect(() => throwIfStopped(limited)).toThrow(late)
    expect(() => throwIfLate(limited)).toThrow(late)
  })
})

test.each([
  ['before', true],
  ['while', false],
])(
  'work whose caller has gone %s it runs is stopped for that reason, and what is done is not late',
  async (_, isBefore) => {
    const { signal, abort } = caller()
    const gone = new Error('gone')
    if (isBefore) abort(gone)
    await withinTimeLimit({ signal, seconds: 1 }, async (limited) => {
      abort(gone)
      expect(() => throwIfStopped(limited)).toThrow(gone)
      throwIfLate(limited)
    })
  },
)

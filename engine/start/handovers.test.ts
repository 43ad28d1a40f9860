import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createHandovers } from './handovers.js'

const state = { state: { input: { type: 'void' as const }, variables: {} } }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('returns what is settled before or after it is taken', async () => {
  const handovers = createHandovers()
  handovers.expect('before')
  handovers.settle('before', state)
  expect(await handovers.take('before')).toBe(state)
  handovers.expect('after')
  const taken = handovers.take('after')
  handovers.settle('after', state)
  expect(await taken).toBe(state)
})

test('leaves to Temporal what is not expected, failed, or takes long', async () => {
  const handovers = createHandovers()
  handovers.settle('unexpected', state)
  expect(await handovers.take('unexpected')).toBeUndefined()
  handovers.expect('failed')
  handovers.settle('failed', undefined)
  handovers.settle('failed', state)
  expect(await handovers.take('failed')).toBeUndefined()
  handovers.expect('long')
  const taken = handovers.take('long')
  vi.advanceTimersByTime(1_000)
  expect(await taken).toBeUndefined()
  handovers.settle('long', state)
  expect(await handovers.take('long')).toBeUndefined()
})

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createHandovers } from './handovers.js'

const state = { state: { input: { type: 'void' as const }, variables: {} } }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('gives what is told before or after it is asked for', async () => {
  const handovers = createHandovers()
  handovers.expect('before')
  handovers.tell('before', state)
  expect(await handovers.taken('before')).toBe(state)
  handovers.expect('after')
  const taken = handovers.taken('after')
  handovers.tell('after', state)
  expect(await taken).toBe(state)
})

test('leaves to Temporal what is not expected, failed, or takes long', async () => {
  const handovers = createHandovers()
  handovers.tell('unexpected', state)
  expect(await handovers.taken('unexpected')).toBeUndefined()
  handovers.expect('failed')
  handovers.tell('failed', undefined)
  handovers.tell('failed', state)
  expect(await handovers.taken('failed')).toBeUndefined()
  handovers.expect('long')
  const taken = handovers.taken('long')
  vi.advanceTimersByTime(1_000)
  expect(await taken).toBeUndefined()
  handovers.tell('long', state)
  expect(await handovers.taken('long')).toBeUndefined()
})

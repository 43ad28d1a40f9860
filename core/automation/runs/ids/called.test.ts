import { expect, test } from 'vitest'
import { calledRunId, itemsRunId, mayBeInline, newRunId } from './called.js'

const identity = { chainId: 'my/chain', principal: 'ann' }

test('a key names the same run for the same caller alone', () => {
  const keyed = { ...identity, execution: 'workflow' as const, idempotencyKey: 'k' }
  expect(newRunId(keyed)).toBe(newRunId(keyed))
  expect(newRunId(keyed)).toMatch(/^my_chain-key-[0-9a-f]{32}$/)
  expect(newRunId({ ...keyed, principal: 'bob' })).not.toBe(newRunId(keyed))
})

test('an inline run is known by its id', () => {
  expect(mayBeInline(newRunId({ ...identity, execution: 'inline' }))).toBe(true)
  expect(mayBeInline(newRunId({ ...identity, execution: 'workflow' }))).toBe(false)
})

test.each([
  ['event-mine', 'run-event-mine'],
  ['queue-schedule-mine', 'run-queue-schedule-mine'],
  ['mine', 'mine'],
])('the run %s of a call is %s', (id, called) => {
  expect(calledRunId(id, 'queue')).toBe(called)
})

test('a run that retries items is named after the other, and stands beside it', () => {
  expect(itemsRunId('a/1/2', 'queue')).toMatch(/^a_1_2-items-[0-9a-f-]{36}$/)
})

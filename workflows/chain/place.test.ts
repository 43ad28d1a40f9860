import { expect, test } from 'vitest'
import { limitedTo, placeIn } from './place.js'
import type { ChainRun } from './types.js'

const run: ChainRun = {
  plan: { chainId: 'item', nodes: [], chains: {}, params: [] },
  principal: 'ann',
  requestId: 'r',
  state: { key: 'k' },
}

test('a retried item whose deadline has passed works without one, in the same place', () => {
  const ended = { ...run, repository: 'archive', eventDepth: 2, endsAt: 1_000 }
  expect(placeIn(ended, { isFirst: true })).toEqual({ repository: 'archive', eventDepth: 2, endsAt: 1_000 })
  expect(placeIn(ended, { isFirst: false })).toEqual({ repository: 'archive', eventDepth: 2 })
  expect(placeIn(run, { isFirst: true })).toEqual({})
})

test.each([
  [undefined, undefined, undefined],
  [undefined, 5, 5],
  [3, undefined, 3],
  [3, 5, 3],
  [5, 3, 3],
])('a run until %s within a step until %s is over at %s', (own, step, expected) => {
  expect(limitedTo({ ...run, ...(own !== undefined && { endsAt: own }) }, step).endsAt).toBe(expected)
})

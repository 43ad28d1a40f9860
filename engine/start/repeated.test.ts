import { expect, test } from 'vitest'
import type { ChainRun } from '../../workflows/chain/types.js'
import { anotherRun, repeated } from './repeated.js'

const plan = { chainId: 'item', nodes: [], chains: {}, params: [] }
const known = { plan, principal: 'ann', requestId: 'r', state: { key: 'k' }, repository: 'archive' }
const ended: ChainRun = {
  ...known,
  item: { key: { workflowId: 'w', step: '1' }, position: 3 },
  cursor: { node: 2 },
  loops: {},
  endsAt: 1_000,
}

test('an item that is done again after its deadline has none, and goes on where it was', () => {
  expect(repeated(ended)).toEqual({
    ...known,
    item: ended.item,
    cursor: { node: 2 },
    loops: {},
    isRepeated: true,
  })
})

test('a run that does items of another one again has neither its deadline nor its place', () => {
  const items = { ...plan, chainId: 'items' }
  expect(anotherRun(ended, items)).toEqual({ ...known, plan: items })
})

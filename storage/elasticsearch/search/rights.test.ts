import { expect, test } from 'vitest'
import { principalOf } from '../../../core/access/security/index.js'
import { rightsOf } from './rights.js'

const rights = (documents: number[], versions: number[]) =>
  rightsOf({ scopesOf: async () => ({ documents, versions }) }, principalOf('ann', [], false))

const scopes = (...ids: number[]) => ({ terms: { 'ecm:scope': ids } })
const ofKind = (isVersion: boolean, ...ids: number[]) => ({
  bool: { filter: [{ term: { 'ecm:isVersion': isVersion } }, scopes(...ids)] },
})

test.each([
  ['the same scopes are one list', [1, 2], [2, 1], scopes(1, 2)],
  [
    'what differs is told by kind',
    [1, 2, 3],
    [2, 4],
    { bool: { should: [scopes(2), ofKind(false, 1, 3), ofKind(true, 4)], minimum_should_match: 1 } },
  ],
  ['documents alone', [1], [], ofKind(false, 1)],
  ['whoever may browse nothing finds nothing', [], [], { match_none: {} }],
] as const)('%s', async (_, documents, versions, expected) => {
  expect(await rights([...documents], [...versions])).toEqual([expected])
})

test('administrators are asked for nothing, and too many scopes are left to the database', async () => {
  const feed = { scopesOf: async () => ({ documents: [], versions: [] }) }
  expect(await rightsOf(feed, principalOf('Administrator', [], true))).toEqual([])
  const many = Array.from({ length: 65_537 }, (_, id) => id)
  expect(await rights(many, [])).toBeUndefined()
})

import { describe, expect, test } from 'vitest'
import { decideByPolicy, demandedByQueries, policyRestrictions, type SecurityPolicy } from './policy.js'
import { principalOf } from './principal.js'

const ANN = principalOf('ann', ['staff'], false)
const facts = {
  type: 'File',
  facets: ['Versionable'],
  lifecycleState: 'draft' as string | null,
  lockOwner: null as string | null,
}

const policy = (
  given: Partial<Omit<SecurityPolicy, 'permissions'>> & { permissions?: string[] },
): SecurityPolicy => ({
  name: 'p',
  decision: 'deny',
  when: {},
  query: null,
  ...given,
  permissions: new Set(given.permissions ?? ['Browse']),
})

const decide = (policies: SecurityPolicy[], document = facts, permission = 'Browse') =>
  decideByPolicy({ policies, principal: ANN, permission, document: () => document })

describe('deciding', () => {
  test.each<[string, SecurityPolicy['when'], boolean | undefined]>([
    ['without conditions', {}, false],
    ['by type', { types: ['Note', 'File'] }, false],
    ['not for another type', { types: ['Note'] }, undefined],
    ['by facet', { facets: ['Versionable'] }, false],
    ['by state', { lifecycleStates: ['draft'] }, false],
    ['by who it is', { identities: ['staff'] }, false],
    ['not for somebody else', { identities: ['bob'] }, undefined],
    ['when all hold', { types: ['File'], lifecycleStates: ['draft'] }, false],
    ['not when one does not', { types: ['File'], lifecycleStates: ['done'] }, undefined],
    ['by lock', { isLockedByOther: true }, undefined],
  ])('%s', (_, when, expected) => {
    expect(decide([policy({ when })])).toBe(expected)
  })

  test('by state says nothing of a document that has none', () => {
    const obsolete = policy({ when: { lifecycleStates: ['obsolete'] } })
    expect(decide([obsolete], { ...facts, lifecycleState: null })).toBe(undefined)
  })

  test('of several names of a facet, a state or an identity one is enough', () => {
    expect(decide([policy({ when: { facets: ['Folderish', 'Versionable'] } })])).toBe(false)
    expect(decide([policy({ when: { facets: ['Folderish'] } })])).toBe(undefined)
    expect(decide([policy({ when: { lifecycleStates: ['done', 'draft'] } })])).toBe(false)
    expect(decide([policy({ when: { identities: ['bob', 'staff'] } })])).toBe(false)
  })

  test('by the absence of a lock of others', () => {
    const unlocked = policy({ when: { isLockedByOther: false } })
    expect(decide([unlocked])).toBe(false)
    expect(decide([unlocked], { ...facts, lockOwner: 'ann' })).toBe(false)
    expect(decide([unlocked], { ...facts, lockOwner: 'bob' })).toBe(undefined)
  })

  test('a lock counts when it is somebody else’s', () => {
    const lock = policy({ when: { isLockedByOther: true }, permissions: ['Write'] })
    expect(decide([lock], { ...facts, lockOwner: 'bob' }, 'Write')).toBe(false)
    expect(decide([lock], { ...facts, lockOwner: 'ann' }, 'Write')).toBe(undefined)
    expect(decide([lock], { ...facts, lockOwner: 'bob' }, 'Read')).toBe(undefined)
  })

  test('to whom browsing is denied nothing else is granted', () => {
    const hiding = policy({})
    expect(decide([hiding], facts, 'Read')).toBe(false)
    expect(decide([hiding, policy({ decision: 'grant', permissions: ['Read'] })], facts, 'Read')).toBe(false)
    expect(decide([policy({ decision: 'grant' }), hiding], facts, 'Read')).toBe(undefined)
  })

  test('a policy for its query alone has no answer', () => {
    expect(decide([policy({ decision: null, query: 'dc:x = 1' })])).toBe(undefined)
    expect(decide([policy({ decision: null, query: 'dc:x = 1' }), policy({})])).toBe(false)
  })

  test('the first that has an answer wins', () => {
    expect(decide([policy({ decision: 'grant' }), policy({})])).toBe(true)
    expect(decide([policy({ when: { types: ['Note'] } }), policy({ decision: 'grant' })])).toBe(true)
  })
})

test.each<[string, SecurityPolicy[], string[]]>([
  ['nothing without policies about Browse', [policy({ permissions: ['Write'] })], []],
  [
    'what escapes the conditions',
    [policy({ when: { types: ["O'Ne\\ill"] } })],
    ["(ecm:primaryType NOT IN ('O\\'Ne\\\\ill'))"],
  ],
  ['nothing for whom it does not concern', [policy({ when: { identities: ['bob'] } })], []],
  ['its own words alone', [policy({ decision: null, query: 'dc:x = 1' })], ['(dc:x = 1)']],
  [
    'its own words',
    [policy({ decision: 'grant', when: { types: ['X'] }, query: 'dc:x = 1' })],
    ["((dc:x = 1) OR NOT (ecm:primaryType NOT IN ('X')))"],
  ],
])('queries get %s', (_, policies, expected) => {
  expect(policyRestrictions(policies, ANN)).toEqual(expected)
  expect(policyRestrictions(policies, principalOf('root', [], true))).toEqual([])
})

test.each<[string, SecurityPolicy['when'], string]>([
  ['nothing', {}, 'ecm:uuid IS NULL'],
  ['types', { types: ['A', 'B'] }, "(ecm:primaryType NOT IN ('A', 'B'))"],
  ['facets', { facets: ['A'] }, "(ecm:mixinType NOT IN ('A'))"],
  [
    'states, which a document without one escapes',
    { lifecycleStates: ['done'] },
    "((ecm:currentLifeCycleState IS NULL OR ecm:currentLifeCycleState NOT IN ('done')))",
  ],
  ['locks', { isLockedByOther: true }, "((ecm:lockOwner IS NULL OR ecm:lockOwner = 'd\\'o\\\\e'))"],
  ['no locks', { isLockedByOther: false }, "((ecm:lockOwner IS NOT NULL AND ecm:lockOwner <> 'd\\'o\\\\e'))"],
  [
    'several conditions',
    { types: ['A'], facets: ['B'] },
    "(ecm:primaryType NOT IN ('A') OR ecm:mixinType NOT IN ('B'))",
  ],
  ['identities, one of which it is', { identities: ['x', 'staff'] }, 'ecm:uuid IS NULL'],
])('a query escapes what is denied by %s', (_, when, expected) => {
  const principal = principalOf("d'o\\e", ['staff'], false)
  expect(policyRestrictions([policy({ when })], principal)).toEqual([expected])
})

test('what several earlier policies grant is not kept out', () => {
  const granting = ['A', 'B'].map((type) => policy({ decision: 'grant', when: { types: [type] } }))
  expect(policyRestrictions([...granting, policy({})], ANN)).toEqual([
    "(ecm:uuid IS NULL OR NOT (ecm:primaryType NOT IN ('A')) OR NOT (ecm:primaryType NOT IN ('B')))",
  ])
})

test.each<[string, SecurityPolicy[], string, string[]]>([
  ['nothing without a query', [policy({ when: { types: ['X'] } })], 'Read', []],
  [
    'what a policy about the permission says',
    [policy({ decision: null, permissions: ['Write'], query: 'dc:x = 1' })],
    'Write',
    ['(dc:x = 1)'],
  ],
  [
    'nothing for another permission',
    [policy({ decision: null, permissions: ['Write'], query: 'dc:x = 1' })],
    'Read',
    [],
  ],
  [
    'for every permission what one about Browse says',
    [policy({ decision: null, query: 'dc:x = 1' })],
    'Write',
    ['(dc:x = 1)'],
  ],
  [
    'not of what an earlier policy grants',
    [policy({ decision: 'grant', when: { types: ['X'] } }), policy({ decision: null, query: 'dc:x = 1' })],
    'Read',
    ["((dc:x = 1) OR NOT (ecm:primaryType NOT IN ('X')))"],
  ],
])('single documents must meet %s', (_, policies, permission, expected) => {
  expect(demandedByQueries(policies, ANN, permission)).toEqual(expected)
  expect(demandedByQueries(policies, principalOf('root', [], true), permission)).toEqual([])
})

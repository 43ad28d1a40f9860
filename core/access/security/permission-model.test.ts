import { describe, expect, test } from 'vitest'
import { permissionsOf, testPermissions } from './model.fixture.js'

describe('who decides about a permission', () => {
  test.each([
    ['Browse', ['Browse', 'Everything', 'Read', 'ReadWrite']],
    ['WriteProperties', ['Everything', 'ReadWrite', 'Write', 'WriteProperties']],
    ['ReadWrite', ['Everything', 'ReadWrite']],
    ['Secret', ['Secret']],
    ['Unknown', ['Everything', 'Unknown']],
  ])('%s: itself, what includes it, and Everything unless it is granted by name alone', (name, expected) => {
    expect([...testPermissions().accepted(name)].sort()).toEqual(expected)
  })

  test('what a later contribution removes is not included', () => {
    const { accepted } = permissionsOf('permissions: { A: {}, B: { includes: [A], removes: [A] } }')
    expect([...accepted('A')].sort()).toEqual(['A', 'Everything'])
  })
})

test.each([
  ['Read', 'Read'],
  ['EditProperties', 'WriteProperties'],
  ['Unknown', undefined],
])('the name %s is %s', (name, expected) => {
  const { canonical, known } = testPermissions()
  expect(canonical(name)).toBe(expected)
  expect(known.includes(name)).toBe(name === expected)
})

test('a type offers what all offer, and its own beside, in order', () => {
  const { visible } = permissionsOf(`
permissions: { A: {}, B: {}, C: {}, D: {} }
visiblePermissions:
  default: { items: { C: {}, B: { order: 20, deny: A }, D: { order: 1 } } }
  File: { items: { A: { order: 10 }, D: { show: false } } }
`)
  expect(visible('Note')).toEqual([
    { name: 'D', deny: 'D' },
    { name: 'B', deny: 'A' },
    { name: 'C', deny: 'C' },
  ])
  expect(visible('File').map(({ name }) => name)).toEqual(['A', 'B', 'C'])
  expect(visible('File')).toBe(visible('File'))
})

describe('policies', () => {
  const policiesIn = (text: string) =>
    permissionsOf(`
permissions: { Browse: {}, Read: { includes: [Browse] }, Secret: { onlyByName: true } }
securityPolicies:
${text}`).policies

  test('are asked in their order, without those that are switched off', () => {
    const policies = policiesIn(`
  last: { order: 20, decision: deny }
  first: { order: -5, decision: deny }
  unordered: { decision: deny }
  off: { order: 1, enabled: false, decision: deny }`)
    expect(policies.map(({ name }) => name)).toEqual(['first', 'unordered', 'last'])
  })

  test.each([
    ['{}', 'deny'],
    ['{ decision: grant }', 'grant'],
    ['{ query: "dc:title = 1" }', null],
    ['{ query: "dc:title = 1", when: { types: [File] } }', 'deny'],
    ['{ query: "dc:title = 1", decision: grant }', 'grant'],
  ])('%s answers %s when its conditions hold', (content, decision) => {
    expect(policiesIn(`  p: ${content}`)[0]?.decision).toBe(decision)
  })

  test.each([
    ['[Read]', ['Browse', 'Read']],
    ['[Browse]', ['Browse']],
    ['[Read, Secret]', ['Browse', 'Read', 'Secret']],
    [undefined, ['Browse', 'Everything', 'Read']],
  ])('about %s decide about what it includes, too', (permissions, expected) => {
    const [policy] = policiesIn(
      `  p: { decision: deny ${permissions ? `, permissions: ${permissions}` : ''} }`,
    )
    expect([...policy!.permissions].sort()).toEqual(expected)
  })

  test('have their conditions', () => {
    const [policy] = policiesIn(
      '  p: { when: { types: [A], facets: [B], lifecycleStates: [c], identities: [d], lockedByOther: false } }',
    )
    expect(policy?.when).toEqual({
      types: ['A'],
      facets: ['B'],
      lifecycleStates: ['c'],
      identities: ['d'],
      isLockedByOther: false,
    })
  })
})

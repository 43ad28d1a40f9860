import { describe, expect, test } from 'vitest'
import { type ChainDefinition, type ChainStep, createRegistry } from '../language/index.js'
import type { PlanNode } from './plan.js'
import { committingSteps, planChain, titleOf } from './planner.js'
import { apart, chainOf, registryOf, scripted, step, testOperations } from './registry.fixture.js'

const saying = chainOf('saying', 'Test.Say')
const converting = chainOf('converting', 'Test.Say', 'Test.Convert', 'Test.Say')
const committing = chainOf('committing', 'Test.Say', apart('Test.Say'))
const registry = registryOf(saying, converting, committing)

const nodesOf = (...steps: (string | ChainStep)[]) => planChain(chainOf('outer', ...steps), registry).nodes
const brief = (node: PlanNode) =>
  node.kind === 'segment' ? node.steps.map(({ operation }) => operation) : `${node.kind} ${node.target}`

describe('a segment is slow', () => {
  const slowOf = (...steps: (string | ChainStep)[]) =>
    nodesOf(...steps).map((node) => node.kind !== 'loop' && node.isSlow)

  test.each<[string, (string | ChainStep)[], boolean]>([
    ['no step of it is', ['Test.Say', 'saying', step('Test.Run', { id: 'saying' })], false],
    ['the first step is', ['Test.Convert', 'Test.Say'], true],
    ['the last step is', ['Test.Say', 'Test.Convert'], true],
    ['one between quick ones is', ['Test.Say', 'Test.Convert', 'Test.Say'], true],
    ['a step of a chain that it calls is', ['Test.Say', 'converting', 'Test.Say'], true],
    ['what a step runs is', [step('Test.Run', { id: 'Test.Convert' }), 'Test.Say'], true],
    ['a chain that a step runs is', [step('Test.Run', { id: 'converting' }), 'Test.Say'], true],
  ])('when %s', (_, steps, expected) => {
    expect(slowOf(...steps)).toEqual([expected])
  })

  test('and so is a call of what has a slow one among its nodes', () => {
    const slowly = registryOf(
      chainOf('mixed', 'Test.Convert', apart('Test.Say')),
      chainOf('looping', step('Test.Loop', { id: 'Test.Convert' }), 'Test.Say'),
    )
    const nodes = planChain(chainOf('outer', 'mixed', 'looping'), slowly).nodes
    expect(nodes.map((node) => node.kind === 'call' && node.isSlow)).toEqual([true, false])
  })

  test('for itself alone, not for those beside it', () => {
    expect(slowOf('Test.Say', apart('Test.Say'), 'Test.Convert', apart('Test.Convert'), 'Test.Say')).toEqual([
      false,
      false,
      true,
      true,
      false,
    ])
  })

  test('when an error chain of it is, whatever its steps are', () => {
    const caught = (chain: string): ChainDefinition => ({
      ...chainOf('outer', 'Test.Say', apart('Test.Say'), 'Test.Say'),
      onError: [{ chain, priority: 0, rollback: true }],
    })
    const slow = (chain: string) =>
      planChain(caught(chain), registry).nodes.map((node) => node.kind !== 'loop' && node.isSlow)
    expect(slow('converting')).toEqual([true, false, true])
    expect(slow('saying')).toEqual([false, false, false])
    expect(Object.keys(planChain(caught('converting'), registry).chains)).toEqual(['converting'])
    expect(() => slow('Test.Say')).toThrow('the error chain Test.Say is an operation')
    expect(() => slow('committing')).toThrow('the error chain committing commits on its way')
  })
})

describe('a chain is cut', () => {
  test.each<[string, (string | ChainStep)[], unknown[]]>([
    [
      'nowhere without boundaries',
      ['Test.Say', 'saying', 'Test.Convert'],
      [['Test.Say', 'saying', 'Test.Convert']],
    ],
    ['nowhere without steps', [], []],
    [
      'around a transaction of its own',
      ['Test.Say', 'Test.Say', apart('saying'), 'Test.Say'],
      [['Test.Say', 'Test.Say'], 'call saying', ['Test.Say']],
    ],
    ['between two of them', [apart('saying'), apart('Test.Say')], ['call saying', 'call Test.Say']],
    ['not where none is asked for', [step('Test.Run', { id: 'saying', newTx: false })], [['Test.Run']]],
    ['where what a step runs commits', [step('Test.Run', { id: 'committing' })], ['call committing']],
    ['where a chain commits', ['Test.Say', 'committing'], [['Test.Say'], 'call committing']],
    ['at a loop', ['Test.Say', step('Test.Loop', { id: 'saying' })], [['Test.Say'], 'loop saying']],
    ['not at pages of what is one transaction', [step('Test.Pages', { id: 'saying' })], [['Test.Pages']]],
    ['at pages of what commits', [step('Test.Pages', { id: 'committing' })], ['loop committing']],
    [
      'not where an expression names what a step runs',
      [step('Test.Run', { id: 'expr:@{x}' })],
      [['Test.Run']],
    ],
    [
      'where a text that looks like one names it in a call',
      [{ operation: 'Test.Run', params: { id: 'Test.Say', newTx: true }, isLiteral: true }],
      ['call Test.Say'],
    ],
  ])('%s', (_, steps, expected) => {
    expect(nodesOf(...steps).map(brief)).toEqual(expected)
  })

  test('and a boundary has the nodes of what commits below it', () => {
    const inner = [
      { kind: 'segment', title: 'Test.Say' },
      { kind: 'call', target: 'Test.Say', keepsOutput: false, isSlow: false, title: 'Test.Run Test.Say' },
    ]
    expect(nodesOf('committing', step('Test.Loop', { id: 'committing' }))).toMatchObject([
      { kind: 'call', target: 'committing', plan: inner, keepsOutput: true, title: 'chain committing' },
      { kind: 'loop', over: 'list', plan: inner, title: 'Test.Loop committing' },
    ])
    expect(nodesOf(apart('saying'))[0]).not.toHaveProperty('plan')
  })

  test('with the error chains of what has nodes of its own', () => {
    const onError = [{ chain: 'saying', priority: 0, rollback: true }]
    const careful = { ...committing, id: 'careful', onError }
    const nodes = planChain(
      chainOf('outer', 'careful', apart('careful'), 'committing'),
      registryOf(saying, careful, committing),
    ).nodes
    expect(nodes.map((node) => node.kind !== 'segment' && node.onError)).toEqual([
      onError,
      onError,
      undefined,
    ])
    expect(planChain(careful, registryOf(saying)).onError).toEqual(onError)
    expect(planChain(committing, registry)).not.toHaveProperty('onError')
  })

  test('and a call for each element of a list may take long', () => {
    const mapped = [{ kind: 'call', mapsInput: true, keepsOutput: true, isSlow: true }]
    expect(nodesOf(step('Test.Map', { id: 'Test.Say' }))).toMatchObject(mapped)
    expect(nodesOf(step('Test.Both', { id: 'Test.Say' }))).toMatchObject(mapped)
    expect(nodesOf(apart('Test.Say'))[0]).not.toHaveProperty('mapsInput')
  })
})

test('a run carries the scripts that it calls, with what their texts name, by id or alias', () => {
  const operations = [
    ...testOperations,
    scripted('Demo.First', 'Demo.Second(Demo.First, Chain.saying)'),
    scripted('Demo.Second', 'Demo.Also()'),
    scripted('Demo.Third', 'nothing', ['Demo.Also']),
    scripted('Demo.Other', 'Demo.First()'),
  ]
  const scripts = createRegistry(operations, [saying, converting])
  const carried = (...steps: (string | ChainStep)[]) => planChain(chainOf('outer', ...steps), scripts).chains
  expect(Object.keys(carried('Demo.First')).sort()).toEqual([
    'Demo.First',
    'Demo.Second',
    'Demo.Third',
    'saying',
  ])
  expect(Object.keys(carried(apart('Demo.Third')))).toEqual(['Demo.Third'])
  expect(carried('Demo.Third')['Demo.Third']).toEqual({
    id: 'Demo.Third',
    aliases: ['Demo.Also'],
    params: [],
    steps: [],
    script: { id: 'Demo.Third', aliases: ['Demo.Also'], category: 'Test', params: [], script: 'nothing' },
  })
})

test('what commits must be named before the chain runs', () => {
  expect(() => nodesOf(step('Test.Loop', { id: 'expr:@{x}' }))).toThrow(
    'Test.Loop: parameter id must name an operation or chain',
  )
  expect(() => nodesOf(step('Test.Loop'))).toThrow('parameter id must name')
})

test('chains are nested twenty deep at most', () => {
  const nested = (depth: number) => {
    const chains = [chainOf('c1', 'Test.Say')]
    for (let level = 2; level <= depth; level++) chains.push(chainOf(`c${level}`, `c${level - 1}`))
    return planChain(chainOf('outer', `c${depth}`), registryOf(...chains)).nodes
  }
  expect(nested(19)).toHaveLength(1)
  expect(() => nested(20)).toThrow('Chain c1 is nested deeper than 20 calls')
})

test('a chain that calls itself is refused with its way there', () => {
  const circle = registryOf(chainOf('inner', 'outer'), chainOf('outer', 'inner'))
  expect(() => planChain(chainOf('outer', 'inner'), circle)).toThrow(
    'Chain outer -> inner -> outer calls itself',
  )
})

test('the steps that commit are found one by one, those that cannot be planned among none', () => {
  const chain = chainOf('outer', 'Test.Say', apart('saying'), step('Test.Loop'), 'Nothing', 'committing')
  expect(committingSteps(chain, registry)).toEqual([1, 4])
})

describe('an operator reads', () => {
  const titled = (...names: string[]) => titleOf(names.map((name) => step(name)))

  test.each([
    [['A'], 'A'],
    [['A', 'B', 'C'], 'A, B, C'],
    [['A', 'B', 'C', 'D'], 'A, B and 2 more'],
  ])('of the steps %j: %s', (names, expected) => {
    expect(titled(...names)).toBe(expected)
  })

  test('no more than 120 characters of a title', () => {
    expect(titled('x'.repeat(120))).toBe('x'.repeat(120))
    expect(titled('x'.repeat(121))).toBe(`${'x'.repeat(120)}…`)
  })
})

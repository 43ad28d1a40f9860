import { expect, test } from 'vitest'
import type { PlanNode } from './plan.js'
import { requireFit, requireSameNodes } from './plan-fit.js'

const segment: PlanNode = { kind: 'segment', steps: [], isSlow: false, title: 'Log' }
const step = (list: string) => ({ operation: 'RunOperationOnList', params: { list } })
const loop = (list = 'found', plan?: PlanNode[]): PlanNode => ({
  kind: 'loop',
  step: step(list),
  target: 'one',
  over: 'list',
  title: 'RunOperationOnList one',
  ...(plan && { plan }),
})
const call = (more: object = {}): PlanNode => ({
  kind: 'call',
  step: { operation: 'RunInNewTransaction', params: {} },
  target: 'one',
  keepsOutput: false,
  isSlow: false,
  title: 'RunInNewTransaction one',
  ...more,
})

test.each<[PlanNode[], PlanNode[], { at: number; hasBegun: boolean }]>([
  [[segment, loop(), segment], [segment, loop()], { at: 1, hasBegun: true }],
  [[segment, loop()], [segment], { at: 1, hasBegun: false }],
  [[segment, loop()], [segment, call(), segment], { at: 1, hasBegun: false }],
  [[segment], [loop(), segment], { at: 0, hasBegun: false }],
  [[call({ plan: [segment] })], [call({ plan: [segment, segment] })], { at: 0, hasBegun: true }],
  // Lists are those of loops alone.
  [[call({ step: step('found') })], [call({ step: step('others') })], { at: 0, hasBegun: true }],
  [[call({ mapsInput: true })], [loop('others')], { at: 0, hasBegun: true }],
  [[loop('others')], [call({ mapsInput: true })], { at: 0, hasBegun: true }],
])('%j may go on as %j from %j', (before, now, where) => {
  expect(() => requireFit(before, now, where)).not.toThrow()
})

test.each<[PlanNode[], PlanNode[], { at: number; hasBegun: boolean }, RegExp]>([
  [
    [segment, loop(), segment],
    [loop(), segment],
    { at: 2, hasBegun: false },
    /node 0 was a transaction \(Log\), and is a transaction for each item/,
  ],
  [[segment, loop(), segment], [segment], { at: 2, hasBegun: false }, /node 1 .* is not there/],
  [
    [call(), segment],
    [call({ plan: [segment] }), segment],
    { at: 1, hasBegun: false },
    /node 0 was a transaction of its own .* is a run of its own/,
  ],
  [
    [call({ plan: [] })],
    [call({ plan: [], mapsInput: true })],
    { at: 0, hasBegun: true },
    /is a run for each item/,
  ],
  [[loop()], [loop('found', [segment])], { at: 0, hasBegun: true }, /is a run for each item/],
  [[loop()], [loop('others')], { at: 0, hasBegun: true }, /list found .* list others/],
  [[loop()], [segment], { at: 0, hasBegun: true }, /node 0/],
])('%j may not go on as %j from %j', (before, now, where, message) => {
  expect(() => requireFit(before, now, where)).toThrow(message)
})

test.each<[PlanNode[], PlanNode[]]>([
  [[], []],
  [
    [segment, loop(), call()],
    [segment, loop(), call(), segment],
  ],
  [[segment], [segment]],
  [[call({ plan: [segment, loop()] })], [call({ plan: [segment, loop(), segment] })]],
  [[loop('found', [call({ plan: [segment] })])], [loop('found', [call({ plan: [segment] })])]],
])('runs at any node of %j may go on as %j', (before, now) => {
  expect(() => requireSameNodes(before, now)).not.toThrow()
})

test.each<[PlanNode[], PlanNode[], RegExp]>([
  [[segment, loop()], [segment], /node 1 was a transaction for each item .* is not there/],
  [[segment], [call()], /node 0 was a transaction \(Log\), and is a transaction of its own/],
  [[call()], [segment], /node 0 was a transaction of its own/],
  [[segment, loop()], [segment, loop('others')], /items of the list found are done of node 1/],
  [
    [call({ plan: [segment, loop()] })],
    [call({ plan: [segment, segment] })],
    /node 1 was a transaction for each item .*, and is a transaction \(Log\)/,
  ],
  [
    [loop('found', [call({ plan: [segment] })])],
    [loop('found', [call({ plan: [loop()] })])],
    /node 0 was a transaction \(Log\), and is a transaction for each item/,
  ],
])('runs at any node of %j may not go on as %j', (before, now, message) => {
  expect(() => requireSameNodes(before, now)).toThrow(message)
})

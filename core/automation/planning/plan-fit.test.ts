import { expect, test } from 'vitest'
import type { PlanNode } from './plan.js'
import { requireFit } from './plan-fit.js'

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

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { principalOf } from '../core/access/security/index.js'
import type { SegmentDependencies } from '../core/automation/execution/index.js'
import { createRegistry, defineOperation, VOID } from '../core/automation/language/index.js'
import { createMemoryUnits } from '../core/automation/run-store/memory.fixture.js'
import { fail } from '../core/platform/errors/index.js'
import { createEventPages } from './run-event-page.js'
import type { EventPageInput, EventRun } from './types.js'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

/** Keeps the word of each run; takes as many milliseconds as a word with a number in it says. */
const keep = defineOperation({
  id: 'Test.Keep',
  label: 'Keep',
  category: 'Test',
  description: 'Keeps the word of the run',
  params: {},
  methods: ({ method }) => [
    method('void', 'void', async ({ context: { transient, variables } }) => {
      const { word, seen } = variables
      const value = word?.type === 'string' ? word.value : ''
      if (value === 'broken') throw fail('badRequest', 'This one is broken')
      if (/^\d+$/.test(value)) vi.advanceTimersByTime(Number(value))
      // What an attempt has set is not there when the run is done again.
      if (seen) throw fail('badRequest', `${value} was here before`)
      variables.seen = { type: 'string', value }
      await transient.putList('words', [...(await transient.getList('words', 0, 1_000)), value])
      return VOID
    }),
  ],
})

const pageOf = (words: readonly string[], users: readonly string[] = []): EventPageInput => ({
  requestId: 'request',
  chainId: 'keeping',
  plan: {
    chainId: 'keeping',
    nodes: [
      { kind: 'segment', steps: [{ operation: 'Test.Keep', params: {} }], isSlow: false, title: 'Keep' },
    ],
    chains: {},
    params: [],
  } as unknown as EventPageInput['plan'],
  runs: words.map(
    (word, index): EventRun => ({
      ...{ workflowId: `run${index}`, requestId: 'request', eventDepth: 1, event: 'documentCreated' },
      ...{ summary: word, principal: users[index] ?? 'ann' },
      state: { state: { input: VOID, variables: { word: { type: 'string', value: word } } } },
    }),
  ),
})

const createBench = () => {
  const memory = createMemoryUnits()
  const dependencies = {
    ...{ units: memory.units, registry: createRegistry([keep], []) },
    ...{ expressions: {}, scripts: { openRunner: () => undefined } },
    services: { blobs: { ownedBy: () => ({}) }, runEnded: () => undefined, log: () => undefined },
  } as unknown as SegmentDependencies
  const apart: string[] = []
  const runPage = createEventPages({
    segments: async () => dependencies,
    principal: async (name) => principalOf(name, [], false),
    startApart: async (_, { workflowId }) => void apart.push(workflowId),
  })
  const { signal } = new AbortController()
  return {
    kept: memory.kept,
    apart,
    run: (page: EventPageInput, { isRepeated = false, longestMs = 60_000 } = {}) =>
      runPage(page, { signal, isRepeated, longestMs, report: () => undefined }),
    words: () => [...(memory.kept().lists.get('words') ?? [])],
  }
}

const words = (count: number) => Array.from({ length: count }, (_, index) => `word ${index}`)

test('short runs of one user share transactions, and each has its receipt and its record', async () => {
  const bench = createBench()
  expect(await bench.run(pageOf(words(60)))).toEqual({ done: 60, apart: 0, left: 0 })
  expect(bench.words()).toEqual(words(60))
  const { receipts, runs, commits } = bench.kept()
  expect([receipts.size, runs.size, commits]).toEqual([60, 60, 3])
  expect(runs.get('run7')).toMatchObject({ chainId: 'keeping', principal: 'ann', title: 'Keep' })
})

test('runs of two users share none', async () => {
  const bench = createBench()
  await bench.run(pageOf(words(4), ['ann', 'ann', 'bob', 'bob']))
  expect(bench.kept().commits).toBe(2)
  expect([...bench.kept().runs.values()].map(({ principal }) => principal).toSorted()).toEqual([
    ...['ann', 'ann', 'bob', 'bob'],
  ])
})

test('what fails among others goes on as a workflow, and the others are done one by one', async () => {
  const bench = createBench()
  expect(await bench.run(pageOf(['a', 'broken', 'c']))).toEqual({ done: 2, apart: 1, left: 0 })
  expect(bench.words()).toEqual(['a', 'c'])
  expect(bench.apart).toEqual(['run1'])
  expect(bench.kept().commits).toBe(2)
})

test('a transaction takes no other run when it has lasted', async () => {
  const bench = createBench()
  expect(await bench.run(pageOf(['60', 'b', 'c']))).toEqual({ done: 3, apart: 0, left: 0 })
  expect(bench.kept().commits).toBe(2)
})

test('behind a run that takes two seconds the rest of the page goes on as workflows', async () => {
  const bench = createBench()
  const page = pageOf(['a', '2500', ...words(3)])
  expect(await bench.run(page)).toEqual({ done: 2, apart: 3, left: 0 })
  expect(bench.apart).toEqual(['run2', 'run3', 'run4'])
})

test('a page that is begun again finds the receipts of what is done', async () => {
  const bench = createBench()
  await bench.run(pageOf(['a', 'b']))
  expect(await bench.run(pageOf(['a', 'b', 'c']), { isRepeated: true })).toEqual({
    done: 3,
    apart: 0,
    left: 0,
  })
  // Read again with other events, its attempt is a first one.
  expect(await bench.run(pageOf(['a', 'b', 'c', 'd']))).toEqual({ done: 4, apart: 0, left: 0 })
  expect(bench.words()).toEqual(['a', 'b', 'c', 'd'])
})

test('a page whose time is over leaves its last runs to whoever goes on', async () => {
  const bench = createBench()
  const page = pageOf(['60', '60', 'c', 'd'])
  expect(await bench.run(page, { longestMs: 100 })).toEqual({ done: 2, apart: 0, left: 2 })
  expect(bench.words()).toEqual(['60', '60'])
})

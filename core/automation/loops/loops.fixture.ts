import { vi } from 'vitest'
import { principalOf } from '../../access/security/index.js'
import type { BlobValue } from '../../model/properties/index.js'
import { fail } from '../../platform/errors/index.js'
import { createRateLimit } from '../../platform/limits/index.js'
import type { SegmentDependencies } from '../execution/index.js'
import {
  type ChainStep,
  createRegistry,
  defineOperation,
  type Incident,
  type Value,
  type Variables,
  VOID,
} from '../language/index.js'
import type { StepKey } from '../run-store/index.js'
import { createMemoryUnits } from '../run-store/memory.fixture.js'
import type { LoopCall, LoopPlace } from './place.js'

/** Words that the operations below fail at. */
export const BROKEN = 'broken'
export const REPAIRED = 'repaired'
export const LOST = 'lost'
/** What begins with it reports an incident. */
export const NOTED = 'noted'

const INCIDENT: Incident = {
  kind: 'passedOver',
  operation: 'Test.Write',
  target: 'nothing',
  input: { type: 'void' },
  failure: { code: 'badRequest', status: 400, message: 'Noted' },
}

const loop = defineOperation({
  id: 'Test.Loop',
  label: 'Loop',
  category: 'Test',
  description: 'Runs another one for each word',
  callsTarget: 'list',
  boundary: 'loop',
  params: {
    list: { type: 'string', default: 'words', description: 'Variable with the words' },
    item: { type: 'string', default: 'item', description: 'Variable of each word' },
    isolate: { type: 'boolean', default: true, description: 'Whether words see nothing of each other' },
    rollbackGlobalOnError: { type: 'boolean', default: true, description: 'Whether a failure ends the loop' },
    timeout: { type: 'integer', default: 60, description: 'Seconds' },
  },
  methods: ({ method }) => [method('void', 'void', async () => VOID)],
})

/** What is done of a word is kept in the transaction that does it; a word that is done already cannot be done again. */
const write = defineOperation({
  id: 'Test.Write',
  label: 'Write',
  category: 'Test',
  description: 'Writes the word in the variable item, once',
  params: {},
  methods: ({ method }) => [
    method('void', 'void', async ({ context: { transient, variables, report } }) => {
      const { item, seen } = variables
      const word = item?.type === 'string' ? item.value : ''
      const isRepaired = (await transient.get(REPAIRED)) !== undefined
      if (word.startsWith(NOTED)) report({ ...INCIDENT })
      if (await transient.get(word)) throw fail('conflict', `${word} is written already`)
      await transient.put(word, true)
      await transient.putList('written', [...(await transient.getList('written', 0, 1_000)), word])
      if (word.endsWith(BROKEN) && !isRepaired)
        throw fail('badRequest', `This one is ${'very '.repeat(500)}${BROKEN}`)
      if (word === LOST) throw new Error('The connection is lost')
      if (seen?.type === 'string') variables.seen = { type: 'string', value: `${seen.value}${word}` }
      return VOID
    }),
  ],
})

/** Does its target for each file of its input, or for an input without files once. */
const each = defineOperation({
  id: 'Test.Each',
  label: 'Each',
  category: 'Test',
  description: 'Runs another one for each file, in a transaction of its own',
  callsTarget: 'once',
  boundary: 'transaction',
  params: {
    isolate: { type: 'boolean', default: false, description: 'Whether files see nothing of each other' },
    rollbackGlobalOnError: { type: 'boolean', default: true, description: 'Whether a failure ends it' },
  },
  methods: ({ method, iterating }) => [
    iterating('blob', 'blob', async ({ input }) => ({ type: 'blob', blob: input })),
    method('void', 'void', async () => VOID),
  ],
})

/** What is done of a file says its name: it is called another one, or fails. */
const rename = defineOperation({
  id: 'Test.Rename',
  label: 'Rename',
  category: 'Test',
  description: 'Calls a file by another name',
  params: {},
  methods: ({ method }) => [
    method('blob', 'blob', async ({ input, context: { transient, variables } }) => {
      const { name = '' } = input
      if (name?.endsWith(BROKEN) && !(await transient.get(REPAIRED))) throw fail('badRequest', `No ${name}`)
      if (name === LOST && !(await transient.get(REPAIRED))) throw new Error('The connection is lost')
      const { seen } = variables
      if (seen?.type === 'string') variables.seen = { type: 'string', value: `${seen.value}${name}` }
      return { type: 'blob', blob: { ...input, name: `new-${name}` } }
    }),
    method('void', 'void', async ({ context: { variables } }) => {
      variables.seen = { type: 'string', value: 'nothing' }
      return VOID
    }),
  ],
})

const ANN = principalOf('ann', [], false)

export const KEY = { workflowId: 'run', step: '1' }

const fileOf = (name: string): BlobValue => ({
  name,
  digest: name,
  digestAlgorithm: 'MD5',
  length: 1,
  'mime-type': 'text/plain',
  encoding: null,
})

/** Names of the files of a value. */
export const namesOf = (value: Value | undefined): unknown =>
  value?.type === 'blobs' ? value.blobs.map(({ name }) => name) : value

/** A step that does its target for each of some files, or without files; on transactions in memory. */
export const createEachBench = (
  names: readonly string[] | undefined,
  params: ChainStep['params'] = {},
  { memory = createMemoryUnits(), retries }: Pick<BenchOptions, 'memory' | 'retries'> = {},
) => {
  const bench = createLoopBench([], {
    memory,
    ...(retries && { retries, key: { workflowId: 'retry', step: '0' } }),
  })
  const input: Value = names ? { type: 'blobs', blobs: names.map(fileOf) } : VOID
  const call: LoopCall = {
    step: { operation: 'Test.Each', params },
    target: 'Test.Rename',
    keepsOutput: true,
    over: 'input',
    ...(retries && { retries }),
  }
  const state = { state: { input, variables: { seen: { type: 'string', value: '' } as const } } }
  return { ...bench, place: { ...bench.place, run: { ...bench.place.run, state }, call } }
}

type BenchOptions = {
  params?: ChainStep['params']
  retries?: LoopCall['retries']
  key?: StepKey
  /** That of another bench, whose items are retried. */
  memory?: ReturnType<typeof createMemoryUnits>
}

/** A loop over words, on transactions in memory. */
export const createLoopBench = (
  words: readonly string[],
  { params = {}, retries, key = KEY, memory = createMemoryUnits() }: BenchOptions = {},
) => {
  const { units, kept } = memory
  const log = vi.fn()
  const dependencies = {
    units,
    registry: createRegistry([loop, write, each, rename], []),
    services: {
      log,
      logRate: createRateLimit({ calls: 3, periodMs: 60_000 }),
      blobs: { ownedBy: () => ({}) },
    },
    expressions: {},
    scripts: { openRunner: () => undefined },
  } as unknown as SegmentDependencies
  const list: Value = { type: 'json', value: [...words] }
  const variables: Variables = { words: list, seen: { type: 'string', value: '' } }
  const call: LoopCall = {
    step: { operation: 'Test.Loop', params: { id: 'Test.Write', ...params } },
    target: 'Test.Write',
    keepsOutput: false,
    over: 'list',
    ...(retries && { retries }),
  }
  const place: LoopPlace = {
    principal: ANN,
    run: { key, state: { state: { input: VOID, variables } }, chains: {} },
    call,
    signal: new AbortController().signal,
  }
  return {
    dependencies,
    place,
    memory,
    kept,
    log,
    repair: () => units.transaction(ANN, ({ transient }) => transient.put(REPAIRED, true)),
    /** In the order in which they were written. */
    written: () => units.reading(ANN).transient.getList('written', 0, 1_000),
    cursor: () => units.reading(ANN).iterations.cursor(key),
    failures: () => units.reading(ANN).iterations.failures(KEY, { limit: 1_000 }),
  }
}

import {
  type ChainDefinition,
  type ChainStep,
  createRegistry,
  defineOperation,
  type Operation,
} from '../language/index.js'

export const say = defineOperation({
  id: 'Test.Say',
  label: 'Say',
  category: 'Test',
  description: 'Says nothing',
  params: {},
  methods: ({ method }) => [method('void', 'void', async () => ({ type: 'void' }))],
})

const id = { type: 'string', description: 'What to run' } as const

/** Takes long. */
const convert: Operation = { ...say, id: 'Test.Convert', isSlow: true }

/** Runs another one, in a transaction of its own when it is asked to. */
const run = defineOperation({
  id: 'Test.Run',
  label: 'Run',
  category: 'Test',
  description: 'Runs another one',
  params: { id },
  boundary: ({ newTx }) => (newTx === true ? 'transaction' : undefined),
  callsTarget: 'once',
  methods: ({ method }) => [method('void', 'void', async () => ({ type: 'void' }))],
})

/** The same for each document of its input. */
const map = defineOperation({
  id: 'Test.Map',
  label: 'Map',
  category: 'Test',
  description: 'Runs another one for each document',
  params: { id },
  boundary: 'transaction',
  callsTarget: 'once',
  methods: ({ iterating }) => [iterating('document', 'document', async () => ({ type: 'void' }))],
})

/** Two ways to call it, one of which gives something, and one of which is for each document. */
const both: Operation = {
  ...run,
  id: 'Test.Both',
  boundary: 'transaction',
  methods: [...run.methods, ...map.methods],
}

const loop: Operation = { ...run, id: 'Test.Loop', boundary: 'loop', callsTarget: 'list' }
const pages: Operation = { ...run, id: 'Test.Pages', boundary: undefined, callsTarget: 'pages' }

export const testOperations: readonly Operation[] = [say, convert, run, map, both, loop, pages]

/** A chain of steps, each by its operation alone, or with parameters. */
export const chainOf = (chain: string, ...steps: (string | ChainStep)[]): ChainDefinition => ({
  id: chain,
  aliases: [],
  params: [],
  steps: steps.map((step) => (typeof step === 'string' ? { operation: step, params: {} } : step)),
})

export const step = (operation: string, params: ChainStep['params'] = {}): ChainStep => ({
  operation,
  params,
})

/** A step that runs another operation or chain in a transaction of its own. */
export const apart = (target: string): ChainStep => step('Test.Run', { id: target, newTx: true })

export const registryOf = (...chains: ChainDefinition[]) => createRegistry(testOperations, chains)

/** An operation that is a script. */
export const scripted = (name: string, script: string, aliases: readonly string[] = []): Operation => ({
  ...say,
  id: name,
  aliases,
  script: { id: name, aliases, category: 'Test', params: [], script },
})

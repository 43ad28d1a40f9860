import type { ChainDefinition, ChainStep, Value } from '../../core/automation/language/index.js'
import type { Plan, PlanNode } from '../../core/automation/planning/index.js'

const chain = (
  id: string,
  steps: readonly ChainStep[],
  onError?: ChainDefinition['onError'],
): ChainDefinition => ({ id, aliases: [], params: [], steps, ...(onError && { onError }) })

const step = (operation: string, params: ChainStep['params'] = {}): ChainStep => ({ operation, params })

const remember = (name: string) => step('Context.SetVar', { name, value: `expr:'${name}'` })

const FAILING = [
  step('Repository.GetDocument', { value: '/default-domain' }),
  step('Document.SetLifeCycle', { value: 'noSuchTransition' }),
]

/** Path of the document that `holding` of the recorder keeps runs waiting for. */
export const HELD = '/default-domain'

/** What the recorded runs call; redefining one changes what is recorded next, never what was. */
export const chains: readonly ChainDefinition[] = [
  chain('one-segment', [step('Repository.GetDocument', { value: '/default-domain' }), remember('seen')]),
  chain('of-item', [remember('touched')]),
  chain('loop', [
    remember('before'),
    step('Context.RunOperationOnListInNewTx', { id: 'of-item', list: 'numbers', item: 'item' }),
    remember('after'),
  ]),
  chain('in-a-transaction', [step('RunInNewTransaction', { id: 'of-item' })]),
  chain('nested', [
    remember('before'),
    step('loop'),
    step('Context.RunOperationOnListInNewTx', { id: 'in-a-transaction', list: 'few', item: 'item' }),
    remember('after'),
  ]),
  chain('failed', FAILING),
  chain('failed-in-a-transaction', [
    remember('before'),
    step('RunInNewTransaction', { id: 'failed', rollbackGlobalOnError: true }),
  ]),
  chain('caught', [remember('before'), ...FAILING], [{ chain: 'of-item', rollback: false, priority: 0 }]),
  chain(
    'caught-behind-a-transaction',
    [step('failed-in-a-transaction'), remember('never')],
    [{ chain: 'of-item', rollback: true, priority: 0 }],
  ),
  chain(
    'not-caught',
    [step('failed-in-a-transaction')],
    [{ chain: 'of-item', rollback: true, priority: 0, filter: '1 == 2' }],
  ),
  chain('elements-of-input', [
    step('Repository.Query', { query: "SELECT * FROM Document WHERE ecm:path STARTSWITH '/default-domain'" }),
    step('RunDocumentOperation', { id: 'in-a-transaction' }),
    remember('after'),
  ]),
  chain('elements-handing-on', [
    step('RunOperationOnListInNewTx', { id: 'in-a-transaction', list: 'few', isolate: 'false' }),
    remember('after'),
  ]),
  chain('passed-over', [
    step('Context.RunDocumentOperationInNewTx', { id: 'failed-in-a-transaction' }),
    remember('after'),
  ]),
  chain('failed-apart', [step('RunInNewTransaction', { id: 'of-item' }), ...FAILING]),
  chain('elements-passed-over', [
    step('RunOperationOnListInNewTx', { id: 'failed-apart', list: 'few', rollbackGlobalOnError: false }),
    remember('after'),
  ]),
  chain('elements-stopping', [
    step('RunOperationOnListInNewTx', { id: 'failed-apart', list: 'few' }),
    remember('never'),
  ]),
  chain('target-then-failed', [
    step('RunInNewTransaction', { id: 'in-a-transaction' }),
    step('RunInNewTransaction', { id: 'failed-apart', rollbackGlobalOnError: true }),
  ]),
  chain('changing', [
    step('RunInNewTransaction', { id: 'of-item' }),
    step('Repository.GetDocument', { value: HELD }),
    step('Document.SetProperty', { xpath: 'dc:source', value: 'changed' }),
  ]),
  chain('in-time', [
    step('RunInNewTransaction', { id: 'in-a-transaction', timeout: 3_600 }),
    remember('after'),
  ]),
  chain('too-long', [
    step('RunInNewTransaction', { id: 'changing', timeout: 1, rollbackGlobalOnError: true }),
    remember('never'),
  ]),
  chain('element-cancelled', [
    step('RunOperationOnListInNewTx', { id: 'changing', list: 'few', rollbackGlobalOnError: false }),
    remember('after'),
  ]),
  chain('loop-of-loops', [
    step('Context.RunOperationOnListInNewTx', { id: 'loop', list: 'few', item: 'outer' }),
    remember('after'),
  ]),
]

const numbers = (count: number): Value => ({
  type: 'json',
  value: Array.from({ length: count }, (_, index) => index),
})

/** What is recorded: each chain with the size of the list that its loop walks. */
export const recordings: readonly {
  name: string
  chain: string
  variables: { [name: string]: Value }
  arrange?: (plan: Plan) => Plan
}[] = [
  { name: 'single-segment', chain: 'one-segment', variables: {} },
  { name: 'loop', chain: 'loop', variables: { numbers: numbers(3) } },
  { name: 'loop-continued-as-new', chain: 'loop', variables: { numbers: numbers(1_700) } },
  { name: 'nested', chain: 'nested', variables: { numbers: numbers(2), few: numbers(2) } },
  { name: 'failed', chain: 'failed', variables: {} },
  { name: 'caught', chain: 'caught', variables: {} },
  { name: 'caught-behind-a-transaction', chain: 'caught-behind-a-transaction', variables: {} },
  { name: 'not-caught', chain: 'not-caught', variables: {} },
  { name: 'elements-of-input', chain: 'elements-of-input', variables: {} },
  { name: 'elements-handing-on', chain: 'elements-handing-on', variables: { few: numbers(3) } },
  { name: 'passed-over', chain: 'passed-over', variables: {} },
  { name: 'elements-passed-over', chain: 'elements-passed-over', variables: { few: numbers(3) } },
  { name: 'failed-items', chain: 'elements-passed-over', variables: { few: numbers(3) } },
  { name: 'elements-retried', chain: 'elements-stopping', variables: { few: numbers(3) } },
  { name: 'target-retried', chain: 'target-then-failed', variables: {} },
  { name: 'in-time', chain: 'in-time', variables: {} },
  { name: 'lasted-too-long', chain: 'too-long', variables: {} },
  { name: 'element-cancelled', chain: 'element-cancelled', variables: { few: numbers(1) } },
  {
    name: 'long-running-listener',
    chain: 'one-segment',
    variables: {},
    arrange: (plan) => ({
      ...plan,
      seconds: 60,
      nodes: plan.nodes.flatMap((node) => [
        node,
        { ...node, isSlow: true, isApart: true },
        node,
      ]) as PlanNode[],
    }),
  },
  {
    name: 'tried-again',
    chain: 'failed',
    variables: {},
    arrange: (plan) => ({ ...plan, retries: 2 }),
  },
  { name: 'loop-of-loops', chain: 'loop-of-loops', variables: { numbers: numbers(3), few: numbers(5) } },
]

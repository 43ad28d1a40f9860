import type { ChainDefinition, ChainStep, Value } from '../../core/automation/index.js'

const chain = (id: string, steps: readonly ChainStep[]): ChainDefinition => ({
  id,
  aliases: [],
  params: [],
  steps,
})

const step = (operation: string, params: ChainStep['params'] = {}): ChainStep => ({ operation, params })

const remember = (name: string) => step('Context.SetVar', { name, value: `expr:'${name}'` })

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
  chain('failed', [
    step('Repository.GetDocument', { value: '/default-domain' }),
    step('Document.SetLifeCycle', { value: 'noSuchTransition' }),
  ]),
]

const numbers = (count: number): Value => ({
  type: 'json',
  value: Array.from({ length: count }, (_, index) => index),
})

/** What is recorded: each chain with the size of the list that its loop walks. */
export const recordings: readonly { name: string; chain: string; variables: { [name: string]: Value } }[] = [
  { name: 'single-segment', chain: 'one-segment', variables: {} },
  { name: 'loop', chain: 'loop', variables: { numbers: numbers(3) } },
  { name: 'loop-continued-as-new', chain: 'loop', variables: { numbers: numbers(1_700) } },
  { name: 'nested', chain: 'nested', variables: { numbers: numbers(2), few: numbers(2) } },
  { name: 'failed', chain: 'failed', variables: {} },
]

import type { ChainDefinition, ChainStep, ErrorChain, Value } from '../language/index.js'
import type { StepKey } from '../run-store/index.js'
/** Steps between two boundaries: one transaction, all of it or nothing. */
export type SegmentNode = {
  kind: 'segment'
  steps: readonly ChainStep[]
  isSlow: boolean
  title: string
  /** What it begins with, whatever the node before it came to. */
  input?: Value
  /** The run ends with it when it comes to false. */
  endsOnFalse?: true
  /** It has no transaction: see `runApart`. */
  isApart?: true
}

/** Another operation or chain, run in one transaction of its own; or, with a plan, as its own nodes. */
export type CallNode = {
  kind: 'call'
  step: ChainStep
  target: string
  /** Nodes of the target when it has boundaries of its own. */
  plan?: readonly PlanNode[]
  /** Error chains of a target with nodes of its own. */
  onError?: readonly ErrorChain[]
  /** The target runs for each element of an input that is a list. */
  mapsInput?: true
  keepsOutput: boolean
  isSlow: boolean
  title: string
}

/** Another operation or chain, run for each of many items in a transaction for each. */
export type LoopNode = {
  kind: 'loop'
  step: ChainStep
  target: string
  /** The list in a variable, or the pages of a query; the elements of an input where a call is retried. */
  over: 'list' | 'pages' | 'input'
  /** Nodes of the target when it has boundaries of its own: each item is then a run of its own. */
  plan?: readonly PlanNode[]
  /** Error chains of a target with nodes of its own. */
  onError?: readonly ErrorChain[]
  title: string
  /** Failed items of another run's iteration, instead of all items. */
  retries?: RetriedItems
}

/** Failed items of an iteration. */
export type RetriedItems = {
  /** Of its cursor. */
  key: StepKey
  /** Absent: all that have failed. */
  positions?: readonly number[]
}

export type PlanNode = SegmentNode | CallNode | LoopNode

/**
 * What a run executes. It carries every chain that it may reach, so that redeploying one never changes a
 * run that has begun.
 */
export type Plan = {
  chainId: string
  nodes: readonly PlanNode[]
  /** Absent when the chain has no error chains. */
  onError?: readonly ErrorChain[]
  chains: { [id: string]: ChainDefinition }
  /** Parameters of the chain itself, for defaults and types. */
  params: ChainDefinition['params']
  /** How often a transaction that fails for good is tried again. Absent: never. */
  retries?: number
  /** How long a transaction may last. Absent: as long as any. */
  seconds?: number
}

import type { LoopReport } from '../../loops/index.js'
/** Those of a run, by the index of their node. */
export type LoopReports = { readonly [node: number]: LoopReport }

export type NodeProgress = {
  title: string
  kind: string
  status: 'waiting' | 'running' | 'done'
  /** How far a loop has come, once it was entered. */
  loop?: LoopReport
}

/** How far the run of a chain has come, by its own account. */
export type ChainProgress = {
  chainId: string
  nodes: readonly NodeProgress[]
  /** The loop of the node that is running. */
  loop?: LoopReport
}

import type { LoopReport } from '../../loops/index.js'
/** Those of a run, by the index of their node. */
export type LoopReports = { readonly [node: number]: LoopReport }

export type NodeProgress = {
  title: string
  kind: string
  status: 'waiting' | 'running' | 'done'
  /** The progress of a loop that was entered. */
  loop?: LoopReport
}

/** The progress of a run of a chain, as it reports it. */
export type ChainProgress = {
  chainId: string
  nodes: readonly NodeProgress[]
  /** The loop of the node that is running. */
  loop?: LoopReport
}

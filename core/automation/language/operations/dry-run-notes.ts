import type { NamedFailure } from '../failures/item-failure.js'
/** A loop of a dry run whose items would have had transactions of their own. */
export type DryRunLoop = {
  operation: string
  target: string
  total: number
  /** Items that failed. */
  failed: number
  /** The first of them. */
  failures: NamedFailure[]
}

/** What a workflow of documents does, in order. */
export type RouteNote = {
  kind:
    | 'workflowStarted'
    | 'nodeEntered'
    | 'chainExecuted'
    | 'taskCreated'
    | 'tasksCancelled'
    | 'nodeLeft'
    | 'workflowEnded'
  workflowId: string
  workflowModelName: string
  node?: string
  chain?: string
  /** By which the node was left, or of which the chain is. */
  transitions?: string[]
  actors?: string[]
  /** ISO 8601. */
  dueDate?: string
  /** In which the workflow has ended. */
  state?: string
}

/** What a dry run reports beside its effects. */
export type DryRunNotes = {
  /** In order; the first `MAX_LOOPS`. */
  loops: DryRunLoop[]
  /** Ids of the bulk commands that it gave: they would begin after the commit. */
  commands: string[]
  /** Takes what workflows do; absent: nobody asks. */
  noteRoute?(note: RouteNote): void
}

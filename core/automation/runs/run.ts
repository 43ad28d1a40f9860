/** How a run can stand. */
export const RUN_STATES = ['RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED', 'TERMINATED', 'TIMED_OUT'] as const
export type RunStatus = (typeof RUN_STATES)[number]

/** What a run is: a chain as a workflow or in the process that was asked, or a bulk command. */
export const RUN_EXECUTIONS = ['workflow', 'inline', 'bulk'] as const
export type RunExecution = (typeof RUN_EXECUTIONS)[number]

export type RunDescription = {
  /** Its id, also that of a run that is no workflow. */
  workflowId: string
  chainId: string
  execution: RunExecution
  /** Name of the user for whom it acts. */
  principal: string
  /** One of `RUN_STATES`, or a state of the engine that none of them names. */
  status: string
  /** The document that it was called on, as its caller named it: by id or by path. */
  documentId?: string
  /** Absent: the default one. */
  repository?: string
  /** The run whose failed items it retries. */
  repairs?: string
  /** The schedule that has started it. */
  schedule?: string
  /** Where an operator sees it, when the address of the Temporal UI is known. */
  workflowUrl?: string
  startedAt: Date
  closedAt: Date | undefined
}

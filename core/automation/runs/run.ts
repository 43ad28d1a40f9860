/** The states of a run. */
export const RUN_STATES = ['RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED', 'TERMINATED', 'TIMED_OUT'] as const
export type RunStatus = (typeof RUN_STATES)[number]

/** The execution of a run: a chain as a workflow or inline in the called process, or a bulk command. */
export const RUN_EXECUTIONS = ['workflow', 'inline', 'bulk'] as const
export type RunExecution = (typeof RUN_EXECUTIONS)[number]

export type RunDescription = {
  /** Its id, also of a run that is no workflow. */
  workflowId: string
  chainId: string
  execution: RunExecution
  /** Name of the user for whom it acts. */
  principal: string
  /** One of `RUN_STATES`, or another state of the engine. */
  status: string
  /** Its input document, as its caller named it: by id or by path. */
  documentId?: string
  /** The event that started it. */
  event?: string
  /** Absent: the default one. */
  repository?: string
  /** The run whose failed items it retries. */
  repairs?: string
  /** The schedule that started it. */
  schedule?: string
  /** Why its input, result and the rest of this cannot be read: a key of payloads is missing. */
  unreadable?: string
  /** Its address in the Temporal UI, when that is known. */
  workflowUrl?: string
  startedAt: Date
  closedAt: Date | undefined
}

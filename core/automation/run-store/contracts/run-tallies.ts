/** A run, by the ids under which it is known. */
export type TalliedRun = {
  workflowId: string
  /** The bulk command that it does. */
  commandId?: string | undefined
}

/** A run in numbers, as a list has them. */
export type RunTally = {
  workflowId: string
  /** Of its loops together, or the documents of its command; null where the database knows of none. */
  items: { done: number; failed: number; total: number; stopped: number } | null
  /** Failures after which it went on, and error chains that ran, in the runs below it, too. */
  incidentCount: number
}

/** The numbers of many runs at once. */
export type RunTallies = {
  /** Those of the runs of which there are some, in any order. */
  of(runs: readonly TalliedRun[]): Promise<RunTally[]>
}

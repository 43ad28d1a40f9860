/** What runs leave behind: counts of what was removed. */
export type Removed = {
  transientEntries: number
  receipts: number
  loops: number
  inlineRuns: number
  incidents: number
  bulkCommands: number
  openRuns: number
  loginTries: number
  events: number
  auditEntries: number
  /** Entries of transient stores, such as batches of uploads. */
  uploads?: number
  /** Document workflows whose documents are gone. */
  routes?: number
}

/** The contract of the store's cleaner. */
export type Housekeeping = {
  /**
   * Removes transient entries that have expired; receipts, loop positions, inline runs, incidents, bulk commands and
   * counted runs older than runs are kept; tries to log in that have meant nothing for a day; and events that are as old as runs are kept
   * and that every reader of them has passed; and entries of the audit that are older than the installation keeps them.
   */
  removeExpired(): Promise<Removed>
}

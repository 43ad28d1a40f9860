/** What runs leave behind: counts of what was removed. */
export type Removed = {
  transientEntries: number
  receipts: number
  loops: number
  inlineRuns: number
  incidents: number
  bulkCommands: number
  events: number
}

/** The contract of the store's cleaner. */
export type Housekeeping = {
  /**
   * Removes transient entries that have expired; receipts, loop positions, inline runs, incidents and bulk commands older than runs
   * are kept; and events as old that every reader of them has passed.
   */
  removeExpired(): Promise<Removed>
}

/** What runs leave behind: counts of what was removed. */
export type Removed = { transientEntries: number; receipts: number; loops: number }

/** The contract of the store's cleaner. */
export type Housekeeping = {
  /** Removes transient entries that have expired, and receipts and loop positions older than their runs can be. */
  removeExpired(): Promise<Removed>
}

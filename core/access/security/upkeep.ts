/** How far documents have been brought to the scopes of their ACLs (docs/security.md). */
export type PointedScopes = {
  /** Documents that were written. */
  pointed: number
  /** Scopes that wait for older transactions, or for documents that somebody else holds. */
  left: number
}

/** The work on access rights that no caller waits for. Rights are right without it. */
export type AccessUpkeep = {
  /**
   * Derives again what queries look at, where another hierarchy of permissions decided about it.
   *
   * @returns the number of ACLs.
   */
  deriveAcls(): Promise<number>
  /**
   * Brings the stored status of entries with dates up to date.
   *
   * @returns the number of documents for which `ACEStatusUpdated` was emitted.
   */
  refreshStatuses(): Promise<number>
  pointScopes(): Promise<PointedScopes>
}

/** By which an installation knows what its own processes have written into Temporal. */
export type RunKey = {
  secret: string
  /** Until when runs may have been started by a release that did not sign, ms since 1970. 0: none may. */
  unsignedUntil: number
}

/**
 * What is read from Temporal without a valid signature has this member beside its own, so that workflows and
 * activities refuse what began later.
 */
export type MayBeUnsigned = { archivoltUnsignedUntil?: number }

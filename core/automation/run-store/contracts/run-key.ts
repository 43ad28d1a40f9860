/** By which an installation knows what its own processes have written into Temporal. */
export type RunKey = {
  secret: string
  /** Until when runs may have been started by a release that did not sign, ms since 1970. 0: none may. */
  unsignedUntil: number
  /** Until when they may have been started with a signature that does not say for which start it was given. 0: none may. */
  unboundUntil: number
}

/**
 * What is read from Temporal without a valid signature has this member beside its own, so that workflows and
 * activities refuse what began later.
 */
export type MayBeUnsigned = { archivoltUnsignedUntil?: number }

/**
 * What the input of a run holds beside its own, within its signature: the start that it was written for. So nobody
 * starts it as something else, or when the receipts of its run are gone, by which it does nothing twice.
 */
export type BoundToStart = { archivoltStart?: { workflow: string; taskQueue: string; until: number } }

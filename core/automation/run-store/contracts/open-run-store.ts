/** A run that a user has started by a call, and for how long. */
export type EnteredRun = { runId: string; ageMs: number }

/** The contract of the store that counts the open runs of users, in all processes together. */
export type OpenRunStore = {
  /**
   * Counts a run that is to begin.
   *
   * @returns `known`: it was counted before; `full`, with nothing counted: its user has `max` others.
   */
  enter(run: { username: string; runId: string; max: number }): Promise<'entered' | 'known' | 'full'>
  /** Runs of a user that were counted and not taken away since. */
  entered(username: string): Promise<readonly EnteredRun[]>
  /** Takes away runs that have ended. */
  leave(runIds: readonly string[]): Promise<void>
}

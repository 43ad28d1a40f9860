/** A schedule that is deployed, with what the engine knows of it. */
export type ScheduleReport = {
  id: string
  chain?: string
  event?: string
  cron: string
  timezone: string
  username: string
  /** `pending`: no worker has created it in the engine yet. */
  state: 'active' | 'paused' | 'pending'
  /** The note of the operator who paused it. */
  note?: string
  /** Its next times, the earliest first. */
  next: readonly Date[]
  /** The runs that it started, the latest first. */
  runs: readonly { workflowId: string; scheduledAt: Date; startedAt: Date }[]
  /** Times at which nothing was started: because of the run before, and because the engine was down for too long. */
  left: { overlapping: number; missed: number }
}

/** The outcome of triggering a schedule. */
export type ScheduleRun = {
  schedule: string
  /** The run of its chain. Absent: it has yet to begin, or it is an event that is emitted. */
  workflowId?: string
  /** The run after which it begins (`overlap: wait`). */
  waitsFor?: string
}

export type Schedules = {
  /** All that are deployed, by name. */
  list(): Promise<readonly ScheduleReport[]>
  /**
   * Triggers a schedule now, also while it is paused. Its overlap policy applies.
   *
   * @throws notFound for one that is not deployed; conflict while its previous run is running (`overlap: skip`); unavailable
   * when no worker has created it in the engine yet.
   */
  run(name: string): Promise<ScheduleRun>
}

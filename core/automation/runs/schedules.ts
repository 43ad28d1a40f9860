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
  /** What whoever paused it has left. */
  note?: string
  /** When it comes next, the earliest first. */
  next: readonly Date[]
  /** The runs that it has started, the latest first. */
  runs: readonly { workflowId: string; scheduledAt: Date; startedAt: Date }[]
  /** Times at which nothing was started: because of the run before, and because the engine was down for too long. */
  left: { overlapping: number; missed: number }
}

/** What came of asking for a schedule's run at once. */
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
   * Does now what the schedule does at its times, also while it is paused. Its rule on overlapping runs holds.
   *
   * @throws notFound for one that is not deployed; conflict while the run before goes on (`overlap: skip`); unavailable
   * when no worker has created it in the engine yet.
   */
  run(name: string): Promise<ScheduleRun>
}

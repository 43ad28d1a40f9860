import { setTimeout as pause } from 'node:timers/promises'
import { type Client, type ScheduleDescription, ScheduleNotFoundError } from '@temporalio/client'
import { suggestion } from '../../core/platform/contributions/index.js'
import { fail } from '../../core/platform/errors/index.js'
import { type ActingSchedule, scheduleIdOf } from '../../worker/index.js'

/** Times that are told of a schedule, each way. */
const TIMES = 5

/** A schedule that is deployed, with what the engine knows of it. */
export type ScheduleReport = {
  id: string
  chain?: string
  event?: string
  cron: string
  timezone: string
  username: string
  /** `pending`: no worker has told the engine of it yet. */
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
  /** The run of its chain. Absent: it has yet to begin, or it is an event that is told. */
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
   * when no worker has told the engine of it yet.
   */
  run(name: string): Promise<ScheduleRun>
}

/** Milliseconds for which the engine's start of a run is waited for, and between two looks. */
const STARTS_WITHIN_MS = 10_000
const LOOK_MS = 50

/** The run of its latest time, told from those before by its first execution. */
const latestOf = ({ info }: ScheduleDescription) => info.recentActions.at(-1)?.action.workflow

const overlapping = (name: string, run: string | undefined) =>
  fail(
    'conflict',
    `The schedule '${name}' skips what overlaps: its run${run === undefined ? '' : ` ${run}`} goes on`,
  )

/** What is being done for a name at this moment, for those who ask for the same meanwhile. */
const createTurns = () => {
  const taken = new Map<string, Promise<ScheduleRun>>()
  return {
    get: (name: string) => taken.get(name),
    take: (name: string, work: () => Promise<ScheduleRun>): Promise<ScheduleRun> => {
      const turn = work().finally(() => taken.delete(name))
      taken.set(name, turn)
      return turn
    },
  }
}

/** What is known of schedules: as they are deployed, and as the engine keeps them. */
export const createSchedules = ({
  client,
  taskQueue,
  deployed,
}: {
  client: Client
  taskQueue: string
  deployed(): Promise<ReadonlyMap<string, ActingSchedule>>
}): Schedules => {
  const describe = async (name: string) => {
    try {
      return await client.schedule.getHandle(scheduleIdOf(taskQueue, name)).describe()
    } catch (error) {
      if (!(error instanceof ScheduleNotFoundError)) throw error
      return undefined
    }
  }

  const reportOf = async ({ schedule, username }: ActingSchedule): Promise<ScheduleReport> => {
    const { name: id, chain, event, cron, timezone } = schedule
    const known = await describe(id)
    const note = known?.state.note
    const recent = known?.info.recentActions.slice(-TIMES).reverse() ?? []
    return {
      id,
      ...(chain !== undefined && { chain }),
      ...(event !== undefined && { event }),
      cron,
      timezone,
      username,
      state: known ? (known.state.paused ? 'paused' : 'active') : 'pending',
      ...(note && { note }),
      next: known?.info.nextActionTimes.slice(0, TIMES) ?? [],
      runs: recent.map(({ scheduledAt, takenAt, action: { workflow } }) => ({
        workflowId: workflow.workflowId,
        scheduledAt,
        startedAt: takenAt,
      })),
      left: {
        overlapping: known?.info.numActionsSkippedOverlap ?? 0,
        missed: known?.info.numActionsMissedCatchupWindow ?? 0,
      },
    }
  }

  const startedSince = async (
    name: string,
    before: string | undefined,
  ): Promise<Pick<ScheduleRun, 'workflowId'> | undefined> => {
    for (const end = Date.now() + STARTS_WITHIN_MS; Date.now() < end; await pause(LOOK_MS)) {
      const known = await describe(name)
      const latest = known && latestOf(known)
      if (latest && latest.firstExecutionRunId !== before) return { workflowId: latest.workflowId }
    }
    return undefined
  }

  const runNow = async ({ schedule: { name, overlap, chain } }: ActingSchedule): Promise<ScheduleRun> => {
    const known = await describe(name)
    if (!known) throw fail('unavailable', `The schedule '${name}' is being made: ask again`)
    const running = known.info.runningActions.at(-1)?.workflow.workflowId
    if (running !== undefined && overlap === 'skip') throw overlapping(name, running)
    // The engine's own rule holds for those who ask at once at other processes.
    await client.schedule.getHandle(scheduleIdOf(taskQueue, name)).trigger(known.policies.overlap)
    if (running !== undefined && overlap === 'wait') return { schedule: name, waitsFor: running }
    if (chain === undefined) return { schedule: name }
    return { schedule: name, ...(await startedSince(name, latestOf(known)?.firstExecutionRunId)) }
  }

  const beginning = createTurns()
  const following = createTurns()

  return {
    run: async (name) => {
      const known = await deployed()
      const acting = known.get(name)
      if (!acting)
        throw fail('notFound', `No schedule '${name}' is deployed${suggestion(name, known.keys())}`)
      const { overlap, chain } = acting.schedule
      // The engine does not keep track of runs that may overlap; an event is told at once.
      if (overlap === 'allow' || chain === undefined) return runNow(acting)
      const first = beginning.get(name)
      if (!first) return beginning.take(name, () => runNow(acting))
      const { workflowId } = await first
      if (overlap === 'skip') throw overlapping(name, workflowId)
      // One of them waits: all who ask at once mean the same.
      return following.get(name) ?? following.take(name, () => runNow(acting))
    },

    list: async () => {
      const all = [...(await deployed()).values()]
      const reports = await Promise.all(all.map(reportOf))
      return reports.sort((a, b) => (a.id < b.id ? -1 : 1))
    },
  }
}

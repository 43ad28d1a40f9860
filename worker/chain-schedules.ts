import { createHash } from 'node:crypto'
import { Client, ScheduleNotFoundError, type ScheduleOptions } from '@temporalio/client'
import type { NativeConnection } from '@temporalio/worker'
import type { ActingSchedule } from '../activities/schedule.js'
import type { Platform } from '../runtime/index.js'
import { whileAlone } from '../storage/postgres/index.js'
import type { ScheduledTime } from '../workflows/types.js'
import { actingSchedules } from './acting-schedules.js'
import { scheduleIdOf } from './schedule-id.js'
import { scheduleSpec } from './schedule-spec.js'
import { runAttributes } from './search-attributes.js'

/** What was not heard of, or somebody has taken away in the engine, is put right as often. */
const LOOK_MS = 60_000

/** The engine refuses longer texts in an index. */
const MAX_INDEXED = 255

const OVERLAP = { skip: 'SKIP', wait: 'BUFFER_ONE', allow: 'ALLOW_ALL' } as const

/** How schedules of ours are told from those of others in the same engine. */
const MEMO = 'archivoltSchedule'

type Wanted = Pick<ScheduleOptions, 'spec' | 'policies' | 'action'> & { action: { args: [ScheduledTime] } }

const wantedOf = ({ schedule, username }: ActingSchedule, taskQueue: string): Wanted => {
  const { name, chain, event, input, overlap, catchUpMinutes } = schedule
  const spec = scheduleSpec(schedule)
  const policies = { overlap: OVERLAP[overlap], catchupWindow: catchUpMinutes * 60_000 }
  const chainId = chain ?? `event ${event}`
  const kind = { workflowType: chain === undefined ? 'scheduledEvent' : 'scheduledChain', taskQueue }
  const definition = JSON.stringify([spec, policies, kind, chainId, username, input])
  const revision = createHash('sha256').update(definition).digest('base64url')
  return {
    spec,
    policies,
    action: {
      ...kind,
      type: 'startWorkflow',
      workflowId: scheduleIdOf(taskQueue, name),
      args: [{ schedule: name, revision }],
      memo: { principal: username, schedule: name },
      typedSearchAttributes: runAttributes({
        chainId,
        principal: username,
        documentId: input?.slice(0, MAX_INDEXED),
      }),
    },
  }
}

const revisionIn = (args: unknown): string | undefined =>
  Array.isArray(args) ? (args[0] as Partial<ScheduledTime> | undefined)?.revision : undefined

type Reconciling = { client: Client; platform: Platform; taskQueue: string }

/** What an operator has paused stays paused. */
const ensureOne = async ({ client, taskQueue }: Reconciling, acting: ActingSchedule): Promise<void> => {
  const { name } = acting.schedule
  const wanted = wantedOf(acting, taskQueue)
  const scheduleId = scheduleIdOf(taskQueue, name)
  const handle = client.schedule.getHandle(scheduleId)
  try {
    const { action } = await handle.describe()
    if (revisionIn(action.args) === wanted.action.args[0].revision) return
    await handle.update(({ state }) => ({ ...wanted, state }))
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error
    await client.schedule.create({ ...wanted, scheduleId, memo: { [MEMO]: { taskQueue, name } } })
  }
}

const removeOthers = async (
  { client, taskQueue }: Reconciling,
  names: ReadonlySet<string>,
  known: ReadonlySet<string>,
): Promise<void> => {
  const gone = new Set([...known].filter((name) => !names.has(name)))
  for await (const { memo } of client.schedule.list()) {
    const ours = memo?.[MEMO] as { taskQueue?: string; name?: string } | undefined
    if (ours?.taskQueue === taskQueue && ours.name !== undefined && !names.has(ours.name)) gone.add(ours.name)
  }
  for (const name of gone) {
    try {
      await client.schedule.getHandle(scheduleIdOf(taskQueue, name)).delete()
    } catch (error) {
      if (!(error instanceof ScheduleNotFoundError)) throw error
    }
  }
}

/**
 * Makes the engine's schedules those that are deployed. Done by one worker at a time, on what is deployed when its turn
 * has come, so that one who knows less never undoes what another has done.
 *
 * @param known names that this worker has seen deployed: the engine's list lags behind.
 * @returns the names that are deployed now; undefined when another worker is at it.
 */
export const reconcileSchedules = (
  reconciling: Reconciling,
  known: ReadonlySet<string> = new Set(),
): Promise<ReadonlySet<string> | undefined> => {
  const { platform, taskQueue } = reconciling
  return whileAlone(platform.database, `archivolt-schedules ${taskQueue}`, async () => {
    const deployed = await actingSchedules(platform)
    const names = new Set(deployed.keys())
    for (const acting of deployed.values()) {
      try {
        await ensureOne(reconciling, acting)
      } catch (error) {
        // One that the engine does not take keeps no other from being made.
        platform.logger.error({ err: error, schedule: acting.schedule.name }, 'a schedule could not be made')
      }
    }
    await removeOthers(reconciling, names, known)
    return names
  })
}

/**
 * Keeps the engine's schedules as they are deployed: at once, after each deployment, and once in a while.
 *
 * @param options `lookMs`: how often what was not heard of is looked for.
 * @returns what ends it.
 */
export const startChainSchedules = async (
  { connection, platform }: { connection: NativeConnection; platform: Platform },
  { lookMs = LOOK_MS }: { lookMs?: number } = {},
): Promise<() => Promise<void>> => {
  const { taskQueue, namespace } = platform.settings.temporal
  const reconciling = { client: new Client({ connection, namespace }), platform, taskQueue }
  let known: ReadonlySet<string> = new Set()
  let wanted = 0
  let working: Promise<void> | undefined

  /** What is asked for while it works is done right after. */
  const work = async (): Promise<void> => {
    while (wanted > 0) {
      const asked = wanted
      try {
        const names = await reconcileSchedules(reconciling, known)
        if (names) known = names
      } catch (error) {
        platform.logger.warn(error, 'schedules could not be brought up to date; they will be')
      }
      wanted -= asked
    }
    working = undefined
  }
  const look = (): void => {
    wanted += 1
    working ??= work()
  }
  const stop = await platform.deployed.store.listen(look)
  const timer = setInterval(look, lookMs)
  look()
  return async () => {
    clearInterval(timer)
    await stop()
    await working
  }
}

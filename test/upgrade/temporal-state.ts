import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@temporalio/client'
import { historiesOf } from '../replay/run-histories.js'

/** How long ended runs are kept, seconds: whenever the fixture is brought up, Temporal still has them. */
const RETENTION = 100 * 365 * 24 * 3_600

/** Schedules that a worker makes again at its start; a year of their missed times would be no part of an upgrade. */
const OWN_SCHEDULES = ['archivolt-housekeeping', 'archivolt-blob-collection', 'archivolt-access-upkeep']

/**
 * Milliseconds after which Temporal takes each task of a process that is gone for lost: those of activities, 30 s, are
 * the longest, and are tried again after 10 s at most.
 */
const ALL_LOST = 45_000

/** `PENDING_ACTIVITY_STATE_SCHEDULED` and `PENDING_WORKFLOW_TASK_STATE_SCHEDULED` of Temporal's API. */
const SCHEDULED = 1

export const keepEndedRuns = ({ workflowService }: Client): Promise<object> =>
  workflowService.updateNamespace({
    namespace: 'default',
    config: { workflowExecutionRetentionTtl: { seconds: RETENTION } } as never,
  })

export const removeOwnSchedules = async ({ schedule }: Client): Promise<void> => {
  for (const id of OWN_SCHEDULES) await schedule.getHandle(id).delete()
}

export const openIds = async ({ workflow }: Client): Promise<string[]> => {
  const ids: string[] = []
  for await (const { workflowId } of workflow.list({ query: 'ExecutionStatus = "Running"' }))
    ids.push(workflowId)
  return ids.sort()
}

/**
 * Waits until every task of the open runs is queued, once all workers are gone: no timer of the past decides then when
 * a later worker gets it.
 *
 * @throws when one is not.
 */
export const untilQueued = async (client: Client): Promise<void> => {
  await sleep(ALL_LOST)
  for (const id of await openIds(client)) {
    const { raw } = await client.workflow.getHandle(id).describe()
    const states = [...(raw.pendingActivities ?? []), raw.pendingWorkflowTask].flatMap(
      (task) => task?.state ?? [],
    )
    if (states.some((state) => state !== SCHEDULED)) throw new Error(`Some task of ${id} is not queued`)
  }
}

/** Histories of the open runs, by the folder that each is for, and what follows that run's id of those below it. */
export const openHistories = async (
  client: Client,
  { address, runs }: { address: string; runs: readonly { folder: string; id: string }[] },
): Promise<{ [name: string]: unknown }> => {
  const named: { [name: string]: unknown } = {}
  for (const workflowId of await openIds(client)) {
    const run = runs.find(({ id }) => workflowId.startsWith(id))
    if (!run) throw new Error(`Nobody has started the open run ${workflowId}`)
    const name = `${run.folder}${workflowId.slice(run.id.length).replaceAll('/', '-')}`
    for (const [index, history] of (await historiesOf({ address, workflowId })).entries())
      named[index === 0 ? name : `${name}-continued-${index}`] = history
  }
  return named
}

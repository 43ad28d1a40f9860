import { defineSearchAttributeKey, type SearchAttributePair } from '@temporalio/common'
import { makeContinueAsNewFunc, proxyActivities, workflowInfo } from '@temporalio/workflow'
import type { ScheduleActivities } from '../../activities/types.js'
import type { RunStart } from '../../core/automation/planning/index.js'
import type { chain } from './chain.js'
import type { ScheduledTime } from './types.js'

/** Infrastructure comes back; what does not pass is marked as final where it is thrown. */
const { planScheduled, emitScheduled } = proxyActivities<ScheduleActivities>({
  startToCloseTimeout: '5 minutes',
  retry: { initialInterval: '100ms', backoffCoefficient: 2, maximumInterval: '10s' },
})

const keyword = (name: string) => defineSearchAttributeKey(name, 'KEYWORD')
const DOCUMENT_ID = keyword('DocumentId')

/** What a run is found by, as for one that somebody has called. */
const attributesOf = ({ plan, principal, requestId }: RunStart): SearchAttributePair[] => {
  const documentId = workflowInfo().typedSearchAttributes.get(DOCUMENT_ID)
  return [
    { key: keyword('ChainId'), value: plan.chainId },
    { key: keyword('Principal'), value: principal },
    { key: keyword('RequestId'), value: requestId },
    ...(documentId === undefined ? [] : [{ key: DOCUMENT_ID, value: documentId }]),
  ]
}

/**
 * A time of a schedule: plans its chain as it is deployed then, and goes on as the workflow `chain` under the same id,
 * so that the run is like any other and the schedule sees when it ends.
 */
export async function scheduledChain({ schedule }: ScheduledTime): Promise<void> {
  const run = await planScheduled({ schedule, runId: workflowInfo().workflowId })
  const { principal, requestId, repository } = run
  const continueRun = makeContinueAsNewFunc<typeof chain>({
    workflowType: 'chain',
    memo: { principal, requestId, schedule, ...(repository !== undefined && { repository }) },
    typedSearchAttributes: attributesOf(run),
  })
  await continueRun(run)
}

/** A time of a schedule that emits an event. */
export async function scheduledEvent({ schedule }: ScheduledTime): Promise<void> {
  await emitScheduled({ schedule, runId: workflowInfo().workflowId })
}

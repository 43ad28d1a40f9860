import type { WorkflowExecutionDescription } from '@temporalio/client'
import type { Principal } from '../../core/access/security/index.js'
import type { Registry } from '../../core/automation/language/index.js'
import { planToTravel } from '../../core/automation/planning/index.js'
import type { UnitsOfWork } from '../../core/automation/run-store/index.js'
import {
  type FailedItems,
  findRequested,
  itemsRunId,
  latestChain,
  noSuchItems,
  planItems,
  type RequestedItems,
  type RunQuota,
  requireItemsRetryable,
} from '../../core/automation/runs/index.js'
import { fail } from '../../core/platform/errors/index.js'
import type { ChainRun } from '../../workflows/chain/types.js'
import { attributesAfter } from '../attributes/index.js'
import type { Temporal } from '../client/index.js'
import { repairsOf } from '../describe/index.js'
import { lastExecution } from '../history/index.js'
import { anotherRun, startRun } from '../start/index.js'

type Place = Temporal & { units: UnitsOfWork; quota?: RunQuota | undefined }

type ItemsRetry = {
  description: WorkflowExecutionDescription
  principal: Principal
  requested: RequestedItems
  latest: Registry | undefined
}

/** @throws conflict for a run whose items are not known yet, notFound when there is no such failed item. */
const requestedItems = async (
  { units }: Place,
  { description, principal, requested }: ItemsRetry,
): Promise<FailedItems[]> => {
  const ended = { workflowId: description.workflowId, status: description.status.name }
  requireItemsRetryable(ended, repairsOf(description))
  const { iterations } = units.reading(principal)
  const items = await findRequested(iterations, ended.workflowId, requested)
  if (items.length > 0) return items
  throw fail('notFound', noSuchItems(await iterations.ofRun(ended.workflowId), ended, requested))
}

/** The run that is to retry some items. @throws conflict when the latest chain does not fit. */
const inputOf = async (
  { client }: Place,
  { description, latest }: ItemsRetry,
  items: readonly FailedItems[],
): Promise<ChainRun> => {
  const { workflowId } = description
  const run = await lastExecution(client, description)
  const plan = latest && planToTravel(latestChain(run.plan, latest), latest)
  return anotherRun(run, planItems(run.plan, { workflowId, items, latest: plan }))
}

/**
 * Starts a run that retries failed items of an ended one.
 *
 * @returns its id.
 * @throws conflict for a run whose items are not known yet, notFound when there is no such failed item,
 * tooManyRequests.
 */
export const retryItems = async (place: Place, retry: ItemsRetry): Promise<string> => {
  const { description, principal } = retry
  const { workflowId, typedSearchAttributes, memo } = description
  const items = await requestedItems(place, retry)
  const input = await inputOf(place, retry, items)
  const retryId = itemsRunId(workflowId, place.taskQueue)
  await place.quota?.enter(principal, retryId)
  await startRun(place, {
    workflow: 'chain',
    input,
    workflowId: retryId,
    reuse: 'never',
    attributes: attributesAfter(typedSearchAttributes),
    memo: { ...memo, principal: input.principal, repairs: workflowId },
    summary: `Failed items of ${workflowId}`,
  })
  return retryId
}

import { planRun, type RunOrder } from '../../core/automation/planning/index.js'
import type { UnitsOfWork } from '../../core/automation/run-store/index.js'
import { documentOf, isOneSegment } from '../../core/automation/runs/index.js'
import { runAttributes } from '../attributes/index.js'
import type { Temporal } from '../client/index.js'
import type { EmbeddedWorker } from './handovers.js'
import { startRun } from './start-run.js'

export type ChainStart = {
  workflowId: string
  order: RunOrder
  /** Absent: the default one. */
  repository?: string | undefined
  /** Of a run that an event starts. */
  eventDepth?: number
  /** The name of that event. */
  event?: string
  /** Identifies the call, to refuse another call with the same run id. */
  fingerprint?: string | undefined
  /** Absent: the chain's description, or else its id. */
  summary?: string
}

/**
 * Starts the workflow of a chain, for a call or an event.
 *
 * @param place `units`: where the state travels from that is too large for Temporal; `embedded`: the worker in this
 * process, when there is one.
 * @returns false when the id is in use: the run was started before.
 * @throws what `planRun` throws.
 */
export const startChain = async (
  {
    client,
    taskQueue,
    units,
    embedded,
  }: Temporal & { units: UnitsOfWork; embedded?: EmbeddedWorker | undefined },
  { workflowId, order, repository, eventDepth, event, fingerprint, summary }: ChainStart,
): Promise<boolean> => {
  const { chain, principal, requestId } = order
  const input = await planRun(order, { units, repository, eventDepth })
  // The id of a call with a key may belong to a run of another process.
  if (fingerprint === undefined && isOneSegment(input.plan)) embedded?.handovers.expect(workflowId)
  const started = await startRun(
    { client: embedded?.client ?? client, taskQueue, isEager: embedded !== undefined },
    {
      workflow: 'chain',
      input,
      workflowId,
      reuse: 'never',
      attributes: runAttributes({
        chainId: chain.id,
        principal: principal.name,
        requestId,
        documentId: documentOf(order),
        event,
      }),
      memo: {
        principal: principal.name,
        requestId,
        ...(fingerprint !== undefined && { fingerprint }),
        ...(repository !== undefined && { repository }),
      },
      summary: summary ?? chain.description ?? chain.id,
    },
  )
  // It begins at another worker, whose results arrive through Temporal.
  if (!started?.isTaken) embedded?.handovers.settle(workflowId, undefined)
  return started !== undefined
}

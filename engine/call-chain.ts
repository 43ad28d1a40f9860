import { calledRunId, fingerprintOf, type NewRun, newRunId } from '../core/automation/runs/index.js'
import { fail, isArchivoltError } from '../core/platform/errors/index.js'
import { weightOf } from '../core/platform/limits/index.js'
import type { RunsContext } from './context.js'
import { findRun, requireReadable } from './describe/index.js'
import { startChain } from './start/index.js'

const idOf = ({ chain, principal, idempotencyKey }: NewRun, taskQueue: string): string =>
  calledRunId(
    newRunId({ chainId: chain.id, execution: 'workflow', principal: principal.name, idempotencyKey }),
    taskQueue,
  )

/**
 * The run that an earlier call with the same key started.
 *
 * @throws conflict when it was started for another call, notFound when there is none, operationFailed where the key is
 *   missing that would show it.
 */
const earlierRun = async (context: RunsContext, workflowId: string, run: NewRun): Promise<string> => {
  const { description } = await findRun(context, workflowId, run.principal)
  requireReadable(description)
  if (description.memo?.fingerprint !== fingerprintOf(run, context.repository))
    throw fail('conflict', 'Idempotency-Key: it was used for another request before')
  run.onEarlier?.()
  return workflowId
}

/** Counts a run in its caller's quota. @returns what takes it back; or the run that has its key already. */
const enterQuota = async (
  context: RunsContext,
  workflowId: string,
  run: NewRun,
): Promise<string | (() => void)> => {
  try {
    return (await context.quota?.enter(run.principal, workflowId)) ?? (() => undefined)
  } catch (error) {
    if (run.idempotencyKey === undefined) throw error
    return earlierRun(context, workflowId, run).catch((reason: unknown) => {
      throw isArchivoltError(reason) && reason.code === 'notFound' ? error : reason
    })
  }
}

/**
 * Starts the run of a call, or finds that of an earlier call with the same key.
 *
 * @returns its id.
 * @throws insufficientStorage for a caller who has used the budget of writes up.
 */
export const callChain = async (context: RunsContext, run: NewRun): Promise<string> => {
  const { client, taskQueue, units, repository } = context
  const workflowId = idOf(run, taskQueue)
  const leave = await enterQuota(context, workflowId, run)
  if (typeof leave === 'string') return leave
  try {
    // Its history keeps what the call has sent, whatever becomes of the run.
    await units.reading(run.principal).session.writes?.spend(weightOf(run.request))
    const fingerprint = run.idempotencyKey === undefined ? undefined : fingerprintOf(run, repository)
    const isStarted = await startChain(
      { client, taskQueue, units, embedded: context.embedded() },
      { workflowId, order: run, repository, fingerprint },
    )
    if (isStarted) return workflowId
  } catch (error) {
    leave()
    throw error
  }
  leave()
  return earlierRun(context, workflowId, run)
}

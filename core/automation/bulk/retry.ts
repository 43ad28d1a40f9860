import { randomUUID } from 'node:crypto'
import { fail } from '../../platform/errors/index.js'
import { type BulkCommand, requireMayCall } from '../language/index.js'
import { whyNotFailed } from '../run-store/index.js'
import { requireMayRun } from './actions.js'
import { type BulkPlace, getBulk, hasEnded } from './command.js'
import { requireQuota } from './quota.js'

/** Whoever may not give a command any more may not have it go on either. */
const requireMayGive = ({ session, registry }: BulkPlace, { action, work }: BulkCommand): void => {
  requireMayRun(action, session.principal)
  const callable = registry.find(work.target)
  if (callable) requireMayCall(session, { id: work.target, callable })
}

/**
 * Lets a command whose workflow has ended before its time go on behind what is done, with the chains and for the
 * user that it was given with. It starts when the session's transaction has committed.
 *
 * @throws notFound for a command that is unknown or somebody else's, conflict for one that is done, tooManyRequests.
 */
export const resumeBulk = async (place: BulkPlace, id: string): Promise<BulkCommand> => {
  const { store, session } = place
  const command = await getBulk(store, session.principal, id)
  requireMayGive(place, command)
  // Its workflow was terminated before it could say so.
  if (!hasEnded(command)) await store.end(id, 'ABORTED')
  await requireQuota(place, command.principal)
  if (!(await store.resume(id))) {
    const { state, failed } = command
    const items = failed > 0 ? `; ${failed} of its documents failed, which its items/retry does again` : ''
    throw fail('conflict', `The bulk command '${id}' is done: it is ${state}${items}`)
  }
  return getBulk(store, session.principal, id)
}

/**
 * Gives a command that does failed documents of another one again, those at the given positions or all: each is
 * removed from the list of failures in the transaction that does it, and what fails again stays on it.
 *
 * @throws notFound for a command that is unknown or somebody else's, or without such failed documents, conflict for
 * one that goes on, or that repairs another one, tooManyRequests.
 * @returns the new command.
 */
export const retryBulk = async (
  place: BulkPlace,
  { id, positions, requestId }: { id: string; positions?: readonly number[] | undefined; requestId: string },
): Promise<BulkCommand> => {
  const { store, session } = place
  const command = await getBulk(store, session.principal, id)
  requireMayGive(place, command)
  if (command.repairs !== null)
    throw fail(
      'conflict',
      `The bulk command '${id}' repairs '${command.repairs}': what fails again is listed there`,
    )
  if (!hasEnded(command))
    throw fail('conflict', `The bulk command '${id}' goes on: its failed items are known when it has ended`)
  const failed = await store.failedIds(id, positions)
  if (failed.length === 0) {
    const lists = [{ position: command.processed, total: command.collected }]
    const reason = positions ? whyNotFailed(lists, positions) : 'none has failed that was not done since'
    throw fail('notFound', `The bulk command '${id}' has no such failed items: ${reason}`)
  }
  await requireQuota(place, command.principal)
  const { principal, action, query, work, bucketSize, batchSize, rate } = command
  const given = { principal, action, query, queryLimit: null, work, bucketSize, batchSize, rate }
  const repairId = randomUUID()
  await store.submit({ ...given, id: repairId, requestId, repairs: id })
  await store.collect(repairId, 0, failed, { isLast: true })
  return getBulk(store, session.principal, repairId)
}

import { randomUUID } from 'node:crypto'
import type { Principal } from '../../access/security/index.js'
import type { Session } from '../../content/documents/index.js'
import { isUuid, type PropertyValue } from '../../model/properties/index.js'
import { fail } from '../../platform/errors/index.js'
import { weightOf } from '../../platform/limits/index.js'
import {
  type BulkCommand,
  type BulkRequest,
  type BulkWork,
  type Callable,
  type Registry,
  requireMayCall,
} from '../language/index.js'
import { chainOfOne, checkLiteralParameters, planChain } from '../planning/index.js'
import type { BulkStore } from '../run-store/index.js'
import { bulkAction, requireSettable } from './actions.js'
import { checkBulkQuery } from './query.js'
import { requireQuota } from './quota.js'

const DEFAULT_BUCKET = 1_000
const MAX_BUCKET = 10_000
const DEFAULT_BATCH = 100
const MAX_BATCH = 1_000
const MAX_RATE = 100_000

/** What a command takes beside what its caller sends. */
const COMMAND_CHARACTERS = 1_000

export type BulkPlace = {
  session: Session
  store: BulkStore
  registry: Registry
  /** Commands of one user that may be under way. */
  mostOpen: number
}

const within = (name: string, value: number | undefined, most: number): void => {
  if (value !== undefined && (!Number.isInteger(value) || value < 1 || value > most))
    throw fail('badRequest', `${name}: must be a whole number from 1 to ${most}, not ${value}`)
}

const nodesOf = (callable: Callable, parameters: BulkRequest['parameters'], registry: Registry) =>
  planChain(callable.kind === 'chain' ? callable.chain : chainOfOne(callable.operation, parameters), registry)

/** What is called, if the caller may call it and it keeps to one transaction. */
const workOf = (
  { session, registry }: Pick<BulkPlace, 'session' | 'registry'>,
  target: string,
  parameters: BulkRequest['parameters'],
): BulkWork => {
  const callable = requireMayCall(session, { id: target, callable: registry.get(target) })
  const plan = nodesOf(callable, parameters, registry)
  if (plan.nodes.some(({ kind }) => kind !== 'segment'))
    throw fail(
      'badRequest',
      `operationId: ${target} commits on its way, and a bulk command does its documents in transactions of its own`,
    )
  checkLiteralParameters(callable, parameters)
  const chains = callable.kind === 'chain' ? { [plan.chainId]: callable.chain, ...plan.chains } : plan.chains
  return { target: callable.kind === 'chain' ? plan.chainId : callable.operation.id, parameters, chains }
}

/**
 * Gives a bulk command: it starts when the session's transaction has committed, and acts with the rights that its
 * principal has then (reference: automation.md §11, `Bulk.RunAction`).
 *
 * @throws notFound for an unknown action or operation, forbidden for an action of administrators, badRequest
 * naming what does not fit, tooManyRequests while its principal has as many under way as one may, insufficientStorage
 * beyond what he may write.
 * @returns the id of the command.
 */
export const submitBulk = async (
  place: BulkPlace,
  { requestId, ...request }: BulkRequest & { requestId?: string | undefined },
): Promise<string> => {
  const { session, store, registry } = place
  const { principal } = session
  const { isAdministrator } = principal
  const { target, parameters, query } = bulkAction(request.action, { ...request, isAdministrator })
  within('queryLimit', request.queryLimit, Number.MAX_SAFE_INTEGER)
  within('bucketSize', request.bucketSize, MAX_BUCKET)
  within('batchSize', request.batchSize, MAX_BATCH)
  within('documentsPerSecond', request.documentsPerSecond, MAX_RATE)
  const work = workOf({ session, registry }, target, parameters)
  requireSettable({ target: work.target, parameters }, session.model)
  checkBulkQuery(session, { query, queryLimit: request.queryLimit ?? null })
  await requireQuota(place, principal.name)
  // What a command holds is kept after it has ended.
  await session.writes?.spend(COMMAND_CHARACTERS + weightOf([work, query]))
  const id = randomUUID()
  await store.submit({
    id,
    principal: principal.name,
    requestId: requestId ?? id,
    action: request.action,
    query,
    queryLimit: request.queryLimit ?? null,
    work,
    bucketSize: request.bucketSize ?? DEFAULT_BUCKET,
    batchSize: request.batchSize ?? DEFAULT_BATCH,
    rate: request.documentsPerSecond ?? null,
    repairs: null,
  })
  return id
}

/** A command by id. @throws notFound for one that is unknown or somebody else's. */
export const getBulk = async (store: BulkStore, principal: Principal, id: string): Promise<BulkCommand> => {
  const command = isUuid(id) ? await store.find(id) : undefined
  const isOwn = command && (principal.isAdministrator || command.principal === principal.name)
  if (!isOwn) throw fail('notFound', `No bulk command '${id}'`)
  return command
}

/** Stops a command behind the batch that is under way; one that has ended stays as it is. */
export const abortBulk = async (store: BulkStore, principal: Principal, id: string): Promise<BulkCommand> => {
  await getBulk(store, principal, id)
  await store.end(id, 'ABORTED')
  return getBulk(store, principal, id)
}

export const hasEnded = ({ state }: Pick<BulkCommand, 'state'>): boolean =>
  state === 'COMPLETED' || state === 'ABORTED'

const textOf = (date: Date | null): string | null => date?.toISOString() ?? null

/** A command as clients read it. Times are ISO 8601 in UTC; `failures` are the first that failed. */
export const bulkStatus = (command: BulkCommand): { [field: string]: PropertyValue } => ({
  commandId: command.id,
  state: command.state,
  action: command.action,
  ...(command.repairs !== null && { repairs: command.repairs }),
  username: command.principal,
  processed: command.processed,
  total: command.collected,
  skipCount: 0,
  error: command.failed > 0 || command.error !== null,
  errorCount: command.failed,
  errorMessage: command.error ?? command.failures[0]?.message ?? null,
  failures: command.failures.map((failure) => ({ ...failure })),
  submitted: textOf(command.submittedAt),
  scrollStart: textOf(command.scrollStartedAt),
  scrollEnd: textOf(command.scrollEndedAt),
  processingStart: textOf(command.scrollEndedAt),
  processingEnd: textOf(command.completedAt),
  completed: textOf(command.completedAt),
  processingMillis:
    command.scrollEndedAt === null
      ? 0
      : (command.completedAt ?? new Date()).getTime() - command.scrollEndedAt.getTime(),
})

import type { Principal } from '../../../access/security/index.js'
import { fail } from '../../../platform/errors/index.js'
import {
  executeTarget,
  executionOf,
  type SegmentDependencies,
  throwIfStopped,
} from '../../execution/index.js'
import { type BulkCommand, CHUNK_SIZE, finalFailure, type Value } from '../../language/index.js'
import type { UnitOfWork, UnitsOfWork } from '../../run-store/index.js'
import { nextIds } from '../index.js'

/** Ids that one statement finds: whole chunks of the list that they are kept in. */
const PAGE = 20 * CHUNK_SIZE

/** Pages of one activity. */
const PAGES = 50

/** Milliseconds after which a bucket of slow documents is left to the next activity, so that others get its slot. */
const BUCKET_MS = 30_000

export type BulkProgress = {
  isDone: boolean
  state: string
  processed: number
  total: number
  failed: number
  /** Milliseconds to wait before the next bucket, where the command is throttled. */
  waitMs?: number
}

type BulkCall = {
  principal: Principal
  id: string
  signal: AbortSignal
  /** Called as the work goes on. */
  report: (progress: { position: number; total: number }) => void
}

const progressOf = ({ state, processed, collected, failed }: BulkCommand, isDone: boolean): BulkProgress => ({
  isDone,
  state,
  processed,
  total: collected,
  failed,
})

const commandOf = async ({ bulk }: Pick<UnitOfWork, 'bulk'>, id: string): Promise<BulkCommand> => {
  const command = await bulk.find(id)
  if (!command) throw fail('notFound', `No bulk command '${id}'`)
  return command
}

/**
 * Finds the documents of a command, with the rights of its principal, page by page. Whatever attempt finds them,
 * each is found once.
 *
 * @returns not done when there is more to find than one activity should.
 */
export const collectBulk = async (
  { units }: SegmentDependencies,
  { principal, id, signal, report }: BulkCall,
): Promise<BulkProgress> => {
  const reading = units.reading(principal)
  for (let page = 0; page < PAGES; page++) {
    throwIfStopped(signal)
    const command = await commandOf(reading, id)
    if (command.state !== 'SCHEDULED' && command.state !== 'SCROLLING_RUNNING')
      return progressOf(command, true)
    const ids = await nextIds(reading.session, command, PAGE)
    const isLast = command.queryLimit !== null || ids.length < PAGE
    await units.transaction(principal, ({ bulk }) => bulk.collect(id, command.collected, ids, { isLast }))
    report({ position: 0, total: command.collected + ids.length })
  }
  return progressOf(await commandOf(reading, id), false)
}

/** An operation that does each document of a list by itself may be given them together, and read them at once. */
const takesList = ({ registry }: SegmentDependencies, { work }: BulkCommand): boolean => {
  const callable = registry.find(work.target)
  if (callable?.kind !== 'operation' || callable.operation.script) return false
  const { methods } = callable.operation
  return (
    methods.some(({ input, iterates }) => input === 'document' && iterates) &&
    !methods.some(({ input }) => input === 'documents')
  )
}

const inputsOf = (ids: readonly string[], isList: boolean): Value[] =>
  isList
    ? [{ type: 'documents', ids, mustExist: true }]
    : ids.map((documentId) => ({ type: 'document', id: documentId }))

/** Thrown to give up what another attempt has done meanwhile, or what is not to be done any more. */
const doneByAnother = new Error('These documents are not this attempt’s to do')

type Batch = Pick<BulkCall, 'principal' | 'signal'> & {
  command: BulkCommand
  position: number
  ids: readonly string[]
  isList: boolean
  transaction: UnitsOfWork['transaction']
}

/** Those of a batch that are still to be done: what another retry of the same command has done is left out. */
const claimedOf = async (
  { bulk }: Pick<UnitOfWork, 'bulk'>,
  { repairs }: BulkCommand,
  ids: readonly string[],
): Promise<readonly string[]> => {
  if (repairs === null) return ids
  const resolved = new Set(await bulk.resolveFailures(repairs, ids))
  return ids.filter((id) => resolved.has(id))
}

/** All documents of a batch in one transaction. @throws `doneByAnother`; what a document fails with. */
const doTogether = (
  dependencies: SegmentDependencies,
  { principal, signal, command, position, ids, isList, transaction }: Batch,
): Promise<void> =>
  transaction(principal, async (unit) => {
    if (!(await unit.bulk.advance(command.id, position, { count: ids.length }))) throw doneByAnother
    const claimed = await claimedOf(unit, command, ids)
    if (claimed.length === 0) return
    const { target, parameters, chains } = command.work
    const execution = executionOf(dependencies, unit, { chains, signal, isBulk: true })
    const caller = { operation: target, params: {}, isLiteral: true }
    for (const input of inputsOf(claimed, isList)) {
      throwIfStopped(signal)
      await executeTarget(execution, { caller, variables: {}, id: target, input, parameters, isolate: true })
    }
  })

/** One document after the other, each in its own transaction; what fails is recorded and skipped. */
const doSingly = async (dependencies: SegmentDependencies, batch: Batch): Promise<void> => {
  for (const [index, id] of batch.ids.entries()) {
    const position = batch.position + index
    try {
      await doTogether(dependencies, { ...batch, position, ids: [id] })
    } catch (error) {
      const final = error === doneByAnother ? undefined : finalFailure(error)
      if (!final) throw error
      const failure = { position, id, status: final.status, message: final.message }
      dependencies.services.log('warn', 'A document of a bulk command failed', {
        ...failure,
        commandId: batch.command.id,
      })
      const isMine = await batch.transaction(batch.principal, async ({ bulk }) => {
        const { id: commandId, repairs } = batch.command
        if (!(await bulk.advance(commandId, position, { count: 1, failure }))) return false
        if (repairs !== null) await bulk.renewFailure(repairs, failure)
        return true
      })
      if (!isMine) throw doneByAnother
    }
  }
}

/** A batch in one transaction or, when a document of it fails, in one for each: the others are done all the same. */
const doBatch = async (dependencies: SegmentDependencies, batch: Batch): Promise<void> => {
  try {
    await doTogether(dependencies, batch)
  } catch (error) {
    throwIfStopped(batch.signal)
    if (error === doneByAnother || !finalFailure(error)) throw error
    await doSingly(dependencies, batch)
  }
}

/** What is left of the time that so many documents take at least. It is waited for without the worker's slot. */
const waitOf = ({ rate }: BulkCommand, { done, since }: { done: number; since: number }) => {
  const waitMs = rate === null ? 0 : Math.ceil(since + (done * 1_000) / rate - performance.now())
  return waitMs > 0 ? { waitMs } : {}
}

/**
 * Does one bucket of a command's documents, in transactions of a batch each. Each document is done once, whatever
 * attempt does it: its place is taken in the transaction of its effects. What fails for good is listed and
 * skipped; the rest of its batch is then done document by document.
 *
 * @returns done when the command has come to its end, or was aborted; of a throttled one, what is to be waited for.
 */
export const runBulkBucket = async (
  dependencies: SegmentDependencies,
  { principal, id, signal, report }: BulkCall,
): Promise<BulkProgress> => {
  const { units } = dependencies
  const reading = units.reading(principal)
  const command = await commandOf(reading, id)
  if (command.state !== 'RUNNING') return progressOf(command, true)
  const { processed, collected, bucketSize, batchSize } = command
  // What is throttled is done second by second.
  const size = command.rate === null ? bucketSize : Math.min(bucketSize, command.rate)
  const ids =
    processed < collected
      ? await reading.transient.getList(id, processed, Math.min(collected, processed + size))
      : []
  if (ids.length === 0 && processed < collected)
    throw fail('notFound', `The documents of the bulk command '${id}' are not kept any more`)
  const since = performance.now()
  const isList = takesList(dependencies, command)
  await units
    .series(async (transaction) => {
      for (let done = 0; done < ids.length; done += batchSize) {
        throwIfStopped(signal)
        if (performance.now() - since > BUCKET_MS) break
        const batch = ids.slice(done, done + batchSize)
        const position = processed + done
        await doBatch(dependencies, { principal, signal, command, position, ids: batch, isList, transaction })
        report({ position: position + batch.length, total: collected })
      }
    })
    .catch((error: unknown) => {
      if (error !== doneByAnother) throw error
    })
  const behindIt = await commandOf(reading, id)
  if (behindIt.state === 'RUNNING' && behindIt.processed >= behindIt.collected) {
    await units.transaction(principal, ({ bulk }) => bulk.end(id, 'COMPLETED'))
    return progressOf(await commandOf(reading, id), true)
  }
  const progress = progressOf(behindIt, behindIt.state !== 'RUNNING')
  return { ...progress, ...(!progress.isDone && waitOf(command, { done: ids.length, since })) }
}

import type { Principal } from '../../access/security/index.js'
import { type RunContext, type SegmentDependencies, throwIfStopped } from '../execution/index.js'
import { CHUNK_SIZE, type LoopFailure } from '../language/index.js'
import {
  createIncidentLog,
  type PackedState,
  packState,
  type RunState,
  unpackState,
} from '../run-store/index.js'
import { failureOf, keepElementIncidents, type LoopElement, runElement, taken } from './loop-element.js'
import { elementsOf } from './loop-list.js'
import { type LoopCall, openLoop } from './open-loop.js'

/** Elements that one activity walks before the workflow hears of it again. */
export const LOOP_PAGE_SIZE = CHUNK_SIZE

/** Failures that a page tells: all of them are in the database, and each page is a part of its run's history. */
const TOLD_FAILURES = 10

export type LoopReport = {
  /** Elements behind the loop, failed ones included. */
  position: number
  total: number
  failed: number
  /** The first of them. */
  failures: readonly LoopFailure[]
}

export type LoopPage = LoopReport & { isDone: boolean; state: PackedState }

/** One element in its own transaction. A failure is recorded and passed over when the loop says so. */
const doElement = async (
  dependencies: SegmentDependencies,
  element: LoopElement,
): Promise<'done' | 'taken'> => {
  const { principal, loop, position, transaction, log } = element
  try {
    loop.state.variables = await runElement(dependencies, element, ({ receipts }) =>
      receipts.advanceLoop(loop.key, position),
    )
    return 'done'
  } catch (error) {
    if (error === taken) return 'taken'
    const failure = failureOf(error, { position, element: element.element })
    if (!failure) throw error
    if (loop.stopsOnError) {
      await transaction(principal, async (unit) => {
        await keepElementIncidents(unit, { loop, position, log })
        await unit.receipts.stopLoop(loop.key, failure)
      })
      throw error
    }
    const about = { ...failure, ...loop.key, chain: element.call.target }
    dependencies.services.log('warn', 'A loop passed over a failed element', about)
    const isMine = await transaction(principal, async (unit) => {
      const isMoved = await unit.receipts.advanceLoop(loop.key, position, { failure })
      if (isMoved) await keepElementIncidents(unit, { loop, position, log })
      return isMoved
    })
    return isMine ? 'done' : 'taken'
  }
}

/**
 * Walks one page of a loop, a transaction for each element. Whatever attempt, worker or machine walks it,
 * each element is done once: its position is moved in its own transaction, and whoever comes late starts
 * behind what is done.
 *
 * @param report called after every element.
 * @throws badRequest when the variable is no list; what an element throws when the loop stops at errors.
 */
export const runLoopPage = async (
  dependencies: SegmentDependencies,
  {
    principal,
    run,
    call,
    signal,
    report,
  }: {
    principal: Principal
    run: RunContext
    call: LoopCall
    signal: AbortSignal
    report: (progress: { position: number; total: number }) => void
  },
): Promise<LoopPage> => {
  const reading = dependencies.units.reading(principal)
  const loop = await openLoop(dependencies, reading, { run, call, signal })
  const begun = await reading.receipts.loopPosition(loop.key, loop.total)
  if (begun.variables) {
    loop.state = await unpackState(reading.transient, begun.variables as unknown as PackedState)
  }
  const to = Math.min(loop.total, begun.position + LOOP_PAGE_SIZE)
  const elements = await elementsOf(reading.transient, loop.list, { from: begun.position, to })
  const log = createIncidentLog()
  await dependencies.units.series(async (transaction) => {
    for (const [index, element] of elements.entries()) {
      throwIfStopped(signal)
      const position = begun.position + index
      const about = { principal, run, call, loop, element, position, signal, transaction, log }
      const outcome = await doElement(dependencies, about)
      report({ position: position + 1, total: loop.total })
      if (outcome === 'taken') break
    }
  })
  const { position, failed } = await reading.receipts.loopPosition(loop.key, loop.total)
  const failures = failed === 0 ? [] : await reading.receipts.loopFailures(loop.key, { limit: TOLD_FAILURES })
  const isDone = position >= loop.total
  const state =
    isDone && !loop.isolate ? await packed(dependencies, principal, loop.state, loop.item) : run.state
  return { position, total: loop.total, failed, failures, isDone, state }
}

/** The state behind a loop that shares its variables: all of them but the element. */
const packed = (
  { units }: SegmentDependencies,
  principal: Principal,
  { input, variables }: RunState,
  item: string,
): Promise<PackedState> =>
  units.transaction(principal, (unit) => {
    const { [item]: _element, ...kept } = variables
    return packState(unit.transient, { input, variables: kept })
  })

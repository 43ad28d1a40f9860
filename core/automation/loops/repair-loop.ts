import type { Principal } from '../../access/security/index.js'
import { fail } from '../../platform/errors/index.js'
import { type RunContext, type SegmentDependencies, throwIfStopped } from '../execution/index.js'
import type { LoopFailure, Value } from '../language/index.js'
import { createIncidentLog, type Receipts, type StepKey, type UnitsOfWork } from '../run-store/index.js'
import { LOOP_PAGE_SIZE, type LoopReport } from './loop.js'
import { failureOf, keepElementIncidents, runElement, taken } from './loop-element.js'
import { elementsOf } from './loop-list.js'
import { type LoopCall, openLoop } from './open-loop.js'

/** The elements of a page: those that are asked for, or the next of all that have failed. */
export type RepairRange =
  | { positions: readonly number[] }
  | {
      /** Where the page begins. */
      from: number
      /** Failed elements that pages before it have walked. */
      walked: number
      /** How many of those have failed again. */
      failedBefore: number
    }

/** What came of the elements that were walked; of pages all together those of this one and of those before. */
export type RepairPage = LoopReport & {
  /** Where the next page begins; absent: there is none. */
  next?: number
}

export type RepairCall = {
  principal: Principal
  /** The loop's own key and state, as the run had them that left elements behind. */
  run: RunContext
  /** Of the run that does them again. */
  repairKey: StepKey
  call: LoopCall
  /** Elements to do again; those of them that are not failed any more are left alone. */
  range: RepairRange
  signal: AbortSignal
  /** Called after every element. */
  report: (progress: { position: number; total: number }) => void
}

/** Failures that a page of all that have failed tells: each page is a part of its run's history. */
const TOLD_FAILURES = 20

const pageOf = async (
  receipts: Receipts,
  { key }: RunContext,
  range: RepairRange,
): Promise<{ positions: readonly number[]; walked: number; total: number; told: number }> => {
  if ('positions' in range) {
    const { positions } = range
    return { positions, walked: 0, total: positions.length, told: positions.length }
  }
  const { from, walked } = range
  const [failed, left] = await Promise.all([
    receipts.loopFailures(key, { after: from - 1, limit: LOOP_PAGE_SIZE }),
    receipts.countFailures(key, { from }),
  ])
  const positions = failed.map(({ position }) => position)
  return { positions, walked, total: walked + left, told: TOLD_FAILURES }
}

/**
 * Does failed elements of a loop again, each in a transaction of its own that also strikes it off the list of
 * failures: whatever attempt does it, it is done once. One that fails again stays on the list.
 */
export const repairLoop = async (
  dependencies: SegmentDependencies,
  { range, repairKey, report, ...about }: RepairCall,
): Promise<RepairPage> => {
  const { principal, run, signal } = about
  const { units, services } = dependencies
  const reading = units.reading(principal)
  const loop = await openLoop(dependencies, reading, about)
  const { positions, walked, total, told } = await pageOf(reading.receipts, run, range)
  const log = createIncidentLog()
  const repair = async (position: number, transaction: UnitsOfWork['transaction']): Promise<void> => {
    let element: Value | undefined
    try {
      ;[element] = await elementsOf(reading.transient, loop.list, { from: position, to: position + 1 })
      if (!element) throw fail('notFound', `The element ${position} of the list is not kept any more`)
      await runElement(
        dependencies,
        { ...about, loop, element, position, transaction, log },
        ({ receipts }) => receipts.claimFailure(run.key, position),
      )
    } catch (error) {
      if (error === taken) return
      const failure = failureOf(error, { position, element })
      if (!failure) throw error
      services.log('warn', 'An element of a loop failed again', { ...failure, ...run.key })
      await transaction(principal, async (unit) => {
        await unit.receipts.renewFailure(run.key, failure)
        await keepElementIncidents(unit, { loop, position, log })
      })
    }
  }
  await units.series(async (transaction) => {
    for (const [index, position] of positions.entries()) {
      throwIfStopped(signal)
      await repair(position, transaction)
      report({ position: walked + index + 1, total })
    }
  })
  const left: readonly LoopFailure[] = await reading.receipts.loopFailures(run.key, {
    among: positions,
    limit: positions.length,
  })
  const position = walked + positions.length
  const last = positions.at(-1)
  const failedBefore = 'from' in range ? range.failedBefore : 0
  await reading.receipts.keepRepaired(repairKey, { position, total, failed: failedBefore + left.length })
  return {
    position,
    total,
    failed: left.length,
    failures: left.slice(0, told),
    ...('from' in range && last !== undefined && position < total && { next: last + 1 }),
  }
}

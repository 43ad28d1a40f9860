import { fail } from '../errors/index.js'
import type { Principal } from '../security/index.js'
import type { LoopReport } from './loop.js'
import { failureOf, runElement, taken } from './loop-element.js'
import { elementsOf } from './loop-list.js'
import { type LoopCall, openLoop } from './open-loop.js'
import type { RunContext, SegmentDependencies } from './segment.js'
import { throwIfStopped } from './time-limit.js'
import type { UnitsOfWork } from './unit-of-work.js'

export type RepairCall = {
  principal: Principal
  /** The loop's own key and state, as the run had them that left elements behind. */
  run: RunContext
  call: LoopCall
  /** Elements to do again; those of them that are not failed any more are left alone. */
  positions: readonly number[]
  signal: AbortSignal
  /** Called after every element. */
  report: (progress: { position: number; total: number }) => void
}

/**
 * Does failed elements of a loop again, each in a transaction of its own that also strikes it off the list of
 * failures: whatever attempt does it, it is done once. One that fails again stays on the list.
 *
 * @returns where the loop stands then.
 */
export const repairLoop = async (
  dependencies: SegmentDependencies,
  { positions, report, ...about }: RepairCall,
): Promise<LoopReport> => {
  const { principal, run, signal } = about
  const { units, services } = dependencies
  const reading = units.reading(principal)
  const loop = await openLoop(dependencies, reading, about)
  const repair = async (position: number, transaction: UnitsOfWork['transaction']): Promise<void> => {
    try {
      const [element] = await elementsOf(reading.transient, loop.list, { from: position, to: position + 1 })
      if (!element) throw fail('notFound', `The element ${position} of the list is not kept any more`)
      await runElement(dependencies, { ...about, loop, element, transaction }, ({ receipts }) =>
        receipts.claimFailure(run.key, position),
      )
    } catch (error) {
      if (error === taken) return
      const failure = failureOf(error, position)
      if (!failure) throw error
      services.log('warn', 'An element of a loop failed again', { ...failure, ...run.key })
      await transaction(principal, ({ receipts }) => receipts.renewFailure(run.key, failure))
    }
  }
  await units.series(async (transaction) => {
    for (const [index, position] of positions.entries()) {
      throwIfStopped(signal)
      await repair(position, transaction)
      report({ position: index + 1, total: positions.length })
    }
  })
  const { position, failed, failures } = await reading.receipts.loopPosition(run.key)
  return { position, total: loop.total, failed, failures }
}

import type { Principal } from '../../access/security/index.js'
import type { SegmentDependencies } from '../execution/index.js'
import { KEPT_MESSAGE, type LoopFailure } from '../language/index.js'
import type { ElementPlace, StepKey } from '../run-store/index.js'
import { type EnteredElement, enterAgain, type FailedElement } from './elements.js'
import type { ElementOf } from './open-walk.js'

/** The next failed element of a walk; without one there is none any more. */
export type FailedElementEntered = {
  /** How many there are, this one included. */
  left: number
  failed?: LoopFailure
  /** With which its run begins again. */
  entered?: Pick<EnteredElement, 'timeout'> & Required<Pick<EnteredElement, 'state'>>
}

/** How far a run has come that does failed elements again. */
export type RepairedSoFar = { position: number; total: number; failed: number }

/**
 * The next failed element of a loop whose elements are runs of their own, and the state with which its run begins
 * again: what that has done already is found by its receipts.
 *
 * @param from where to look from on.
 * @param positions absent: all that have failed.
 * @throws notFound when what the loop began with is not kept any more.
 */
export const enterFailed = async (
  dependencies: SegmentDependencies,
  { from, positions, ...about }: ElementOf & { from: number; positions?: readonly number[] | undefined },
): Promise<FailedElementEntered> => {
  const { receipts } = dependencies.units.reading(about.principal)
  const { key } = about.run
  const [[failed], left] = await Promise.all([
    receipts.loopFailures(key, { after: from - 1, among: positions, limit: 1 }),
    receipts.countFailures(key, { from, among: positions }),
  ])
  if (!failed) return { left: 0 }
  const { state, timeout } = await enterAgain(dependencies, { ...about, element: failed.position })
  return { left, failed, entered: { state, ...(timeout !== undefined && { timeout }) } }
}

/**
 * Keeps what came of an element that was done again, and how far the run has come that does so.
 *
 * @param repair of that run.
 * @param failure absent: it is no failed one any more.
 */
export const leaveFailed = async (
  { units }: Pick<SegmentDependencies, 'units'>,
  {
    principal,
    place: { key, position },
    failure,
    repair,
  }: {
    principal: Principal
    place: ElementPlace
    failure?: FailedElement | undefined
    repair: { key: StepKey; loop: RepairedSoFar }
  },
): Promise<void> =>
  units.transaction(principal, async ({ receipts }) => {
    if (failure) {
      const { status, message } = failure
      await receipts.renewFailure(key, { position, status, message: message.slice(0, KEPT_MESSAGE) })
    } else await receipts.claimFailure(key, position)
    await receipts.keepRepaired(repair.key, repair.loop)
  })

/** Strikes an element off the list of those that have failed: its run has come to its end after all. */
export const strikeElement = async (
  { units }: Pick<SegmentDependencies, 'units'>,
  { principal, place: { key, position } }: { principal: Principal; place: ElementPlace },
): Promise<void> => {
  await units.transaction(principal, ({ receipts }) => receipts.claimFailure(key, position))
}

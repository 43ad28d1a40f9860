import {
  executeTarget,
  executionOf,
  isFinal,
  type SegmentDependencies,
  withTimeout,
} from '../execution/index.js'
import { logOfUser, type Variables } from '../language/index.js'
import {
  failureIncident,
  type IncidentLog,
  type StepKey,
  type UnitOfWork,
  type UnitsOfWork,
} from '../run-store/index.js'
import type { Item, Iteration } from './iteration.js'
import { claimItem, doneByAnother, failureOf, keepOutcome, resolvedByAnother, skipItem } from './outcomes.js'
import type { LoopPlace } from './place.js'
export type ItemRun = {
  place: LoopPlace
  iteration: Iteration
  item: Item
  /** Those with which it begins. */
  variables: Variables
  transaction: UnitsOfWork['transaction']
  /** What the item reports; what it reported before it failed is kept with its failure. */
  log: IncidentLog
}

/** Of an item's incidents, in the run whose item it is. */
const incidentKey = ({ iteration: { key, retries }, item }: ItemRun): StepKey => {
  const origin = retries?.key ?? key
  return { ...origin, step: `${origin.step}/${item.position}` }
}

const keepIncidents = async ({ incidents }: UnitOfWork, run: ItemRun): Promise<void> => {
  const reported = run.log.all()
  if (reported.length > 0) await incidents.record(incidentKey(run), reported)
}

/** @returns the variables behind the item. @throws what it fails with; `doneByAnother`, `resolvedByAnother`. */
const attemptItem = (dependencies: SegmentDependencies, run: ItemRun): Promise<Variables> => {
  const { place, iteration, item, variables, transaction, log } = run
  const { call, signal } = place
  const { timeout: seconds, parameters, isolate } = iteration
  return transaction(place.principal, async (unit) => {
    log.clear()
    const execution = executionOf(dependencies, unit, {
      chains: place.run.chains,
      signal,
      report: log.report,
    })
    const begun = iteration.begin(item.value, variables)
    // The claim is sent first: the database makes every other attempt wait at it until this one has committed
    // or failed. The work follows on the same connection without waiting for the answer, which saves a round
    // trip; what it did for nothing is rolled back.
    const [claim, work] = await Promise.allSettled([
      claimItem(unit, iteration, item),
      withTimeout({ signal, seconds }, (limited) =>
        executeTarget(
          { ...execution, signal: limited },
          { caller: call.step, id: call.target, ...begun, parameters, isolate },
        ),
      ),
    ])
    if (claim.status === 'rejected') throw claim.reason
    if (work.status === 'rejected') throw work.reason
    await keepIncidents(unit, run)
    await keepOutcome(unit, iteration, { index: item.index, input: work.value, variables: begun.variables })
    return isolate ? variables : begun.variables
  })
}

/** @returns whether this attempt goes on. @throws the error when it ends the iteration, or may pass. */
const goOnAfter = async (
  { services }: SegmentDependencies,
  run: ItemRun,
  error: unknown,
): Promise<boolean> => {
  const { place, iteration, item, transaction } = run
  const { key, continueOnError, collects, retries } = iteration
  const { call, principal } = place
  if (!isFinal(error)) throw error
  const failure = failureOf(error, item)
  if (!continueOnError) {
    await transaction(principal, async (unit) => {
      await keepIncidents(unit, run)
      await unit.iterations.stop(key, failure)
    })
    throw error
  }
  const about = { ...failure, ...key, chain: call.target }
  logOfUser(services, principal, 'warn', 'An item of a loop failed', about)
  return transaction(principal, async (unit) => {
    if (!(await skipItem(unit, iteration, { item, failure }))) return false
    await keepIncidents(unit, run)
    if (collects && !retries) {
      const incident = failureIncident(call, { input: item.value, failure: error })
      await unit.incidents.record({ ...key, step: `${key.step}/${item.position}/passed` }, [incident])
    }
    return true
  })
}

/** One item in a transaction of its own. @returns the variables behind it; undefined where another attempt is ahead. */
export const doItem = async (
  dependencies: SegmentDependencies,
  run: ItemRun,
): Promise<Variables | undefined> => {
  const { place, iteration, item, variables, transaction } = run
  try {
    return await attemptItem(dependencies, run)
  } catch (error) {
    if (error === doneByAnother) return undefined
    const goesOn =
      error === resolvedByAnother
        ? transaction(place.principal, ({ iterations }) => iterations.saveCursor(iteration.key, item.index))
        : goOnAfter(dependencies, run, error)
    return (await goesOn) ? variables : undefined
  }
}

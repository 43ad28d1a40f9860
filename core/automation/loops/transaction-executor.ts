import {
  executeTarget,
  executionOf,
  isFinal,
  runTarget,
  type SegmentDependencies,
  throwIfStopped,
  withTimeout,
} from '../execution/index.js'
import { CHUNK_SIZE, type Variables } from '../language/index.js'
import {
  createIncidentLog,
  failureIncident,
  type IncidentLog,
  type PackedState,
  type StepKey,
  type UnitOfWork,
  type UnitsOfWork,
  unpackState,
} from '../run-store/index.js'
import {
  type Item,
  type Iteration,
  type LoopReport,
  nextItems,
  openCursor,
  openIteration,
  reportOf,
  variablesAt,
} from './iteration.js'
import {
  claimItem,
  doneByAnother,
  failureOf,
  keepEnd,
  keepOutcome,
  keepsEnd,
  resolvedByAnother,
  skipItem,
} from './outcomes.js'
import type { LoopPlace } from './place.js'
import { mappedMethod } from './sources/input.js'

/** Items that one activity does before the workflow reads of it again. */
const PAGE_SIZE = CHUNK_SIZE

/** Milliseconds after which slow items are left to the next page: an attempt may not last for ever. */
const PAGE_MS = 10 * 60 * 1_000

export type LoopPage = {
  isDone: boolean
  /** Absent: what is called takes its input as one. */
  loop?: LoopReport
  /** The state behind the last item, where it is another than that before the first. */
  state?: PackedState
}

type ItemRun = {
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
  services.log('warn', 'An item of a loop failed', { ...failure, ...key, chain: call.target })
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
const doItem = async (dependencies: SegmentDependencies, run: ItemRun): Promise<Variables | undefined> => {
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

/** Whether the input of a call is one, and no list of items. */
const isSingle = async (
  dependencies: SegmentDependencies,
  { principal, run, call }: LoopPlace,
): Promise<boolean> => {
  if (call.over !== 'input' || call.retries) return false
  const { input } = await unpackState(dependencies.units.reading(principal).transient, run.state)
  return mappedMethod(dependencies, call, input) === undefined
}

/**
 * Does one page of an iteration, a transaction for each item. Whatever attempt, worker or machine does it, each item is
 * done once: the cursor moves in the item's own transaction, and whoever comes late starts behind what is done.
 *
 * @param report called after every item.
 * @throws badRequest when the variable is no list; what an item throws when the loop stops at errors.
 */
export const runLoopPage = async (
  dependencies: SegmentDependencies,
  { report, ...place }: LoopPlace & { report: (progress: { position: number; total: number }) => void },
): Promise<LoopPage> => {
  const { principal, signal } = place
  const { units } = dependencies
  if (await isSingle(dependencies, place))
    return { isDone: true, state: await runTarget(dependencies, place) }
  const reading = units.reading(principal)
  const iteration = await openIteration(dependencies, reading, place)
  const cursor =
    (await reading.iterations.cursor(iteration.key)) ??
    (await units.transaction(principal, (unit) => openCursor(unit, iteration, place)))
  const { items, total } = await nextItems(reading, iteration, { ...cursor, limit: PAGE_SIZE })
  let variables = await variablesAt(reading, iteration, cursor)
  const log = createIncidentLog()
  const since = performance.now()
  await units.series(async (transaction) => {
    for (const item of items) {
      throwIfStopped(signal)
      if (performance.now() - since > PAGE_MS) break
      const behind = await doItem(dependencies, { place, iteration, item, variables, transaction, log })
      if (!behind) break
      variables = behind
      report({ position: item.index + 1, total })
    }
  })
  const reached = (await reading.iterations.cursor(iteration.key)) ?? cursor
  const isDone = reached.position >= reached.total
  const state =
    isDone && keepsEnd(iteration)
      ? await units.transaction(principal, (unit) => keepEnd(unit, iteration, reached))
      : undefined
  return { isDone, loop: await reportOf(reading, iteration, reached), ...(state && { state }) }
}

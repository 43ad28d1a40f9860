import { runTarget, type SegmentDependencies, throwIfStopped } from '../execution/index.js'
import { CHUNK_SIZE } from '../language/index.js'
import { createIncidentLog, type PackedState, unpackState } from '../run-store/index.js'
import { doItem } from './item-transaction.js'
import { type LoopReport, nextItems, openCursor, openIteration, reportOf, variablesAt } from './iteration.js'
import { keepEnd, keepsEnd } from './outcomes.js'
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
  const cursor = iteration.retries
    ? await units.transaction(principal, (unit) => openCursor(unit, iteration, place))
    : await openCursor(reading, iteration, place)
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

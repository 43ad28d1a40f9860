import { fail } from '../../platform/errors/index.js'
import type { SegmentDependencies } from '../execution/index.js'
import type { ItemFailure, NamedFailure, Value } from '../language/index.js'
import type { RetriedItems } from '../planning/index.js'
import {
  type Cursor,
  failuresWithPaths,
  type StepKey,
  type UnitOfWork,
  unpackState,
} from '../run-store/index.js'
import type { LoopPlace } from './place.js'
import { decideRetried, overFailedItems, retriedPositions } from './sources/failed-items.js'
import { overInput } from './sources/input.js'
import { overList } from './sources/list.js'
import { overPages } from './sources/pages.js'
import type { Source } from './sources/source.js'

/** Many items, one after the other, with a cursor that says how far it has come. */
export type Iteration = Source & {
  /** Of its cursor. */
  key: StepKey
  retries: RetriedItems | undefined
}

/** An item: its place among those of the iteration, and its position in the list, which is another one in a retry. */
export type Item = { index: number; position: number; value: Value }

/** How far an iteration is. */
export type LoopReport = {
  position: number
  total: number
  /** All items that failed; the first of them are in `failures`. */
  failed: number
  failures: readonly NamedFailure[]
}

const SOURCES = { list: overList, input: overInput, pages: overPages }

/** Each report is a part of its run's history: all failures are in the database. */
const REPORTED_FAILURES = 10
const REPORTED_RETRIES = 100

/** @throws notFound for an iteration that is not kept any more. */
const enteredBy = async ({ iterations }: UnitOfWork, key: StepKey) => {
  const entered = (await iterations.cursor(key))?.entered
  if (entered) return entered
  throw fail('notFound', `What the items of ${key.workflowId} began with is not kept any more`)
}

/**
 * Evaluates what a step asks for, on the state in which its iteration began.
 *
 * @throws badRequest for a variable that is no list, or an input that the step does not take.
 */
export const openIteration = async (
  dependencies: SegmentDependencies,
  unit: UnitOfWork,
  place: LoopPlace,
): Promise<Iteration> => {
  const { run, call } = place
  const { retries, over } = call
  const open = SOURCES[over]
  if (!retries) return { ...(await open(dependencies, unit, place)), key: run.key, retries }
  const state = await enteredBy(unit, retries.key)
  const source = await open(dependencies, unit, { ...place, run: { ...run, key: retries.key, state } })
  return { ...overFailedItems(source, run.key), continueOnError: true, key: run.key, retries }
}

/** Where an iteration stands, which begins when it has not begun. A retry within a transaction. */
export const openCursor = async (
  unit: UnitOfWork,
  { key, retries, total }: Iteration,
  { run }: Pick<LoopPlace, 'run'>,
): Promise<Cursor> => {
  const known = await unit.iterations.cursor(key)
  if (known) return known
  if (retries) await decideRetried(unit, key, retries)
  else await unit.iterations.begin(key, { total, entered: run.state })
  const begun = await unit.iterations.cursor(key)
  if (!begun) throw fail('internal', `The iteration ${key.workflowId}/${key.step} has not begun`)
  return begun
}

/** The variables that the next item begins with: those of the beginning, or as the last one has handed them on. */
export const variablesAt = async (
  { transient }: Pick<UnitOfWork, 'transient'>,
  { state }: Iteration,
  { handedOn }: Cursor,
) => (handedOn ? (await unpackState(transient, handedOn)).variables : state.variables)

/** The next items: at most so many. */
export const nextItems = async (
  unit: UnitOfWork,
  iteration: Iteration,
  { position, total, limit }: { position: number; total: number; limit: number },
): Promise<{ items: Item[]; total: number }> => {
  const read = await iteration.read(unit, position, Math.min(total, position + limit))
  const items = read.items.map((item, at) => ({ ...item, index: position + at }))
  return { items, total: read.total ?? total }
}

/** The first failures; of a retry those of items that have failed again. */
const failuresOf = async (
  unit: UnitOfWork,
  { key, retries }: Iteration,
  position: number,
): Promise<ItemFailure[]> => {
  if (!retries) return unit.iterations.failures(key, { limit: REPORTED_FAILURES })
  const [upTo] = await retriedPositions(unit, key, { from: position - 1, to: position })
  const range = { upTo, among: retries.positions, limit: REPORTED_RETRIES }
  return unit.iterations.failures(retries.key, range)
}

export const reportOf = async (
  unit: UnitOfWork,
  iteration: Iteration,
  { position, total, failed }: Pick<Cursor, 'position' | 'total' | 'failed'>,
): Promise<LoopReport> => {
  const failures =
    failed > 0 ? await failuresWithPaths(unit, await failuresOf(unit, iteration, position)) : []
  return { position, total, failed, failures }
}

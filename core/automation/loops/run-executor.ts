import { type ChainFailure, leftVariables, type SegmentDependencies } from '../execution/index.js'
import {
  browsablePaths,
  enteredState,
  type ItemPlace,
  type PackedState,
  packState,
  type UnitOfWork,
  unpackState,
} from '../run-store/index.js'
import {
  type Iteration,
  type LoopReport,
  nextItems,
  openCursor,
  openIteration,
  reportOf,
  variablesAt,
} from './iteration.js'
import { failureOf, keepEnd, keepOutcome, keepsEnd, skipItem } from './outcomes.js'
import type { LoopPlace } from './place.js'
/** An item whose run has ended. */
export type EndedItem = {
  index: number
  /** The state behind it; absent: it has failed, or somebody else has retried it. */
  state?: PackedState
  failure?: ChainFailure
}

/** An item that is to be a run of its own. */
export type EnteredItem = ItemPlace & {
  index: number
  /** Of the document that it is, for who looks at its run. */
  path?: string
  /** With which its run begins. */
  state: PackedState
  /** Seconds that its run may take. Absent: as long as it takes. */
  timeout?: number
}

export type NextItem = {
  loop: LoopReport
  continueOnError: boolean
  /** Absent: there is none any more. */
  item?: EnteredItem
  /** The state behind the last item, where it is another than that before the first. */
  state?: PackedState
}

type InUnit = { dependencies: SegmentDependencies; unit: UnitOfWork; place: LoopPlace; iteration: Iteration }

/** Goes on behind an item, once. */
const leaveItem = async ({ unit, place, iteration }: InUnit, ended: EndedItem): Promise<void> => {
  const { index, state, failure } = ended
  const cursor = await openCursor(unit, iteration, place)
  if (cursor.position !== index) return
  if (failure) {
    const { items } = await nextItems(unit, iteration, { ...cursor, limit: 1 })
    for (const item of items) await skipItem(unit, iteration, { item, failure: failureOf(failure, item) })
    return
  }
  if (!(await unit.iterations.saveCursor(iteration.key, index)) || !state) return
  const outer = await variablesAt(unit, iteration, cursor)
  const { input, variables } = await unpackState(unit.transient, state)
  const left = leftVariables(outer, variables, iteration)
  await keepOutcome(unit, iteration, { index, input, variables: left })
}

const enterItem = async ({ unit, place, iteration }: InUnit): Promise<NextItem> => {
  const { key, retries, continueOnError, runTimeout: timeout, parameters } = iteration
  const cursor = await openCursor(unit, iteration, place)
  const { position: index } = cursor
  const { items, total } = await nextItems(unit, iteration, { ...cursor, limit: 1 })
  const [item] = items
  const documentId = item?.value.type === 'document' ? item.value.id : null
  await unit.iterations.enterItem(key, { position: index, total, documentId })
  const loop = await reportOf(unit, iteration, { ...cursor, total })
  if (!item) {
    const state = keepsEnd(iteration) ? await keepEnd(unit, iteration, cursor) : undefined
    return { loop, continueOnError, ...(state && { state }) }
  }
  const { value, position } = item
  const begun = iteration.begin(value, await variablesAt(unit, iteration, cursor))
  const chain = place.run.chains[place.call.target]
  const state = await packState(unit.transient, enteredState(begun, chain, parameters))
  const { workflowId, step } = retries?.key ?? key
  const path = documentId === null ? undefined : (await browsablePaths(unit, [documentId])).get(documentId)
  return {
    loop,
    continueOnError,
    item: {
      key: { workflowId, step },
      position,
      index,
      ...(path !== undefined && { path }),
      state,
      ...(timeout !== undefined && { timeout }),
    },
  }
}

/**
 * Goes on behind the item whose run has ended last, and enters the next one: the state in which its run begins. A run
 * that begins again goes on where its cursor is.
 *
 * @throws badRequest for a variable that is no list; notFound when what is retried is not kept any more.
 */
export const nextItem = (
  dependencies: SegmentDependencies,
  { ended, ...place }: LoopPlace & { ended?: EndedItem | undefined },
): Promise<NextItem> =>
  dependencies.units.transaction(place.principal, async (unit) => {
    const iteration = await openIteration(dependencies, unit, place)
    const about = { dependencies, unit, place, iteration }
    if (ended) await leaveItem(about, ended)
    return enterItem(about)
  })

/** Takes an item off the list of those that have failed: its run has come to its end after all. */
export const resolveFailure = async (
  { units }: Pick<SegmentDependencies, 'units'>,
  { principal, item: { key, position } }: { principal: LoopPlace['principal']; item: ItemPlace },
): Promise<void> => {
  await units.transaction(principal, ({ iterations }) => iterations.resolveFailure(key, position))
}

import { executeTarget, executionOf, openCall, type SegmentDependencies } from '../../execution/index.js'
import { type Value, VOID } from '../../language/index.js'
import {
  type PackedState,
  packState,
  type StepKey,
  type UnitOfWork,
  unpackState,
} from '../../run-store/index.js'
import type { LoopPlace } from '../place.js'
import {
  callOfPage,
  firstPageOf,
  isListPage,
  type ListPage,
  nextPage,
  type PageAt,
  readPage,
} from '../provider-pages.js'
import type { Source } from './source.js'

/** What is kept of a page: its documents, as they were, and its number in the list. */
type KeptPage = { index: number; page: PackedState }

const keptPage = async ({ receipts, transient }: UnitOfWork, key: StepKey): Promise<PageAt | undefined> => {
  const kept = (await receipts.find(key)) as unknown as KeptPage | undefined
  if (!kept) return undefined
  const { input } = await unpackState(transient, kept.page)
  return { page: readPage(input), index: kept.index }
}

/** Pages that are still to come, as far as their list knows: at least this one. */
const pagesFrom = ({ page: { page }, index }: PageAt): number =>
  page && page.pageSize > 0 ? Math.max(Math.ceil(page.resultsCount / page.pageSize) - index, 1) : 1

type Pages = {
  first: ListPage
  read(index: number): Promise<PageAt['page']>
  keyOf(position: number): StepKey
}

/** Which documents a page has is decided once: a run that begins again gets the same, although the list is another. */
const pageAt = async (
  unit: UnitOfWork,
  { first, read, keyOf }: Pages,
  position: number,
): Promise<PageAt | undefined> => {
  const key = keyOf(position)
  const known = await keptPage(unit, key)
  if (known) return known
  const before = position === 0 ? undefined : await keptPage(unit, keyOf(position - 1))
  if (position > 0 && !before) return undefined
  const found = before ? await nextPage(before, { pagesRead: position, read }) : firstPageOf(first)
  if (found.page.ids.length === 0) return undefined
  const page = await packState(unit.transient, { input: found.page, variables: {} })
  const isKept = await unit.receipts.record(key, { index: found.index, page: page as never })
  return isKept ? found : keptPage(unit, key)
}

/** The pages of the query or page provider that the input came from. An input that is no page is all there is. */
export const overPages = async (
  dependencies: SegmentDependencies,
  unit: UnitOfWork,
  place: LoopPlace,
): Promise<Source> => {
  const { state, params } = await openCall(dependencies, unit, place)
  const { call, run, signal } = place
  const { input: first, variables } = state
  const itemAt = async (
    reading: UnitOfWork,
    position: number,
  ): Promise<{ value: Value; rest: number } | undefined> => {
    if (!isListPage(first)) return position === 0 ? { value: first, rest: 1 } : undefined
    const execution = executionOf(dependencies, reading, { chains: run.chains, signal })
    const read = async (index: number) =>
      readPage(
        await executeTarget(execution, {
          caller: call.step,
          variables: { ...variables },
          ...callOfPage(first, index),
        }),
      )
    const keyOf = (at: number) => ({ ...run.key, step: `${run.key.step}/${at}/page` })
    const found = await pageAt(reading, { first, read, keyOf }, position)
    return found && { value: found.page, rest: pagesFrom(found) }
  }
  return {
    state,
    total: 0,
    read: async (reading, from) => {
      const item = await itemAt(reading, from)
      return { items: item ? [{ position: from, value: item.value }] : [], total: from + (item?.rest ?? 0) }
    },
    continueOnError: false,
    isolate: params.isolate !== false,
    collects: false,
    parameters: {},
    begin: (page, handedOn) => ({ input: page, variables: { ...handedOn } }),
    end: (_outputs, kept) => ({ input: VOID, variables: kept }),
  }
}

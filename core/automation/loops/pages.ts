import { executeTarget, executionOf, once, type SegmentDependencies } from '../execution/index.js'
import type { Value, Variables } from '../language/index.js'
import { enteredState, packState, type StepKey, type UnitOfWork, unpackState } from '../run-store/index.js'
import type { EnteredElement } from './elements.js'
import type { ElementOf, Walk } from './open-walk.js'
import { callOfPage, firstPageOf, isListPage, type PageAt, pageBehind, readPage } from './provider-pages.js'

/** What is kept of a page that a run was begun for: its documents, as they were, and its number in the list. */
type KeptPage = EnteredElement & { index: number }

const pageKey = ({ run: { key }, node }: ElementOf, element: number): StepKey => ({
  workflowId: key.workflowId,
  step: `${node}/${element}/page`,
})

/** Pages that are still to come, as far as their list knows: at least this one. */
const pagesFrom = ({ page: { page }, index }: PageAt): number =>
  page && page.pageSize > 0 ? Math.max(Math.ceil(page.resultsCount / page.pageSize) - index, 1) : 1

/** The page before: what its run began with. */
const keptPage = async (
  { receipts, transient }: UnitOfWork,
  key: StepKey,
): Promise<{ page: Value; index: number } | undefined> => {
  const kept = (await receipts.find(key)) as unknown as KeptPage | undefined
  if (!kept?.state) return undefined
  return { page: (await unpackState(transient, kept.state)).input, index: kept.index }
}

const pageAt = async (
  dependencies: SegmentDependencies,
  unit: UnitOfWork,
  { walk, element, ...about }: ElementOf & { walk: Walk; element: number },
): Promise<{ page: Value; index: number; rest: number } | undefined> => {
  const first = walk.state.input
  // What is no page is all there is.
  if (!isListPage(first)) return element === 0 ? { page: first, index: 0, rest: 1 } : undefined
  const at =
    element === 0
      ? firstPageOf(first)
      : await pageAfter(dependencies, unit, { first, walk, element, ...about })
  return at && at.page.ids.length > 0 ? { ...at, rest: pagesFrom(at) } : undefined
}

const pageAfter = async (
  dependencies: SegmentDependencies,
  unit: UnitOfWork,
  {
    first,
    walk,
    element,
    ...about
  }: ElementOf & { first: Parameters<typeof callOfPage>[0]; walk: Walk; element: number },
): Promise<PageAt | undefined> => {
  const before = await keptPage(unit, pageKey(about, element - 1))
  if (before?.page.type !== 'documents') return undefined
  const { run, call, signal } = about
  const execution = executionOf(dependencies, unit, { chains: run.chains, signal })
  const read = async (index: number) =>
    readPage(
      await executeTarget(execution, {
        caller: call.step,
        variables: { ...walk.state.variables },
        ...callOfPage(first, index),
      }),
    )
  return pageBehind({ page: before.page, index: before.index }, { walked: element, read })
}

/**
 * The state in which the run of one page begins; without a state behind the last one. Which documents a page has is
 * decided once: a run that is started again is given the same, although the list is another by then.
 */
export const enterPage = async (
  dependencies: SegmentDependencies,
  {
    walk: open,
    variablesAt,
    keepPosition,
    element,
    ...about
  }: ElementOf & {
    element: number
    keepPosition(unit: UnitOfWork, total: number): Promise<void>
    walk(unit: UnitOfWork): Promise<Walk>
    variablesAt(unit: UnitOfWork, walk: Walk): Promise<Variables>
  },
): Promise<EnteredElement> => {
  const key = { ...pageKey(about, element), isRepeated: true }
  const { index: _, ...entered } = await once<KeptPage>(
    dependencies,
    { principal: about.principal, key },
    async (unit) => {
      const walk = await open(unit)
      const at = await pageAt(dependencies, unit, { ...about, walk, element })
      const kept: KeptPage = { total: element, stopsOnError: true, isKept: true, index: at?.index ?? 0 }
      const total = element + (at?.rest ?? 0)
      await keepPosition(unit, total)
      if (!at) return kept
      const begun = walk.begin(at.page, await variablesAt(unit, walk))
      const state = enteredState(begun, about.run.chains[about.call.target], walk.parameters)
      return { ...kept, total, state: await packState(unit.transient, state) }
    },
  )
  return entered
}

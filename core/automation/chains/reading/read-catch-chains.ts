import type { Element } from '@xmldom/xmldom'
import {
  allowAttributes,
  childrenOf,
  named,
  placeOf,
  type Report,
} from '../../../platform/contributions/index.js'
import { checkFilter, errorChainOf, type PlacedErrorChain } from './read-on-error.js'
import { readBoolean, readName, textOf } from './xml-elements.js'

/** The elements beside a chain that say what runs when it fails (reference: automation.md §6). */
export const CATCH_ELEMENTS = ['catchChain', 'filter']

type Filters = ReadonlyMap<string, string>

const readFilters = (elements: readonly Element[], report: Report): Filters =>
  new Map(
    elements.map((element) => {
      allowAttributes(element, ['id'], report)
      const id = readName(element, 'id', report)
      return [id, textOf(element, `filter ${id}`, report)]
    }),
  )

const readRun = (
  element: Element,
  { field, filters, report }: { field: string; filters: Filters; report: Report },
): PlacedErrorChain => {
  allowAttributes(element, ['chainId', 'priority', 'rollBack', 'filterId'], report)
  const at = placeOf(element)
  const filterId = element.getAttribute('filterId')
  if (filterId !== null && !filters.has(filterId))
    report(`${field}.filter`, at, `there is no <filter> with the id "${filterId}"`)
  const priority = Number(element.getAttribute('priority') ?? '0')
  if (!Number.isFinite(priority))
    report(`${field}.priority`, at, `expected a number, found "${element.getAttribute('priority')}"`)
  const filter = filterId === null ? undefined : filters.get(filterId)
  checkFilter(filter, { field, at, report })
  const errorChain = errorChainOf({
    chain: readName(element, 'chainId', report),
    filter,
    rollback: readBoolean(element, 'rollBack', { absent: true, report }),
    priority,
    at: { ...at, field },
  })
  return { errorChain, at }
}

/** The error chains of a chain, from the elements `catchChain` and `filter` that stand in or beside it. */
export const readCatchChains = (
  id: string,
  elements: readonly Element[],
  report: Report,
): readonly PlacedErrorChain[] => {
  const filters = readFilters(named(elements, 'filter'), report)
  const runs = named(elements, 'catchChain').flatMap((element) => {
    allowAttributes(element, ['id', 'onChainId'], report)
    const failing = element.getAttribute('onChainId')
    if (failing !== null && failing !== id)
      report('onError', placeOf(element), `the error chains of "${failing}" are deployed with that chain`)
    return childrenOf(element, ['run'], report)
  })
  return runs.map((run, index) => readRun(run, { field: `onError[${index}]`, filters, report }))
}

import type { ContentModel } from '../../model/content-model/index.js'
import {
  bindParameters,
  narrowed,
  parseConditions,
  parseNxql,
  type Query,
  type Sort,
  sorted,
} from '../../model/nxql/index.js'
import { fail } from '../../platform/errors/index.js'
import type { PageProviderDefinition } from './page-providers-point.js'
import { predicateConditions } from './predicates.js'
import type { NamedValues, SearchDocument } from './search-document.js'

/** A call of a provider, beside the page. */
export type ProviderRequest = {
  /** Values for `?`, in order. */
  queryParams: readonly string[]
  named: NamedValues
  /** The caller's own order; it replaces every other. */
  sort?: Sort | undefined
  /** Names of the quick filters to apply; unknown ones are ignored. */
  quickFilters: readonly string[]
}

const BLANK = "''"

/** Values as they are, for providers whose parameters are NXQL themselves. */
const insertRaw = (text: string, values: readonly string[]): string => {
  let used = 0
  const filled = text.replaceAll('?', () => {
    const value = values[used]
    used += 1
    if (value === undefined) throw fail('badRequest', `queryParams: no value for parameter ${used}`)
    return value
  })
  if (used < values.length)
    throw fail('badRequest', `queryParams: ${values.length} values for a query that takes ${used}`)
  return filled
}

const boundText = (text: string, { queryParams, named }: ProviderRequest, isQuoted: boolean): string =>
  isQuoted ? bindParameters(text, queryParams, named) : insertRaw(text, queryParams)

const boundPattern = (
  { pattern, quoteParameters }: { pattern: string; quoteParameters: boolean },
  request: ProviderRequest,
  sort: Sort,
): string =>
  boundText(pattern.replaceAll('SORTED_COLUMN', sort[0]?.field ?? 'ecm:uuid'), request, quoteParameters)

const DEFAULT_STATEMENT = 'SELECT * FROM Document'

const baseQuery = (
  { pattern, quoteParameters, whereClause }: PageProviderDefinition,
  request: ProviderRequest,
  sort: Sort,
): Query => {
  if (pattern !== undefined) {
    const query = boundPattern({ pattern, quoteParameters }, request, sort)
    if (query.trim() === BLANK || query.trim() === '')
      throw fail('badRequest', 'queryParams: the query is empty')
    return parseNxql(query)
  }
  const { statement = DEFAULT_STATEMENT, fixedPart, quoteParameters: isQuoted = true } = whereClause ?? {}
  const bound = boundText(fixedPart ?? '', request, isQuoted)
  return narrowed(parseNxql(statement), bound.trim() === '' ? [] : [parseConditions(`(${bound})`)])
}

/**
 * The query of a provider for one call: its fixed part, the predicates that have values, active quick
 * filters. Every part is parsed by itself, so that no value changes the meaning of another.
 *
 * @throws badRequest for missing or superfluous parameters, and for values that do not fit their property.
 */
export const buildQuery = (
  provider: PageProviderDefinition,
  request: ProviderRequest,
  { document, model }: { document: SearchDocument; model: ContentModel },
): Query => {
  const { conditions, sort } = narrowingOf(provider, request, { document, model })
  return sorted(narrowed(baseQuery(provider, request, sort), conditions.map(parseConditions)), sort)
}

/** The conditions beside a provider's own query, and the order. */
const narrowingOf = (
  provider: PageProviderDefinition,
  request: ProviderRequest,
  { document, model }: { document: SearchDocument; model: ContentModel },
): { conditions: string[]; sort: Sort } => {
  const active = provider.quickFilters.filter(({ name }) => request.quickFilters.includes(name))
  const filterSort = active.flatMap((filter) => filter.sort)
  const conditions = [
    ...predicateConditions(provider.whereClause?.predicates ?? [], document, model),
    ...active.flatMap(({ clause }) => (clause === undefined ? [] : [clause])),
  ]
  return { conditions, sort: request.sort ?? (filterSort.length > 0 ? filterSort : provider.sort) }
}

/** The query of a call as text, to be read by people: a pattern without the quick filters that narrow it. */
export const effectiveText = (
  provider: PageProviderDefinition,
  request: ProviderRequest,
  context: { document: SearchDocument; model: ContentModel },
): string => {
  const { conditions, sort } = narrowingOf(provider, request, context)
  const { pattern, quoteParameters: isQuoted } = provider
  if (pattern !== undefined) return boundPattern({ pattern, quoteParameters: isQuoted }, request, sort)
  const { statement = DEFAULT_STATEMENT, fixedPart = '', quoteParameters = true } = provider.whereClause ?? {}
  const fixed = boundText(fixedPart, request, quoteParameters)
  const all = [...(fixed.trim() === '' ? [] : [`(${fixed})`]), ...conditions]
  const order = sort.map(({ field, isAscending }) => `${field} ${isAscending ? 'ASC' : 'DESC'}`)
  return [
    statement,
    ...(all.length > 0 ? [`WHERE ${all.join(' AND ')}`] : []),
    ...(order.length > 0 ? [`ORDER BY ${order.join(', ')}`] : []),
  ].join(' ')
}

import type { RecordPage, Session } from '../../content/documents/index.js'
import { splitCommas } from '../../model/nxql/index.js'
import { defineProperty, propertyText } from '../../platform/configuration/index.js'
import type { JsonValue } from '../../platform/events/index.js'
import { fitted } from '../../platform/limits/index.js'
import type { Aggregate } from './aggregates/aggregate.js'
import { effectiveText, type ProviderRequest } from './build-query.js'
import type { PageProviderDefinition } from './page-providers-point.js'
import type { SearchDocument } from './search-document.js'

export const TRACKED_PROVIDERS = defineProperty({
  name: 'archivolt.pageprovider.track',
  aliases: ['nuxeo.pageprovider.track'],
  default: '',
  description:
    'Page providers whose searches are audited beside those with trackUsage, between commas; * for all.',
})

const isTracked = ({ contributions }: Session, { name, trackUsage }: PageProviderDefinition): boolean => {
  if (trackUsage) return true
  const tracked = splitCommas(propertyText(contributions, TRACKED_PROVIDERS))
  return tracked.includes('*') || (name !== undefined && tracked.includes(name))
}

const isSet = (value: unknown): boolean => value !== null && value !== undefined && value !== ''

const matchesOf = ({ extendedBuckets }: Aggregate): JsonValue =>
  extendedBuckets.map(({ key, docCount }) => ({ key, count: docCount }))

/** Characters of what an event says of a search: of all, and of the values that its caller has sent. */
const MAX_SIZE = 4_000
const MAX_NAMES = 250
const MAX_VALUES = 250

type Infos = { [key: string]: JsonValue }

const sizeOf = (value: JsonValue): number => JSON.stringify(value).length

const modelOf = (type: string | null, properties: Infos): Infos => {
  const searchDocumentModel = JSON.stringify({ 'entity-type': 'document', type, properties })
  // Two names of the reference for one thing (nxql-search.md §9.5, workflow-audit.md §6).
  return { searchDocumentModel, searchDocumentModelAsJson: searchDocumentModel }
}

/** The first of the values that a caller has sent, each shortened: the model of a search stays JSON that can be parsed. */
const fewOf = (named: Infos): Infos => {
  let room = MAX_NAMES
  const few = Object.entries(named).filter(([name]) => {
    room -= sizeOf(name)
    return room >= 0
  })
  return fitted(Object.fromEntries(few), MAX_VALUES)
}

/** What a caller sends may be as large as a request, and is not written with each search. */
const bounded = (infos: Infos, { type, named }: { type: string | null; named: Infos }): Infos => {
  const all = { ...infos, ...modelOf(type, named) }
  if (sizeOf(all) <= MAX_SIZE) return all
  const model = modelOf(type, fewOf(named))
  // The names of the others, which are the product's, are some 200 characters.
  return { ...fitted(infos, MAX_SIZE - 250 - sizeOf(model)), ...model }
}

/**
 * Writes the event `search` for a search with a provider whose use is tracked (workflow-audit.md §6): what was
 * asked, how much was found, and how long it took.
 *
 * @param startedAt by `performance.now()`.
 */
export const trackSearch = async (
  session: Session,
  provider: PageProviderDefinition,
  {
    request,
    document,
    page,
    aggregates,
    startedAt,
  }: {
    request: ProviderRequest
    document: SearchDocument
    page: Omit<RecordPage, 'entries'> & { entries: readonly unknown[] }
    aggregates: readonly Aggregate[]
    startedAt: number
  },
): Promise<void> => {
  if (!isTracked(session, provider)) return
  const executionTimeMs = Math.round(performance.now() - startedAt)
  const named = Object.entries(request.named).filter(([, value]) => isSet(value))
  const { searchDocumentType = null, pattern = null, whereClause } = provider
  const infos: Infos = {
    pageProviderName: provider.name ?? null,
    effectiveQuery: effectiveText(provider, request, { document, model: session.model }),
    queryParams: [...request.queryParams],
    params: [...request.queryParams],
    searchFields: named.map(([name]) => name),
    aggregates: aggregates.map(({ id, type, field, selection }) => ({
      id,
      type,
      field,
      selection: [...selection],
    })),
    aggregatesMatches: Object.fromEntries(
      aggregates.map((aggregate) => [aggregate.id, matchesOf(aggregate)]),
    ),
    pageIndex: page.pageIndex,
    resultsCountInPage: page.entries.length,
    resultsCount: page.resultsCount,
    executionTimeMs,
  }
  const extendedInfos = bounded(infos, {
    type: searchDocumentType,
    named: Object.fromEntries(named) as Infos,
  })
  const payload = {
    extendedInfos,
    searchPattern: pattern,
    whereClause_fixedPart: whereClause?.fixedPart ?? null,
    whereClause_select: whereClause?.statement ?? null,
    pageSize: page.pageSize,
    principal: session.principal.name,
  }
  await session.stores.outbox.emit([{ event: 'search', documentId: null, payload }])
}

import type { RecordPage, Session } from '../../content/documents/index.js'
import { splitCommas } from '../../model/nxql/index.js'
import { defineProperty, propertyText } from '../../platform/configuration/index.js'
import type { JsonValue } from '../../platform/events/index.js'
import { shortened } from '../../platform/limits/index.js'
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

/** Characters of what an event says of a search, and of its query where that is more. */
const LONGEST = 64 * 1024
const LONGEST_QUERY = 4_000

type Infos = { [key: string]: JsonValue }

/** What a caller sends may be as large as a request, and is not written with each search. */
const bounded = ({ effectiveQuery, ...infos }: Infos): Infos => {
  if (JSON.stringify({ effectiveQuery, ...infos }).length <= LONGEST)
    return { effectiveQuery: effectiveQuery ?? null, ...infos }
  const kept = Object.entries(infos).filter(([, value]) => typeof value === 'number')
  return {
    pageProviderName: infos.pageProviderName ?? null,
    effectiveQuery: typeof effectiveQuery === 'string' ? shortened(effectiveQuery, LONGEST_QUERY) : null,
    ...Object.fromEntries(kept),
  }
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
  const searchDocumentModel = JSON.stringify({
    'entity-type': 'document',
    type: searchDocumentType,
    properties: Object.fromEntries(named),
  })
  const extendedInfos = bounded({
    pageProviderName: provider.name ?? null,
    effectiveQuery: effectiveText(provider, request, { document, model: session.model }),
    queryParams: [...request.queryParams],
    params: [...request.queryParams],
    // Two names of the reference for one thing (nxql-search.md §9.5, workflow-audit.md §6).
    searchDocumentModel,
    searchDocumentModelAsJson: searchDocumentModel,
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

import type { Session } from '../../content/documents/index.js'
import { splitCommas } from '../../model/nxql/index.js'
import { defineProperty, propertyText } from '../../platform/configuration/index.js'
import type { PageProviderDefinition } from './page-providers-point.js'

/** reference: nxql-search.md §8.5, as releases of today have it. */
export const INDEXED_PROVIDERS = defineProperty({
  name: 'archivolt.elasticsearch.override.pageproviders',
  aliases: ['elasticsearch.override.pageproviders'],
  default: [
    ...['default_search', 'DEFAULT_DOCUMENT_SUGGESTION', 'default_document_suggestion', 'expired_search'],
    ...['default_trash_search', 'simple_search', 'REST_API_SEARCH_ADAPTER', 'all_collections'],
    ...['domain_documents', 'document_picker', 'section_content', '*document_content'],
    'document_trash_content',
  ].join(','),
  description:
    'Page providers that the search index answers, between commas; a leading * stands for any beginning. The database answers those that neither this list nor their own "backend" names.',
})

const isNamed = (name: string, written: string): boolean =>
  written.startsWith('*') ? name.endsWith(written.slice(1)) : name === written

/** The session by which a provider searches: whoever calls decides, then the provider, then the list. */
export const sessionFor = (session: Session, { name, backend }: PageProviderDefinition): Session => {
  if (session.searchBackend !== undefined) return session
  const isListed =
    name !== undefined &&
    splitCommas(propertyText(session.contributions, INDEXED_PROVIDERS)).some((written) =>
      isNamed(name, written),
    )
  return { ...session, searchBackend: backend ?? (isListed ? 'index' : 'database') }
}

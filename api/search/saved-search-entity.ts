import type { SavedSearch } from '../../core/search/saved-searches/index.js'
import type { Renderer } from '../rest/index.js'

const asText = (number: number | null): string | null => (number === null ? null : String(number))

/** Saved searches as nxql-search.md §10 shows them, with the requested properties. */
export const savedSearchEntities = async (renderer: Renderer, searches: readonly SavedSearch[]) => {
  const documents = await renderer.many(searches.map(({ document }) => document))
  return searches.map((search, position) => {
    const properties = documents[position]?.properties
    return {
      'entity-type': 'savedSearch' as const,
      id: search.id,
      title: search.title,
      queryParams: search.queryParams,
      query: search.query,
      queryLanguage: search.queryLanguage,
      pageProviderName: search.pageProviderName,
      pageSize: asText(search.pageSize),
      currentPageIndex: asText(search.currentPageIndex),
      maxResults: asText(search.maxResults),
      sortBy: search.sortBy,
      sortOrder: search.sortOrder,
      contentViewData: search.contentViewData,
      params: search.params,
      ...(properties !== undefined && { properties }),
    }
  })
}

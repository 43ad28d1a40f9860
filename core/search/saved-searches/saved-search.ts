import type { DocumentRecord, Properties, PropertyValue } from '../../model/properties/index.js'

/** A saved search of a user (nxql-search.md §10); null is not set. */
export type SavedSearchContent = {
  title: string
  /** NXQL with `?` and `:name`, instead of a page provider. */
  query: string | null
  queryLanguage: string | null
  pageProviderName: string | null
  /** The value of `?`; of several, a JSON list. */
  queryParams: string | null
  /** Values of `:name` and of the provider's form; a list is its JSON. */
  params: { readonly [name: string]: string }
  pageSize: number | null
  /** From 0. */
  currentPageIndex: number | null
  /** Results to count at most. */
  maxResults: number | null
  /** Properties between commas. */
  sortBy: string | null
  /** `asc` or `desc` for each of them. */
  sortOrder: string | null
  /** Data of a client; the server does not read it. */
  contentViewData: string | null
}

export type SavedSearch = SavedSearchContent & { id: string; document: DocumentRecord }

const TEXTS = {
  query: 'saved:query',
  queryLanguage: 'saved:queryLanguage',
  pageProviderName: 'saved:pageProviderName',
  queryParams: 'saved:queryParams',
  sortBy: 'saved:sortBy',
  sortOrder: 'saved:sortOrder',
  contentViewData: 'saved:contentViewData',
} as const

const NUMBERS = {
  pageSize: 'saved:pageSize',
  currentPageIndex: 'saved:currentPageIndex',
  maxResults: 'saved:maxResults',
} as const

const PARAMS = 'saved:params'

const namesOf = <Fields extends object>(fields: Fields) => Object.keys(fields) as (keyof Fields)[]

/** The properties that store a search; all of them, so that those no longer set are cleared. */
export const asProperties = (content: SavedSearchContent): Properties => ({
  'dc:title': content.title,
  ...Object.fromEntries(namesOf(TEXTS).map((field) => [TEXTS[field], content[field]])),
  ...Object.fromEntries(namesOf(NUMBERS).map((field) => [NUMBERS[field], content[field]])),
  [PARAMS]: Object.entries(content.params).map(([key, value]) => ({ key, value })),
})

const paramsOf = (value: PropertyValue | undefined): { [name: string]: string } => {
  const params: { [name: string]: string } = Object.create(null)
  for (const item of Array.isArray(value) ? value : []) {
    const { key, value: text } = item as { key?: unknown; value?: unknown }
    if (typeof key === 'string') params[key] = typeof text === 'string' ? text : ''
  }
  return params
}

/** A document with a saved search, whoever wrote it. */
export const asSavedSearch = (document: DocumentRecord): SavedSearch => {
  const { properties } = document
  const text = (name: string): string | null => {
    const value = properties[name]
    return typeof value === 'string' && value !== '' ? value : null
  }
  const number = (name: string): number | null => {
    const value = properties[name]
    return typeof value === 'number' ? value : null
  }
  return {
    id: document.id,
    document,
    title: text('dc:title') ?? document.name,
    query: text(TEXTS.query),
    queryLanguage: text(TEXTS.queryLanguage),
    pageProviderName: text(TEXTS.pageProviderName),
    queryParams: text(TEXTS.queryParams),
    params: paramsOf(properties[PARAMS]),
    pageSize: number(NUMBERS.pageSize),
    currentPageIndex: number(NUMBERS.currentPageIndex),
    maxResults: number(NUMBERS.maxResults),
    sortBy: text(TEXTS.sortBy),
    sortOrder: text(TEXTS.sortOrder),
    contentViewData: text(TEXTS.contentViewData),
  }
}

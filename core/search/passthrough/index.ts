/** Read-only searches in the language of the search engine, for clients that speak it. */
export { type Passthrough, passEntry, passSearch } from './passthrough.js'
export { requestFiltersPoint } from './request-filters-point.js'

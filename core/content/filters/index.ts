export { acceptedByFilters } from './accepts.js'
export { filterNames, filterReferences, filtersPoint } from './filters-point.js'

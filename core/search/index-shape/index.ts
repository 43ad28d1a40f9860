/** What contributions add to the search index. */
export { type IndexShape, indexShapeOf, NO_ADDITIONS } from './index-shape.js'
export { indexShapeRegistry } from './registry.js'
export { type AddedField, searchIndexPoint } from './search-index-point.js'

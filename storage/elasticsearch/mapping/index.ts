export { MAX_KEYWORD } from './fields.js'
export { INDEX_SETTINGS, mappingOf } from './mapping.js'
export { type Source, sourceOf } from './source.js'

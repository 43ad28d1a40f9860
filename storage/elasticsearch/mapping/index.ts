export { KEYWORD, MAX_KEYWORD, type Mapping, type Mappings } from './fields.js'
export { INDEX_SETTINGS, mappingOf } from './mapping.js'
export { pathsTo } from './paths.js'
export { type Source, sourceOf } from './source.js'

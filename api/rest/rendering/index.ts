export { enrichersByName } from './enrichers/registry.js'
export { directoryEntryEntity } from './references/registry.js'
export { createRestServices, type Renderer, type RestServices } from './services.js'

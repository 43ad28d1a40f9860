export { createScopesGathered } from './gathered-scopes.js'
export { createLandmarks } from './landmarks.js'
export { createQueries, type QueryMemory } from './query-backend.js'
export { createReach, createReaches } from './reach.js'

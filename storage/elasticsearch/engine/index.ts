export { asking, createClient, failureOf, hasStatus } from './client.js'
export { createIndexEngine } from './engine.js'
export { hasLongNearWord, MAX_NEAR } from './near-words.js'
export { createShapes, type Shapes } from './shapes.js'

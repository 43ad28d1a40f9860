export { asking, clientErrors, failureOf, hasStatus, openClient } from './client.js'
export { createIndexEngine } from './engine.js'
export { ALL_NEAR, hasLongNearWord, MAX_NEAR, WITHOUT_NEAR_WORDS } from './near-words.js'
export { createShapes, type Shapes } from './shapes.js'

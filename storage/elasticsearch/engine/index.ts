export { asking, createClient, failureOf, hasStatus } from './client.js'
export { createIndexEngine } from './engine.js'
export { createShapes, type Shapes } from './shapes.js'

export { asking, createClient, hasStatus } from './client.js'
export { createIndexEngine } from './engine.js'

export { asking, createClient } from './client.js'
export { createIndexEngine } from './engine.js'

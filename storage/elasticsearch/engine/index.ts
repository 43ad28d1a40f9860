export { asking, createClient } from './client.js'
export { aliasOf, createIndexEngine } from './engine.js'

export { createIndexFeed } from './feed.js'

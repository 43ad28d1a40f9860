export { createPostgresTransientStore } from './postgres-store.js'

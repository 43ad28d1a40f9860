export { POSTGRES_STOP } from './leftover.js'
export { ensureDatabase, type PostgresServer, startPostgres } from './server.js'

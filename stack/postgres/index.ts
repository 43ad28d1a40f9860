export { POSTGRES_STOP } from './leftover.js'
export { ensureDatabase, type PostgresOptions, type PostgresServer, startPostgres } from './server.js'

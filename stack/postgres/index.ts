export { findBinaries } from './binaries.js'
export { endLeftover, POSTGRES_STOP } from './leftover.js'
export { ensureDatabase, type PostgresServer, startPostgres } from './server.js'
export { postgresOwner } from './user.js'

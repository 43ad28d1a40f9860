export type { Observer, Pool } from './limited.js'
export { isConnectionLost } from './lost.js'
export { type ListeningClient, openListener, openPool, type PoolOptions } from './open.js'
export { atEnd, isStatement } from './statement.js'

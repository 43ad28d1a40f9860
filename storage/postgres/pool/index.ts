export type { Observer, Pool } from './limited.js'
export { openPool } from './open.js'
export { atEnd, isStatement } from './statement.js'

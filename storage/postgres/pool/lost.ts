/** Codes of the driver and of sockets when the server cannot be reached. */
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'CONNECTION_TIMEOUT',
])

/** SQLSTATE of a session that the server has ended: 57P01 to 57P03. */
const SHUT_DOWN = /^57P0[1-3]$/

/** Whether a statement failed because its connection was lost, or cannot be made. */
export const isConnectionLost = (error: unknown): error is Error =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  (UNREACHABLE.has(error.code) || error.code.startsWith('08') || SHUT_DOWN.test(error.code))

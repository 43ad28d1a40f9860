import { CliError, EXIT } from '../failures/index.js'

/** Why no connection came about, so that nothing was sent. */
const UNCONNECTED: { [code: string]: string } = {
  ECONNREFUSED: 'nothing listens on the port',
  ENOTFOUND: 'the host does not exist',
  EAI_AGAIN: 'the name cannot be looked up now',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to the network',
  ETIMEDOUT: 'it does not respond',
  UND_ERR_CONNECT_TIMEOUT: 'it does not respond',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed; name it in NODE_EXTRA_CA_CERTS',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'its certificate has an unknown issuer; name the issuer in NODE_EXTRA_CA_CERTS',
  CERT_HAS_EXPIRED: 'its certificate has expired',
}

/** Why a connection was lost: what was sent may have been received. */
const LOST: { [code: string]: string } = {
  ECONNRESET: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  UND_ERR_HEADERS_TIMEOUT: 'it does not respond',
  UND_ERR_BODY_TIMEOUT: 'the response stopped half way',
}

/** The root cause: fetch wraps the reason, and a host of several addresses has one for each. */
const rootOf = (error: unknown): unknown => {
  if (error instanceof AggregateError && error.errors.length > 0) return rootOf(error.errors[0])
  return error instanceof Error && error.cause !== undefined ? rootOf(error.cause) : error
}

const codeOf = (root: unknown): string => (root instanceof Error && 'code' in root ? String(root.code) : '')

const reasonOf = (root: unknown): string => {
  if (!(root instanceof Error)) return String(root)
  if (root.name === 'TimeoutError') return 'it does not respond'
  const code = codeOf(root)
  return UNCONNECTED[code] ?? LOST[code] ?? root.message
}

/**
 * The error of a call that found no server, or lost it.
 *
 * @param changes whether the call was to change something: then who repeats it may do so twice.
 */
export const unreachable = (url: string, cause: unknown, { changes }: { changes: boolean }): CliError => {
  const root = rootOf(cause)
  const mayBeDone = changes && UNCONNECTED[codeOf(root)] === undefined
  const hint = mayBeDone
    ? '. What was sent may have been done: look before you repeat it (a run: archivolt runs)'
    : ''
  return new CliError(EXIT.unreachable, `Cannot reach ${url}: ${reasonOf(root)}${hint}`, { cause })
}

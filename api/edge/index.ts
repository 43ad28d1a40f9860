export { clientPlace } from './client-address.js'
export { compressed } from './compressed.js'
export { byWhatIsCurrent } from './current.js'
export type { Environment, RequestContext } from './environment.js'
export { refuseForeignWork } from './foreign-work.js'
export { inListTurn } from './list-turns.js'
export { loggedPath } from './logged-path.js'
export { createMetrics, type Metrics } from './metrics.js'
export { observeRequests } from './observe.js'
export { ClientGone, incomingOf, outgoingOf, requireConnected } from './outgoing.js'
export {
  API,
  contextPathOf,
  decodePath,
  isUnversioned,
  rawPath,
  requestedRepository,
  routedPath,
} from './paths.js'
export { plainBodies } from './plain-bodies.js'
export { preferHeader, preferredWaitMs } from './preferred-wait.js'
export { progressStream } from './progress-stream.js'
export { bodyOf, hasBody } from './read-body.js'
export { mountOf, pathByRepository, UNKNOWN_REPOSITORY } from './repositories.js'
export { responseHeaders } from './response-headers.js'
export { type Described, supportOf } from './supporting.js'
export { traceRequests } from './trace.js'

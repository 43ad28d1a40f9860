/** Headers that a deployment adds to its responses (security.md §10). */
export { responseHeadersPoint } from './headers-point.js'
export { type ResponseHeader, responseHeadersRegistry } from './registry.js'

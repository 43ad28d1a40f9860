export { resetFailed } from './reset.js'
export { retryItems } from './retry-items.js'
export { retryWithLatest } from './retry-with-latest.js'

export { describedMethods, refuseOtherMethods } from './described-methods.js'
export { knownError } from './exception.js'
export { errorHandler } from './handlers.js'
export { notFoundHandler } from './unmatched.js'

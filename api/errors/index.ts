export { knownError } from './exception.js'
export { answerError } from './handlers.js'
export { answerUnmatched } from './unmatched.js'

export { exceptionEntity, isFault, knownError } from './exception.js'
export { answerError, answerNotFound } from './handlers.js'

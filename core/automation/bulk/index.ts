export { BULK_ACTIONS, calledByBulk, refusalOfBulk } from './actions.js'
export { abortBulk, bulkStatus, getBulk, hasEnded, submitBulk } from './command.js'
export { nextIds } from './query.js'
export { resumeBulk, retryBulk } from './retry.js'

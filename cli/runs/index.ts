export { cancelRun, type StatusOptions, showLogs, showResultOf, showStatus } from './inspect-run.js'
export { type RunOptions, runChain } from './run-chain.js'
export type { ResultOptions } from './show-result.js'
export type { Watch } from './watch-run.js'

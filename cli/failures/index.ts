export { CliError, type Problem, RefusedError } from './cli-error.js'
export { EXIT, type ExitCode, exitCodeLines, exitCodeOf } from './exit-codes.js'
export { explain } from './explain.js'

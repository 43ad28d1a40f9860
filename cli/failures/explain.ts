import { inspect } from 'node:util'
import { printableLine } from '../terminal/index.js'
import { CliError } from './cli-error.js'
import { EXIT, type ExitCode } from './exit-codes.js'

/**
 * The message for an error, and the exit code: one line, or with `isVerbose` all that is known of
 * it.
 */
export const explain = (error: unknown, isVerbose: boolean): { text: string; exitCode: ExitCode } => {
  const exitCode = error instanceof CliError ? error.exitCode : EXIT.failed
  const message = error instanceof Error ? error.message : String(error)
  const line = `archivolt: ${printableLine(message)}`
  return { text: isVerbose ? `${line}\n${inspect(error)}` : line, exitCode }
}

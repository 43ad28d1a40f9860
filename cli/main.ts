import { constants } from 'node:os'
import { runCli } from './run-cli.js'
import { createTerminal } from './terminal/index.js'

const interruption = new AbortController()

/** The first Ctrl-C lets the command report how to continue; a second one ends it at once. */
const interrupt = (signal: 'SIGINT' | 'SIGTERM'): void => {
  if (interruption.signal.aborted) process.exit(128 + constants.signals[signal])
  interruption.abort()
}
process.on('SIGINT', interrupt)
process.on('SIGTERM', interrupt)

// A reader such as `head` may close the pipe when it has seen enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})

process.exitCode = await runCli({
  arguments: process.argv.slice(2),
  environment: process.env,
  terminal: createTerminal(process),
  interrupted: interruption.signal,
})

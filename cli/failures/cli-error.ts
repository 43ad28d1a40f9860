import type { ExitCode } from './exit-codes.js'

/** Ends a command with a message for the user and an exit code. */
export class CliError extends Error {
  override readonly name = 'CliError'
  readonly exitCode: ExitCode

  constructor(exitCode: ExitCode, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.exitCode = exitCode
  }
}

/** A problem that the server found in the request: 1-based line and column. */
export type Problem = {
  message: string
  line?: number
  column?: number
  field?: string
  severity?: 'warning'
  /** The position of the text in a request of several. */
  source?: number
  /** `routes/review`: in a request of several, the one that it is found in. */
  contribution?: string
}

/** The server's answer to a call that it refused. */
export class RefusedError extends CliError {
  readonly status: number
  readonly problems: readonly Problem[]

  constructor(
    exitCode: ExitCode,
    message: string,
    { status, problems }: { status: number; problems: readonly Problem[] },
  ) {
    super(exitCode, message)
    this.status = status
    this.problems = problems
  }
}

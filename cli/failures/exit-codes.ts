/** Exit codes, stable for scripts. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  unreachable: 3,
  unauthorised: 4,
  invalid: 5,
  notFound: 6,
  conflict: 7,
  cancelled: 8,
  tryLater: 9,
  interrupted: 130,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

const MEANINGS: { [name in keyof typeof EXIT]: string } = {
  ok: 'done',
  failed: 'the run failed, or the server failed',
  usage: 'the command line is wrong, or a local file cannot be read or written',
  unreachable: 'the server cannot be reached or is not ready',
  unauthorised: 'not logged in, a wrong password, or a missing right',
  invalid: 'the server refused the request: a chain with errors, a wrong parameter',
  notFound: 'no such chain or run',
  conflict: 'the state has changed, or the idempotency key belongs to another call',
  cancelled: 'the run was cancelled',
  tryLater: 'a limit of this user or the server is reached; the same command may succeed later',
  interrupted: 'interrupted by Ctrl-C; a run that was followed continues',
}

/** One line for each exit code, for `--help`. */
export const exitCodeLines = (): string[] =>
  Object.entries(EXIT).map(
    ([name, code]) => `  ${String(code).padEnd(4)} ${MEANINGS[name as keyof typeof EXIT]}`,
  )

const BY_STATUS: ReadonlyMap<number, ExitCode> = new Map([
  [401, EXIT.unauthorised],
  [403, EXIT.unauthorised],
  [404, EXIT.notFound],
  [409, EXIT.conflict],
  [412, EXIT.conflict],
  [429, EXIT.tryLater],
  [502, EXIT.unreachable],
  [503, EXIT.unreachable],
  [504, EXIT.unreachable],
])

/** The exit code of a call that the server refused with this HTTP status. */
export const exitCodeOf = (status: number): ExitCode =>
  BY_STATUS.get(status) ?? (status < 500 ? EXIT.invalid : EXIT.failed)

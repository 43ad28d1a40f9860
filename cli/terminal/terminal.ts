import type { Readable, Writable } from 'node:stream'

/** Where a command reads and writes. Results go to `out`; progress and errors to `error`. */
export type Terminal = {
  /** Writes one line of the result. */
  out(line: string): void
  /** Writes one line beside the result. */
  error(line: string): void
  input: Readable & { isTTY?: boolean }
  /** The raw outputs, for files and for lines that are rewritten. */
  stdout: Writable
  stderr: Writable & { isTTY?: boolean; columns?: number }
}

export const createTerminal = ({
  stdin,
  stdout,
  stderr,
}: {
  stdin: Terminal['input']
  stdout: Terminal['stdout']
  stderr: Terminal['stderr']
}): Terminal => ({
  out: (line) => void stdout.write(`${line}\n`),
  error: (line) => void stderr.write(`${line}\n`),
  input: stdin,
  stdout,
  stderr,
})

import { CliError, EXIT } from '../../failures/index.js'

/** The input of a run: a text as sent to the server (`doc:…`, `docs:…`, any other), files, or nothing. */
export type RunInput =
  | { kind: 'none' }
  | { kind: 'text'; text: string }
  | { kind: 'files'; files: readonly string[] }

/**
 * Reads `--input`. `@file` uploads a file, and several of them a list of files; a text that begins with `@` has
 * it doubled.
 *
 * @throws CliError for several inputs that are not all files.
 */
export const parseInput = (texts: readonly string[]): RunInput => {
  const [first, ...others] = texts
  if (first === undefined) return { kind: 'none' }
  const isFile = (text: string): boolean => text.startsWith('@') && !text.startsWith('@@')
  if (texts.every(isFile)) return { kind: 'files', files: texts.map((text) => text.slice(1)) }
  if (others.length > 0) throw new CliError(EXIT.usage, '--input: is repeatable for files (@file) only')
  return { kind: 'text', text: first.startsWith('@@') ? first.slice(1) : first }
}

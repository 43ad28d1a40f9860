import { fail } from '../../../platform/errors/index.js'

/** Names of one parameter, and so lines of a block: each is looked up and set by itself, in each document of a list. */
export const MAX_PROPERTIES = 10_000

/**
 * Reads a block of `key=value` lines: the first `=` splits, `#` and blank lines are skipped, a backslash at
 * the end of a line continues the value on the next one with the line break kept (reference: automation.md §3).
 *
 * @throws badRequest for a line without `=`, naming parameter and line, and for too many lines.
 */
export const parsePropertiesText = (text: string, parameter: string): { [key: string]: string } => {
  const values: { [key: string]: string } = Object.create(null)
  const lines = text.split(/\r?\n/, MAX_PROPERTIES + 1)
  if (lines.length > MAX_PROPERTIES)
    throw fail('badRequest', `Parameter ${parameter}: has more than ${MAX_PROPERTIES} lines`)
  for (let number = 0; number < lines.length; number++) {
    const start = number
    let part = lines[number] ?? ''
    if (part.trim() === '' || part.trimStart().startsWith('#')) continue
    // Joined once at the end: a text that grows line by line would be copied for each of them.
    const parts: string[] = []
    while (part.endsWith('\\') && number + 1 < lines.length) {
      parts.push(part.slice(0, -1))
      part = lines[++number] ?? ''
    }
    const line = [...parts, part].join('\n')
    const split = line.indexOf('=')
    if (split < 0)
      throw fail('badRequest', `Parameter ${parameter}: line ${start + 1} is not of the form key=value`)
    values[line.slice(0, split).trim()] = line.slice(split + 1).trim()
  }
  return { ...values }
}

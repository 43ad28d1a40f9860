import { fail } from '../errors/index.js'

/**
 * Reads a block of `key=value` lines: the first `=` splits, `#` and blank lines are skipped, a backslash at
 * the end of a line continues the value on the next one with the line break kept (automation.md §3).
 *
 * @throws badRequest for a line without `=`, naming parameter and line.
 */
export const parsePropertiesText = (text: string, parameter: string): { [key: string]: string } => {
  const values: { [key: string]: string } = Object.create(null)
  const lines = text.split(/\r?\n/)
  for (let number = 0; number < lines.length; number++) {
    const start = number
    let line = lines[number] ?? ''
    if (line.trim() === '' || line.trimStart().startsWith('#')) continue
    while (line.endsWith('\\') && number + 1 < lines.length) line = `${line.slice(0, -1)}\n${lines[++number]}`
    const split = line.indexOf('=')
    if (split < 0)
      throw fail('badRequest', `Parameter ${parameter}: line ${start + 1} is not of the form key=value`)
    values[line.slice(0, split).trim()] = line.slice(split + 1).trim()
  }
  return { ...values }
}

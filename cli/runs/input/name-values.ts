import { CliError, EXIT } from '../../failures/index.js'

const parseJson = (option: string, text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new CliError(EXIT.usage, `${option}: the value after := is not JSON`, { cause })
  }
}

/** `name=text` or `name:=JSON`, by the first separator. */
const parseOne = (option: string, text: string): [string, unknown] => {
  const at = text.indexOf('=')
  if (at < 1 || text.startsWith(':='))
    throw new CliError(EXIT.usage, `${option} ${text}: expected name=text or name:=JSON`)
  const isJson = text[at - 1] === ':'
  const name = text.slice(0, isJson ? at - 1 : at)
  const rest = text.slice(at + 1)
  return [name, isJson ? parseJson(`${option} ${text}`, rest) : rest]
}

/**
 * Reads the values of a repeated option. The server converts a text into the type of the parameter, so JSON
 * is needed for lists and maps only.
 *
 * @throws CliError naming the option.
 */
export const parseNameValues = (option: string, texts: readonly string[]): { [name: string]: unknown } => {
  const values = new Map<string, unknown>()
  for (const text of texts) {
    const [name, value] = parseOne(option, text)
    if (values.has(name)) throw new CliError(EXIT.usage, `${option} ${name} occurs twice`)
    values.set(name, value)
  }
  return Object.fromEntries(values)
}

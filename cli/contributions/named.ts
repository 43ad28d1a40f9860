import { CliError, EXIT } from '../failures/index.js'
import { printableLine } from '../terminal/index.js'

/** A contribution as commands name it: a chain by its id alone, others by `POINT/NAME`. */
export type Named = { point: string; name: string; shown: string }

/** @throws CliError for a name without one of its parts. */
export const readNamed = (text: string): Named => {
  const slash = text.indexOf('/')
  const [point, name] = slash < 0 ? ['chains', text] : [text.slice(0, slash), text.slice(slash + 1)]
  if (point === '' || name === '')
    throw new CliError(EXIT.usage, `${text}: expected the id of a chain, or POINT/NAME as scripts/Demo.Copy`)
  return { point, name, shown: printableLine(text) }
}

export const pathOf = ({ point, name }: Named): string =>
  `/contributions/${encodeURIComponent(point)}/${encodeURIComponent(name)}`

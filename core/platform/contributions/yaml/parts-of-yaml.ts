import { isMap, isNode, isScalar, LineCounter, type Pair, parseAllDocuments, type YAMLMap } from 'yaml'
import { type ErrorDetail, fail } from '../../errors/index.js'
import { MAX_TEXT_LENGTH, requireFewBlanks } from '../limits.js'
import { suggestion } from './did-you-mean.js'
import { repeatedIn } from './repeated.js'

/** One contribution of a file, as a text of its own in which everything keeps its position in the file. */
export type FilePart = { point: string; name: string; text: string }

/** A contribution that was found, before it becomes a text. */
type Found = { point: string; name: string; value: unknown }

type Reading = {
  text: string
  points: readonly string[]
  lines: LineCounter
  problems: ErrorDetail[]
}

const placeOf = (node: unknown, { lines }: Reading): { line: number; column: number } => {
  const range = isNode(node) ? node.range : undefined
  const { line, col } = lines.linePos(range?.[0] ?? 0)
  return { line: Math.max(line, 1), column: Math.max(col, 1) }
}

const nameOf = ({ key }: Pair): string => (isScalar(key) ? String(key.source ?? key.value) : '')

/** The text of a value after as many lines and blanks as precede it in the file. */
const sliceOf = (value: unknown, reading: Reading): string => {
  const range = isNode(value) ? value.range : undefined
  if (!range) return '{}'
  const { line, column } = placeOf(value, reading)
  const own = reading.text.slice(range[0], range[1])
  const end = own.endsWith('\n') ? '' : '\n'
  return `${'\n'.repeat(line - 1)}${' '.repeat(column - 1)}${own}${end}`
}

const partsOfPoint = (pair: Pair, reading: Reading): readonly Found[] => {
  const point = nameOf(pair)
  const { points, problems } = reading
  const note = (message: string, node: unknown): readonly Found[] => {
    problems.push({ ...placeOf(node, reading), message })
    return []
  }
  if (!points.includes(point))
    return note(`no extension point "${point}"${suggestion(point, points)}`, pair.key)
  const { value } = pair
  if (!isMap(value))
    return note(`expected a map of contributions by name: ${point}: {name: …}`, value ?? pair.key)
  return value.items.map((item) => ({ point, name: nameOf(item), value: item.value }))
}

const partsOfMap = (map: YAMLMap, reading: Reading): readonly Found[] =>
  map.items.flatMap((pair) => partsOfPoint(pair, reading))

/**
 * The contributions of a file in the form of the configuration: extension points with contributions by name
 * (`chains: {demo: […]}`), in one YAML document or in several.
 *
 * @throws invalid with every problem, each with its line and column; tooLarge.
 */
export const partsOfYaml = (text: string, points: readonly string[]): readonly FilePart[] => {
  if (text.length > MAX_TEXT_LENGTH)
    throw fail('tooLarge', `The file is longer than ${MAX_TEXT_LENGTH} characters`)
  const lines = new LineCounter()
  const documents = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false })
  const reading: Reading = { text, points, lines, problems: [] }
  const { problems } = reading
  const found = ('empty' in documents ? [] : documents).flatMap(({ contents, errors }) => {
    const [fault] = errors
    if (fault) {
      const { line, col } = lines.linePos(fault.pos[0])
      problems.push({ line: Math.max(line, 1), column: Math.max(col, 1), message: fault.message })
      return []
    }
    if (isMap(contents)) return partsOfMap(contents, reading)
    const message = 'expected extension points with contributions by name, such as chains: {demo: […]}'
    problems.push({ ...placeOf(contents, reading), message })
    return []
  })
  requireFewBlanks(found.map(({ value }) => placeOf(value, reading)))
  for (const label of repeatedIn(found.map(({ point, name }) => `${point}/${name}`)))
    problems.push({ message: `${label} is contributed twice` })
  if (problems.length === 0 && found.length === 0) problems.push({ message: 'it contributes nothing' })
  if (problems.length > 0)
    throw fail('invalid', `The file is refused: ${problems[0]?.message}`, { details: problems })
  return found.map(({ point, name, value }) => ({ point, name, text: sliceOf(value, reading) }))
}

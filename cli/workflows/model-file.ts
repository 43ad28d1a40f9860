import { type Document, isMap, isSeq, LineCounter, type Node, parseDocument } from 'yaml'
import { z } from 'zod'
import { CliError, EXIT, type Problem } from '../failures/index.js'
import { readText } from '../files/index.js'

const mapping = z.record(z.string(), z.json())

type Mapping = z.output<typeof mapping>

/** A YAML or JSON file with its fields. */
type MappingFile = { text: string; fields: Mapping; document: Document; lines: LineCounter }

const readFile = async (path: string): Promise<MappingFile> => {
  const text = await readText(path)
  const lines = new LineCounter()
  const document = parseDocument(text, { merge: true, lineCounter: lines })
  const fields = document.errors.length > 0 ? undefined : mapping.safeParse(document.toJS()).data
  if (!fields) {
    const cause = document.errors[0]
    throw new CliError(EXIT.usage, `${path}: it is no YAML or JSON with fields`, cause && { cause })
  }
  return { text, fields, document, lines }
}

/** The fields of a YAML or JSON file. @throws CliError for any other. */
export const readMapping = async (path: string): Promise<Mapping> => (await readFile(path)).fields

/** A model of document workflows in a file, with the chains that the file has beside it. */
export type ModelFile = {
  path: string
  text: string
  model: Mapping
  chains: Mapping
  /** The problem that a server has found in what was sent, as it stands in the file. */
  placed(problem: Problem): Problem
}

/** `nodes.review.transitions[0]`, by its steps. */
const stepsOf = (field: string): (string | number)[] =>
  [...field.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([text, index]) =>
    index === undefined ? text : Number(index),
  )

/** As deep as a file has these steps. Operations of a chain may stand in it without a key. */
const nodeAt = (document: Document, steps: readonly (string | number)[]): Node | null => {
  let node = document.contents as Node | null
  for (const step of steps) {
    if (isSeq(node) && step === 'operations') continue
    const next: unknown = isMap(node) || isSeq(node) ? node.get(step, true) : undefined
    if (typeof next !== 'object' || next === null) return node
    node = next as Node
  }
  return node
}

const placing =
  ({ document, lines }: MappingFile, inFile: (contribution: string | undefined) => readonly string[]) =>
  (problem: Problem): Problem => {
    const steps = [...inFile(problem.contribution), ...stepsOf(problem.field ?? '')]
    const at = nodeAt(document, steps)?.range?.[0]
    const { line: _, column: __, ...unplaced } = problem
    if (at === undefined) return unplaced
    const { line, col: column } = lines.linePos(at)
    return { ...unplaced, line, column }
  }

/**
 * Reads a model: the file is one, or has it among its `routes`.
 *
 * @throws CliError for a file that cannot be read, or has other models alone.
 */
export const readModelFile = async (path: string, name: string): Promise<ModelFile> => {
  const file = await readFile(path)
  const { text, fields } = file
  const routes = mapping.safeParse(fields.routes)
  if (!routes.success) return { path, text, model: fields, chains: {}, placed: placing(file, () => []) }
  const model = mapping.safeParse(routes.data[name])
  if (!model.success) throw new CliError(EXIT.usage, `${path}: routes has no model ${name}`)
  const chains = mapping.safeParse(fields.chains ?? {})
  if (!chains.success) throw new CliError(EXIT.usage, `${path}: chains is not a map of chains`)
  const own = `routes/${name}`
  const inFile = (contribution = own) => {
    const slash = contribution.indexOf('/')
    return [contribution.slice(0, slash), contribution.slice(slash + 1)]
  }
  return { path, text, model: model.data, chains: chains.data, placed: placing(file, inFile) }
}

import { type Place, type Report, suggestion } from '../../../platform/contributions/index.js'
import { type ChainDefinition, type ChainExecution, EXECUTIONS } from '../../language/index.js'
import type { ParsedChain } from '../types.js'
import { detectWrongContribution, stepWithAliases, unknownKey, VIEW_KEYS } from './key-aliases.js'
import { type PlacedStep, placedStep, placesOf } from './placed-step.js'
import { readOnError } from './read-on-error.js'
import { readParams } from './read-params.js'
import { type Entry, isAbsent, plainValue, type Tree } from './tree.js'
import { expected, itemsOf, onlyEntry, readTexts, scalarText } from './tree-reading.js'

/** What a JSON answer says beside the view, so that it can be sent back as it came. */
const ANSWER_KEYS = ['entity-type', 'id', 'version', 'etag', 'author', 'created', 'format']

/** A chain from the YAML view: a bare list of operations, or a map with `operations` and more. */
export const readView = (id: string, tree: Tree, report: Report): ParsedChain => {
  const parts = partsOf(tree, report)
  const idTree = parts.get('id')
  const isAnswer = parts.has('entity-type')
  if (isAnswer && idTree && scalarText(idTree) !== id)
    report(
      'id',
      idTree.at,
      `the chain is deployed as "${id}", but calls itself "${scalarText(idTree) ?? ''}"`,
    )
  const description = readDescription(parts.get('description'), report)
  const aliases = readAliases(parts.get('aliases'), report)
  const execution = readExecution(parts.get('execution'), report)
  const steps = readSteps(parts.get('operations'), report)
  const onError = readOnError(parts.get('onError'), report)
  const chain: ChainDefinition = {
    id,
    ...(description !== undefined && { description }),
    aliases: aliases.map((alias) => alias.name),
    ...(execution && { execution }),
    params: readParams(parts.get('params'), report),
    steps: steps.map(({ step }) => step),
    ...(onError.length > 0 && { onError: onError.map(({ errorChain }) => errorChain) }),
  }
  const places = {
    aliases: aliases.map((alias) => alias.at),
    steps: steps.map((step) => step.places),
    onError: onError.map(({ at }) => at),
    filters: onError.map(({ at, filterAt }) => filterAt ?? at),
  }
  return { chain, places: { ...places, ...(idTree && { id: idTree.at }) }, mayReplace: true }
}

const exampleOf = (tree: Tree): string => `- ${scalarText(tree) ?? 'Document.Save'}`

const partsOf = (tree: Tree, report: Report): ReadonlyMap<string, Tree> => {
  if (tree.kind === 'list') return new Map([['operations', tree]])
  if (tree.kind === 'scalar') {
    const message =
      tree.value === null
        ? 'the text is empty; a chain without operations is written {}'
        : `${expected('a list of operations or a map with description, params and operations', tree)}; write ${exampleOf(tree)}`
    report('', tree.at, message)
    return new Map()
  }
  const stranger = detectWrongContribution(tree.entries)
  if (stranger) {
    report('', stranger.at, stranger.message)
    return new Map()
  }
  const isAnswer = tree.entries.some(({ key }) => key === 'entity-type')
  const known: readonly string[] = isAnswer ? [...VIEW_KEYS, ...ANSWER_KEYS] : VIEW_KEYS
  for (const { key, keyAt, value } of tree.entries) {
    if (!known.includes(key)) report(key, keyAt, unknownKey(key, value))
  }
  return new Map(tree.entries.map(({ key, value }) => [key, value]))
}

const readDescription = (tree: Tree | undefined, report: Report): string | undefined => {
  if (isAbsent(tree)) return undefined
  const text = scalarText(tree)
  if (text === undefined) report('description', tree.at, expected('a text', tree))
  return text
}

/** Undefined for the default, which is the same as saying nothing. */
const readExecution = (tree: Tree | undefined, report: Report): ChainExecution | undefined => {
  if (isAbsent(tree)) return undefined
  const text = scalarText(tree)
  if (text !== undefined) return executionOf(text, tree.at, report)
  report('execution', tree.at, expected(EXECUTIONS.join(' or '), tree))
  return undefined
}

/** How a chain is executed, from the text of any notation; undefined for the default and for what is refused. */
export const executionOf = (text: string, at: Place, report: Report): ChainExecution | undefined => {
  const execution = EXECUTIONS.find((name) => name === text)
  if (!execution)
    report(
      'execution',
      at,
      `expected ${EXECUTIONS.join(' or ')}, found "${text}"${suggestion(text, EXECUTIONS)}`,
    )
  return execution === 'workflow' ? undefined : execution
}

const readAliases = (tree: Tree | undefined, report: Report) => readTexts(tree, 'aliases', report)

const readSteps = (tree: Tree | undefined, report: Report): PlacedStep[] =>
  itemsOf(tree, 'operations', report).flatMap((item, index) => {
    const field = `operations[${index}]`
    const entry = onlyEntry(item, { field, what: 'an operation', inOtherWords: stepWithAliases, report })
    return entry ? [readStep(entry, field, report)] : []
  })

const readStep = ({ key, keyAt, value }: Entry, field: string, report: Report): PlacedStep => {
  const isMisread = value.kind === 'list' || (value.kind === 'scalar' && value.value !== null)
  if (isMisread) {
    const what = expected(`a map with the parameters of ${key}`, value)
    report(field, value.at, `${what}; write ${key}: {name: value}, or a line for each below it`)
  }
  const entries = value.kind === 'map' ? value.entries : []
  const placed = placedStep({
    operation: key,
    at: keyAt,
    field,
    params: entries.map((entry) => ({
      name: entry.key,
      value: plainValue(entry.value),
      places: placesOf(entry),
    })),
  })
  return isMisread ? { ...placed, places: { ...placed.places, isMisread } } : placed
}

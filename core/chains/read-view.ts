import {
  type ChainDefinition,
  type ChainExecution,
  type ChainParameter,
  type ChainStep,
  EXECUTIONS,
} from '../automation/index.js'
import { suggestion } from '../contributions/index.js'
import { refusalOfDefault, refusalOfType } from './literals.js'
import { readOnError } from './read-on-error.js'
import { type Entry, kindOf, type Place, plainValue, type Report, type Tree } from './tree.js'
import type { ParamPlaces, ParsedChain, StepPlaces, ValuePlaces } from './types.js'

/**
 * The keys of the map form (automation.md §8); aliases are ours to add, so that nothing XML says is lost, and so is
 * how a chain is executed.
 */
const KEYS = ['description', 'aliases', 'execution', 'params', 'operations', 'onError'] as const

/** What a JSON answer says beside the view, so that it can be sent back as it came. */
const ANSWER_KEYS = ['entity-type', 'id', 'version', 'etag', 'author', 'created', 'format']

const expected = (what: string, tree: Tree): string => `expected ${what}, found ${kindOf(plainValue(tree))}`

const shownText = (tree: Tree): string => {
  const text = scalarText(tree)
  return text === undefined ? '' : ` "${text}"`
}

const scalarText = (tree: Tree): string | undefined =>
  tree.kind === 'scalar' && tree.value !== null ? String(tree.value) : undefined

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
  }
  return { chain, places: { ...places, ...(idTree && { id: idTree.at }) }, mayReplace: true }
}

/** Keys that people write for another. */
const MEANT: { readonly [key: string]: (typeof KEYS)[number] } = {
  steps: 'operations',
  ops: 'operations',
  actions: 'operations',
  tasks: 'operations',
  parameters: 'params',
  args: 'params',
  arguments: 'params',
  alias: 'aliases',
  label: 'description',
  mode: 'execution',
  catch: 'onError',
  error: 'onError',
}

/** Keys by which contributions to other extension points are known. */
const ELSEWHERE: { readonly [key: string]: { what: string; point: string } } = {
  events: { what: 'an event handler', point: 'eventHandlers' },
  cron: { what: 'a schedule', point: 'schedules' },
}

/** A text that is no chain at all, but a contribution to another point as it is deployed by itself. */
const strangerIn = (entries: readonly Entry[]): { at: Place; message: string } | undefined => {
  if (entries.some(({ key }) => key === 'operations')) return undefined
  const telling = entries.find(({ key }) => Object.hasOwn(ELSEWHERE, key))
  const stranger = telling && ELSEWHERE[telling.key]
  if (!stranger) return undefined
  const { what, point } = stranger
  const message = `"${telling.key}" is told of ${what}, and this is read as a chain: in a file, write ${point}: and the name of ${what} below it, and what it has below that`
  return { at: telling.keyAt, message }
}

const exampleOf = (tree: Tree): string => `- ${scalarText(tree) ?? 'Document.Save'}`

/** An operation where a key of the chain is expected has lost the dash before it. */
const unknownKey = (key: string, value: Tree): string => {
  const unknown = `unknown key "${key}"`
  if (key === 'id' || key === 'name' || key === 'chain')
    return `${unknown}: a chain is called what its file or address is; aliases: [${scalarText(value) ?? 'other'}] gives it another name`
  const meant = Object.hasOwn(MEANT, key) ? MEANT[key] : undefined
  const hint = meant ? `, did you mean "${meant}"?` : suggestion(key, KEYS)
  if (hint !== '') return `${unknown}${hint}`
  const isStep =
    value.kind === 'map' || (value.kind === 'scalar' && value.value === null) || key.includes('.')
  return isStep
    ? `${unknown}: an operation stands in a list, behind a dash: - ${key}`
    : `${unknown}; known are ${KEYS.join(', ')}`
}

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
  const stranger = strangerIn(tree.entries)
  if (stranger) {
    report('', stranger.at, stranger.message)
    return new Map()
  }
  const isAnswer = tree.entries.some(({ key }) => key === 'entity-type')
  const known: readonly string[] = isAnswer ? [...KEYS, ...ANSWER_KEYS] : KEYS
  for (const { key, keyAt, value } of tree.entries) {
    if (!known.includes(key)) report(key, keyAt, unknownKey(key, value))
  }
  return new Map(tree.entries.map(({ key, value }) => [key, value]))
}

const readDescription = (tree: Tree | undefined, report: Report): string | undefined => {
  if (!tree || (tree.kind === 'scalar' && tree.value === null)) return undefined
  const text = scalarText(tree)
  if (text === undefined) report('description', tree.at, expected('a text', tree))
  return text
}

/** Undefined for the default, which is the same as saying nothing. */
const readExecution = (tree: Tree | undefined, report: Report): ChainExecution | undefined => {
  if (!tree || (tree.kind === 'scalar' && tree.value === null)) return undefined
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

const itemsOf = (tree: Tree | undefined, field: string, report: Report): readonly Tree[] => {
  if (!tree || (tree.kind === 'scalar' && tree.value === null)) return []
  if (tree.kind === 'list') return tree.items
  const example = scalarText(tree)
  report(field, tree.at, `${expected('a list', tree)}${example === undefined ? '' : `; write [${example}]`}`)
  return []
}

const readTexts = (tree: Tree | undefined, field: string, report: Report) =>
  itemsOf(tree, field, report).flatMap((item, index) => {
    const text = scalarText(item)
    if (text !== undefined) return [{ name: text, at: item.at }]
    report(`${field}[${index}]`, item.at, expected('a text', item))
    return []
  })

const readAliases = (tree: Tree | undefined, report: Report) => readTexts(tree, 'aliases', report)

/** The one entry of a list item `- name: details`, or `- name` alone. */
const onlyEntry = (
  item: Tree,
  { field, what, report }: { field: string; what: string; report: Report },
): Entry | undefined => {
  if (item.kind === 'scalar' && typeof item.value === 'string' && item.value !== '')
    return { key: item.value, keyAt: item.at, value: { kind: 'scalar', at: item.at, value: null } }
  if (item.kind !== 'map') {
    report(field, item.at, expected(what, item))
    return undefined
  }
  const [entry, second] = item.entries
  const isNamedOtherwise = what === 'an operation' && stepInOtherWords(item) !== undefined
  if (entry && !second && !isNamedOtherwise) return entry
  const named = what === 'an operation' ? stepInOtherWords(item) : undefined
  const message = second
    ? `${what} has one key, found "${entry?.key}" and "${second.key}"; is "${second.key}" indented too little?`
    : `expected ${what}, found an empty map`
  report(field, named ? item.at : (second?.keyAt ?? item.at), named ?? message)
  return undefined
}

/** Keys under which other tools name what a step calls. */
const CALLING_KEYS = ['operation', 'id', 'op', 'name', 'action', 'run', 'step', 'type', 'call']

/** What is said of `- id: Log` and its kin; undefined for everything else. */
const stepInOtherWords = (item: Tree): string | undefined => {
  const first = item.kind === 'map' ? item.entries[0] : undefined
  const entry = first && CALLING_KEYS.includes(first.key) ? first : undefined
  const called = entry && scalarText(entry.value)
  return called === undefined
    ? undefined
    : `an operation is the key itself, and its parameters stand below it: write - ${called}: {…}, and not ${entry?.key}: ${called}`
}

const PARAM_KEYS = ['type', 'description', 'required', 'values']

const readParams = (tree: Tree | undefined, report: Report): ChainParameter[] => {
  const entries =
    tree?.kind === 'map'
      ? tree.entries
      : itemsOf(tree, 'params', report).flatMap((item, index) => {
          const entry = onlyEntry(item, { field: `params[${index}]`, what: 'a parameter', report })
          return entry ? [entry] : []
        })
  const seen = new Set<string>()
  return entries.map((entry) => {
    if (seen.has(entry.key))
      report(`params.${entry.key}`, entry.keyAt, `the parameter "${entry.key}" is declared twice`)
    seen.add(entry.key)
    return readParam(entry, report)
  })
}

/** What is meant by `x: string`, and by `x: a`, which is a default. */
const paramExample = (name: string, tree: Tree): string => {
  const text = scalarText(tree)
  if (text === undefined || refusalOfType(text) === undefined) return `${name}: {type: ${text ?? 'string'}}`
  return `${name}: {type: string, values: [${text}]} for a default`
}

/** Keys of other notations. */
const unknownParamKey = (key: string, value: Tree): string => {
  if (key === 'default')
    return `unknown key "default": the first of values is the default, values: [${scalarText(value) ?? '…'}]`
  const meant =
    key === 'mandatory' || key === 'isRequired' ? ', did you mean "required"?' : suggestion(key, PARAM_KEYS)
  return `unknown key "${key}"${meant === '' ? `; known are ${PARAM_KEYS.join(', ')}` : meant}`
}

const readParam = ({ key: name, value: tree }: Entry, report: Report): ChainParameter => {
  const field = `params.${name}`
  if (tree.kind === 'list' || (tree.kind === 'scalar' && tree.value !== null))
    report(
      field,
      tree.at,
      `${expected(`a map with ${PARAM_KEYS.join(', ')}`, tree)}; write ${paramExample(name, tree)}`,
    )
  const entries = tree.kind === 'map' ? tree.entries : []
  for (const { key, keyAt, value } of entries) {
    if (!PARAM_KEYS.includes(key)) report(`${field}.${key}`, keyAt, unknownParamKey(key, value))
  }
  const parts = new Map(entries.map(({ key, value }) => [key, value]))
  const textAt = (key: string): string | undefined => {
    const part = parts.get(key)
    if (!part || (part.kind === 'scalar' && part.value === null)) return undefined
    const text = scalarText(part)
    if (text === undefined) report(`${field}.${key}`, part.at, expected('a text', part))
    return text
  }
  const required = parts.get('required')
  const isRequired = required?.kind === 'scalar' && required.value === true
  if (required && !(required.kind === 'scalar' && typeof required.value === 'boolean'))
    report(`${field}.required`, required.at, `${expected('true or false', required)}${shownText(required)}`)
  const description = textAt('description')
  const type = textAt('type') ?? 'string'
  const refusal = refusalOfType(type)
  if (refusal) report(`${field}.type`, parts.get('type')?.at ?? tree.at, refusal)
  const values = readTexts(parts.get('values'), `${field}.values`, report)
  for (const [index, value] of values.entries()) {
    const misfit = refusalOfDefault(type, value.name)
    if (misfit) report(`${field}.values[${index}]`, value.at, misfit)
  }
  return {
    name,
    type,
    ...(description !== undefined && { description }),
    isRequired,
    values: values.map((value) => value.name),
  }
}

type PlacedStep = { step: ChainStep; places: StepPlaces }

const readSteps = (tree: Tree | undefined, report: Report): PlacedStep[] =>
  itemsOf(tree, 'operations', report).flatMap((item, index) => {
    const field = `operations[${index}]`
    const entry = onlyEntry(item, { field, what: 'an operation', report })
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

const valuePlaces = (value: Tree): ValuePlaces => ({
  value: value.at,
  ...(value.kind === 'scalar' && value.textAt && { text: value.textAt }),
})

const placesOf = ({ keyAt, value }: Entry): ParamPlaces => ({
  name: keyAt,
  ...valuePlaces(value),
  ...(value.kind === 'map' && {
    entries: new Map(
      value.entries.map((inner) => [inner.key, { name: inner.keyAt, ...valuePlaces(inner.value) }]),
    ),
  }),
})

type PlacedParam = { name: string; value: ChainStep['params'][string]; places: ParamPlaces }

/** A step and its places, from any notation. */
export const placedStep = ({
  operation,
  at,
  field,
  params,
}: {
  operation: string
  at: Place
  field: string
  params: readonly PlacedParam[]
}): PlacedStep => ({
  step: {
    operation,
    params: Object.fromEntries(params.map(({ name, value }) => [name, value])),
    at: { ...at, field },
  },
  places: { at, params: new Map(params.map(({ name, places }) => [name, places])) },
})

import { type Report, suggestion } from '../../../platform/contributions/index.js'
import type { ChainParameter } from '../../language/index.js'
import { refusalOfDefault, refusalOfType } from './literals.js'
import { type Entry, isAbsent, type Tree } from './tree.js'
import { expected, itemsOf, onlyEntry, readTexts, scalarText } from './tree-reading.js'

const shownText = (tree: Tree): string => {
  const text = scalarText(tree)
  return text === undefined ? '' : ` "${text}"`
}

const PARAM_KEYS = ['type', 'description', 'required', 'values']

/** The parameters of a chain's YAML view: a list, or a map, of names and what is declared of each. */
export const readParams = (tree: Tree | undefined, report: Report): ChainParameter[] => {
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
    if (isAbsent(part)) return undefined
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

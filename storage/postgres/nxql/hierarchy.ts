import type { Comparison, Condition, Reference, Value } from '../../../core/model/nxql/index.js'
import type { Context } from './context.js'
import { isUuid } from './tests.js'
import { refuse } from './unsupported.js'

/** Facets that an instance cannot have, only its type (reference: nxql-search.md §4). */
const TYPE_FACETS: ReadonlySet<string> = new Set(['Folderish', 'HiddenInNavigation'])
const NEVER = 'Immutable'

/** What every test is told: `negated` asks for its opposite. */
export type Scope = { context: Context; negated: boolean }

const stringOf = (value: Value | undefined, reference: Reference): string => {
  if (value?.kind === 'string') return value.value
  throw refuse(`${reference.name} takes a string`, value?.offset ?? reference.offset)
}

const wrongOperator = ({ name, offset }: Reference, operators: string) =>
  refuse(`${name} takes only ${operators}`, offset)

/** The one value of an `=` or `<>`, and whether it is the latter. */
const equality = (comparison: Comparison, reference: Reference, operators: string) => {
  if (comparison.operator !== '=' && comparison.operator !== '<>') throw wrongOperator(reference, operators)
  const { right } = comparison
  if (right.kind === 'reference' || right.kind === 'arithmetic') throw wrongOperator(reference, operators)
  return { value: stringOf(right, reference), isDifferent: comparison.operator === '<>' }
}

/** A loop, since an expression like `/+$` takes quadratic time on a text of slashes. */
const withoutTrailingSlashes = (path: string): string => {
  let end = path.length
  while (path[end - 1] === '/') end -= 1
  return path.slice(0, end)
}

/** A folder's subtree is one range of the index on `path`: `/` is followed by `0` in byte order. */
const strictlyUnder = (folder: string, context: Context): string => {
  if (!folder.startsWith('/')) return 'FALSE'
  const path = withoutTrailingSlashes(folder)
  const { bind } = context.binder
  return `(d.path > ${bind(`${path}/`, 'text')} AND d.path < ${bind(`${path}0`, 'text')})`
}

export const pathTest = (condition: Condition, reference: Reference, scope: Scope): string => {
  if (condition.kind === 'startsWith') {
    const under = strictlyUnder(condition.value.value, scope.context)
    return scope.negated ? `${under} IS NOT TRUE` : under
  }
  const operators = '=, <> and STARTSWITH'
  if (condition.kind !== 'comparison') throw wrongOperator(reference, operators)
  const { value, isDifferent } = equality(condition, reference, operators)
  const path = value.startsWith('/') ? withoutTrailingSlashes(value) || '/' : value
  const operator = isDifferent !== scope.negated ? 'IS DISTINCT FROM' : '='
  return `d.path ${operator} ${scope.context.binder.bind(path, 'text')}`
}

export const ancestorTest = (condition: Condition, reference: Reference, scope: Scope): string => {
  if (condition.kind !== 'comparison') throw wrongOperator(reference, '= and <>')
  const { value, isDifferent } = equality(condition, reference, '= and <>')
  const isNegated = isDifferent !== scope.negated
  if (!isUuid(value)) return isNegated ? 'TRUE' : 'FALSE'
  if (!scope.context.ancestors(1)) throw refuse('too many conditions on ecm:ancestorId', reference.offset)
  const id = scope.context.binder.bind(value, 'uuid')
  const bound = (end: string) =>
    `(SELECT rtrim(ancestor.path, '/') || '${end}' FROM documents ancestor WHERE ancestor.id = ${id})`
  const under = `(d.path > ${bound('/')} AND d.path < ${bound('0')})`
  return isNegated ? `${under} IS NOT TRUE` : under
}

const mixinValues = (
  condition: Condition,
  reference: Reference,
): { values: string[]; isDifferent: boolean } => {
  const operators = '=, <>, IN and NOT IN'
  if (condition.kind === 'in') {
    const values = condition.values.map((value) => stringOf(value, reference))
    return { values, isDifferent: condition.negated }
  }
  if (condition.kind !== 'comparison') throw wrongOperator(reference, operators)
  const { value, isDifferent } = equality(condition, reference, operators)
  return { values: [value], isDifferent }
}

/** Facets of the type are looked up here, so that the statement compares type names; an instance adds its own. */
export const mixinTest = (
  condition: Condition,
  reference: Reference,
  { context, negated }: Scope,
): string => {
  const { values, isDifferent } = mixinValues(condition, reference)
  const wanted = values.filter((facet) => facet !== NEVER)
  const own = wanted.filter((facet) => !TYPE_FACETS.has(facet))
  const types = [...context.model.types.values()].filter((type) =>
    type.facets.some((facet) => wanted.includes(facet)),
  )
  const names = types.map((type) => type.name)
  const byType = `d.type = ANY(${context.binder.bind(names, 'text[]')})`
  const has = own.length === 0 ? byType : `${byType} OR d.facets && ${context.binder.bind(own, 'text[]')}`
  return isDifferent !== negated ? `NOT (${has})` : `(${has})`
}

import type { ContentModel } from '../../content-model/index.js'
import type { Comparison, Condition, Reference, Value } from '../ast.js'
import { refuse } from './refuse.js'
import type { Test } from './tests.js'

/** Facets that an instance cannot have, only its type (reference: nxql-search.md §4). */
const TYPE_FACETS: ReadonlySet<string> = new Set(['Folderish', 'HiddenInNavigation'])
const NEVER = 'Immutable'

const stringOf = (value: Value, reference: Reference): string => {
  if (value.kind === 'string') return value.value
  throw refuse(`${reference.name} takes a string`, value.offset)
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

export const pathTest = (condition: Condition, reference: Reference, negated: boolean): Test => {
  if (condition.kind === 'startsWith') {
    const folder = condition.value.value
    return {
      kind: 'isBelow',
      folder: folder.startsWith('/') ? withoutTrailingSlashes(folder) : null,
      negated,
    }
  }
  const operators = '=, <> and STARTSWITH'
  if (condition.kind !== 'comparison') throw wrongOperator(reference, operators)
  const { value, isDifferent } = equality(condition, reference, operators)
  const path = value.startsWith('/') ? withoutTrailingSlashes(value) || '/' : value
  return { kind: 'isAt', path, negated: isDifferent !== negated }
}

export const ancestorTest = (condition: Condition, reference: Reference, negated: boolean): Test => {
  if (condition.kind !== 'comparison') throw wrongOperator(reference, '= and <>')
  const { value, isDifferent } = equality(condition, reference, '= and <>')
  return { kind: 'isBelowId', id: value, negated: isDifferent !== negated, reference }
}

const facetValues = (
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

/** Facets of the type are looked up here, so that a backend compares type names; an instance adds its own. */
export const facetTest = (
  condition: Condition,
  reference: Reference,
  { model, negated }: { model: ContentModel; negated: boolean },
): Test => {
  const { values, isDifferent } = facetValues(condition, reference)
  const wanted = values.filter((facet) => facet !== NEVER)
  const types = [...model.types.values()]
    .filter(({ facets }) => facets.some((facet) => wanted.includes(facet)))
    .map(({ name }) => name)
  const own = wanted.filter((facet) => !TYPE_FACETS.has(facet))
  return { kind: 'hasFacet', types, own, negated: isDifferent !== negated }
}

import type { estypes } from '@elastic/elasticsearch'
import type { QueryScope } from '../../../core/content/stores/index.js'
import { type Predicate, type Query, sortKeyOf, testOf, typesOf } from '../../../core/model/nxql/index.js'
import { fieldOf } from './fields.js'
import { all, any, compileTest } from './tests.js'

type Dsl = estypes.QueryDslQueryContainer
type Sort = { [field: string]: estypes.FieldSort }

/** A query as Elasticsearch is asked, without the rights of whoever asks. */
export type CompiledSearch = { query: Dsl; sort: Sort[] }

const compilePredicate = (predicate: Predicate, negated: boolean, scope: QueryScope): Dsl | undefined => {
  switch (predicate.kind) {
    case 'and':
    case 'or': {
      const parts = predicate.operands.map((operand) => compilePredicate(operand, negated, scope))
      if (parts.includes(undefined)) return undefined
      const isAll = (predicate.kind === 'and') !== negated
      return (isAll ? all : any)(parts.flatMap((part) => part ?? []))
    }
    case 'not':
      return compilePredicate(predicate.operand, !negated, scope)
    case 'equivalence':
      return undefined
    default:
      return compileTest(testOf(predicate, negated, scope))
  }
}

const compileTypes = (query: Query, { model }: QueryScope): Dsl => {
  const { names, isExcluding } = typesOf(query.from, model)
  const types: Dsl = { terms: { 'ecm:primaryType': [...names] } }
  return isExcluding ? { bool: { must_not: [types] } } : types
}

/** Nulls are the largest, and ids decide between equals, as in the repository. */
const compileSort = ({ orderBy }: Query, { model }: QueryScope): Sort[] | undefined => {
  const keys = orderBy.map(({ reference, descending }): Sort | undefined => {
    const key = sortKeyOf(reference, model)
    if (key.kind === 'score') return undefined
    if (key.kind === 'value' && !['text', 'number', 'date'].includes(key.place.type)) return undefined
    const field = key.kind === 'path' ? 'ecm:path' : fieldOf(key.place)
    if (field === undefined) return undefined
    return descending
      ? { [field]: { order: 'desc', missing: '_first' } }
      : { [field]: { order: 'asc', missing: '_last' } }
  })
  if (keys.includes(undefined)) return undefined
  return [...keys.filter((key) => key !== undefined), { 'ecm:uuid': { order: 'asc' } }]
}

/**
 * Compiles a query that entries of an index (`mappingOf`) can answer as the repository does.
 *
 * @returns undefined for all others, which the repository answers.
 * @throws badRequest as the repository does.
 */
export const compileSearch = (query: Query, scope: QueryScope): CompiledSearch | undefined => {
  if (query.select.kind !== 'all' || query.limit !== null || query.skip !== null) return undefined
  const types = compileTypes(query, scope)
  const where = query.where === null ? { match_all: {} } : compilePredicate(query.where, false, scope)
  const sort = compileSort(query, scope)
  return where && sort && { query: all([types, where]), sort }
}

import type { ContentModel } from '../../model/content-model/index.js'
import { type NxqlParameter, quoteNxql } from '../../model/nxql/index.js'
import { fail } from '../../platform/errors/index.js'
import { sanitizeFulltext } from './fulltext.js'
import { createLiterals } from './literal.js'
import { OPERATORS, type PredicateDefinition } from './page-providers-point.js'
import type { SearchDocument } from './search-document.js'

type Operator = (typeof OPERATORS)[number]

const operatorOf = (predicate: PredicateDefinition, document: SearchDocument): Operator => {
  const chosen = predicate.operatorField ? document.get(predicate.operatorField) : undefined
  if (chosen === undefined) {
    if (predicate.operator) return predicate.operator
    throw fail('badRequest', `${predicate.operatorField}: names no operator`)
  }
  const name = String(chosen).trim().toUpperCase()
  const operator = OPERATORS.find((known) => known === name)
  if (!operator) throw fail('badRequest', `${predicate.operatorField}: '${chosen}' is not an operator`)
  return operator
}

const isTrue = (value: NxqlParameter): boolean => value === true || /^(true|1)$/i.test(String(value))

/**
 * The NXQL conditions of a where clause, as far as the search document has values for them
 * (nxql-search.md §8.2).
 *
 * @throws badRequest naming the field whose value its property can not have.
 */
export const predicateConditions = (
  predicates: readonly PredicateDefinition[],
  document: SearchDocument,
  model: ContentModel,
): string[] => {
  const literal = createLiterals(document, model)

  const fulltext = (property: string, value: NxqlParameter): string | undefined => {
    const words = sanitizeFulltext(String(value))
    const index = property.startsWith('ecm:fulltext') ? property : `ecm:fulltext.${property}`
    return words === '' ? undefined : `${index} = ${quoteNxql(words)}`
  }

  const startsWith = (property: string, field: string): string | undefined => {
    const tests = document.list(field).map((value) => `${property} STARTSWITH ${quoteNxql(String(value))}`)
    return tests.length > 1 ? `(${tests.join(' OR ')})` : tests[0]
  }

  const between = (property: string, parameter: string, [low = '', high = '']: readonly string[]) => {
    const [from, to] = [low, high].map((field) => {
      const value = document.get(field)
      return value === undefined ? undefined : literal(parameter, field, value)
    })
    if (from !== undefined && to !== undefined) return `${property} BETWEEN ${from} AND ${to}`
    if (from !== undefined) return `${property} >= ${from}`
    return to === undefined ? undefined : `${property} <= ${to}`
  }

  const among = (property: string, parameter: string, field: string, isNegated: boolean) => {
    const values = document.list(field).map((value) => literal(parameter, field, value))
    if (values.length === 0) return undefined
    if (values.length === 1) return `${property} ${isNegated ? '<>' : '='} ${values[0]}`
    return `${property} ${isNegated ? 'NOT IN' : 'IN'} (${values.join(', ')})`
  }

  const condition = (predicate: PredicateDefinition): string | undefined => {
    const { parameter, hint, fields } = predicate
    const [field = ''] = fields
    const property = hint === undefined ? parameter : `/*+ES: ${hint} */ ${parameter}`
    if (predicate.type === 'subClause') {
      const clause = document.get(field)
      return clause === undefined ? undefined : `(${clause})`
    }
    const operator = operatorOf(predicate, document)
    if (operator === 'EMPTY' || operator === 'ISEMPTY') return `${property} = ''`
    if (operator === 'BETWEEN') return between(property, parameter, fields)
    if (operator === 'IN' || operator === 'NOT IN')
      return among(property, parameter, field, operator === 'NOT IN')
    if (operator === 'STARTSWITH') return startsWith(property, field)
    const value = document.get(field)
    if (value === undefined) return undefined
    if (operator === 'FULLTEXT' || operator === 'FULLTEXT ALL') return fulltext(property, value)
    if (operator === 'IS NULL') return `${property} IS ${isTrue(value) ? '' : 'NOT '}NULL`
    const isPattern = operator.endsWith('LIKE')
    const operand = isPattern ? quoteNxql(String(value)) : literal(parameter, field, value)
    return `${property} ${operator === '!=' ? '<>' : operator} ${operand}`
  }

  return predicates.map(condition).filter((text) => text !== undefined)
}

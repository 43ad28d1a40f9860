import { type Condition, refuse, testOf } from '../../../../core/model/nxql/index.js'
import { fail } from '../../../../core/platform/errors/index.js'
import { hasLongNearWord, MAX_NEAR, regularExpressionsIn } from '../../engine/index.js'
import { anyOf, type Clause, not } from '../clauses.js'
import { closedField, closedFieldIn } from '../closed-fields.js'
import type { Context } from '../context.js'
import { notAnswerable } from '../not-answerable.js'
import { fieldOf } from '../place.js'
import { valueClause } from '../value-tests.js'
import { type Hint, hintedValues } from './hinted.js'
import { type HintAsked, LIST_OPERATORS, OPERATORS } from './operators.js'

const isLongNear =
  (operator: string) =>
  (value: string): boolean =>
    operator === 'fuzzy' ? value.length > MAX_NEAR : operator === 'query_string' && hasLongNearWord(value)

/** Names of the reference's index for what this one has. */
const FIELDS: { readonly [name: string]: string } = { all_field: 'ecm:words', _all: 'ecm:words' }

const ANALYZERS: { readonly [name: string]: string } = {
  fulltext: 'standard',
  standard: 'standard',
  simple: 'simple',
  whitespace: 'whitespace',
  keyword: 'keyword',
}

const nameOf = (condition: Condition): string => {
  if (condition.kind !== 'comparison') return condition.reference.name
  const { left, right } = condition
  return left.kind === 'reference' ? left.name : right.kind === 'reference' ? right.name : ''
}

/** Characters of a query's hints together: each few may cost the engine as much as a search. */
const MAX_HINTED = 1_000

const analyzerOf = ({ analyzer }: Hint, { shape }: Context, offset: number): string | undefined => {
  if (analyzer === null) return undefined
  if (shape.analysis.analyzer && Object.hasOwn(shape.analysis.analyzer, analyzer)) return analyzer
  if (!Object.hasOwn(ANALYZERS, analyzer)) throw refuse(`ANALYZER(${analyzer}) is unknown`, offset)
  return ANALYZERS[analyzer]
}

/** The condition as it is written, on another field. */
const otherField = (
  condition: Condition,
  field: string,
  { negated, context }: { negated: boolean; context: Context },
) => {
  const test = testOf(condition, negated, context)
  if (test.kind !== 'hasValue') throw notAnswerable(`INDEX stands before ${nameOf(condition)}`)
  return valueClause({ ...fieldOf(test.place, context), field }, test.test, test.negated)
}

/**
 * What a hint asks of the index (reference: nxql-search.md §5): with OPERATOR whatever operator the condition has,
 * with INDEX other fields than its property's.
 *
 * @throws badRequest for a wrong number of values, long ones and an unknown analyzer; notSupported for an unknown operator.
 */
export const hintClause = (
  { condition, hint, negated }: { condition: Condition; hint: Hint; negated: boolean },
  context: Context,
): Clause => {
  const written = hint.index.map(({ field, boost }) => ({ field: FIELDS[field] ?? field, boost }))
  const name = nameOf(condition)
    .replaceAll(/\/\*\d*/g, '')
    .replaceAll('/', '.')
  const fields = written.length === 0 ? [{ field: name, boost: null }] : written
  const closed = fields.map(({ field }) => closedField(field)).find((field) => field !== undefined)
  if (closed !== undefined) throw refuse(`INDEX(${closed}) is not possible:`, condition.offset)
  if (hint.operator === null) return otherField(condition, fields[0]!.field, { negated, context })
  const operator = hint.operator.toLowerCase()
  const ofOne = Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined
  const ofList = Object.hasOwn(LIST_OPERATORS, operator) ? LIST_OPERATORS[operator] : undefined
  if (!ofOne && !ofList)
    throw fail('notSupported', `NXQL: OPERATOR(${hint.operator}) is unknown at offset ${condition.offset}`)
  const values = hintedValues(condition)
  if (ofList?.count !== undefined && values.length !== ofList.count)
    throw refuse(
      `OPERATOR(${hint.operator}) takes ${ofList.count} values, not ${values.length},`,
      condition.offset,
    )
  if (values.some(isLongNear(operator)))
    throw refuse(
      `a word of OPERATOR(${hint.operator}) whose near ones are looked for has at most ${MAX_NEAR} characters,`,
      condition.offset,
    )
  for (const value of values) {
    const isForEach = operator === 'query_string' && regularExpressionsIn(value) > 0
    context.hinted.characters += value.length * (isForEach ? fields.length : 1)
  }
  if (context.hinted.characters > MAX_HINTED)
    throw refuse(
      `the values of hints have ${MAX_HINTED} characters together, not ${context.hinted.characters},`,
      condition.offset,
    )
  if (operator.endsWith('query_string'))
    for (const value of values) {
      const named = closedFieldIn(String(value))
      if (named !== undefined)
        throw refuse(`OPERATOR(${hint.operator}) may not ask for ${named}`, condition.offset)
    }
  const analyzer = analyzerOf(hint, context, condition.offset)
  const asked: HintAsked = { fields, ...(analyzer !== undefined && { analyzer }) }
  const clause = ofList
    ? ofList.clause({ ...asked, values }, context, condition.offset)
    : anyOf(values.map((value) => ofOne!({ ...asked, value })))
  return negated ? not(clause) : clause
}

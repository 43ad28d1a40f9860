import type { ContentModel } from '../../content-model/index.js'
import { conditionsOf, evaluateFunction, literalBeside, type Predicate, type Reference } from '../index.js'
import type { EvaluatedDocument } from './document.js'
import { compareValues, likeExpression } from './scalars.js'
import { searches } from './searches.js'
import { type Choice, type Kind, type Value, valuesOf } from './values.js'

export type Scope = {
  document: EvaluatedDocument
  model: ContentModel
  choice: Choice
  now: Date
  /** Every document, for the conditions that look beyond one. */
  byId: ReadonlyMap<string, EvaluatedDocument>
}

type Condition = Exclude<Predicate, { kind: 'and' | 'or' | 'not' | 'equivalence' }>
type Operand = Extract<Condition, { kind: 'comparison' }>['left']

const ofOperand = (operand: Operand): Reference[] => {
  if (operand.kind === 'reference') return [operand]
  return operand.kind === 'arithmetic' ? [...ofOperand(operand.left), ...ofOperand(operand.right)] : []
}

/** The references of a predicate whose values are looked up as values. */
export const referencesOf = (predicate: Predicate): Reference[] =>
  conditionsOf(predicate)
    .flatMap((condition) =>
      condition.kind === 'comparison'
        ? [condition.left, condition.right].flatMap(ofOperand)
        : [condition.reference],
    )
    .filter(isValue)

const NO_VALUES = /^ecm:(path|ancestorId|mixinType|isTrashed|fulltext.*|binarytext)$/
const isValue = ({ name }: Reference): boolean => !NO_VALUES.test(name)

/** Whether a predicate, or its opposite, is true and not unknown. */
export const holds = (predicate: Predicate, negated: boolean, scope: Scope): boolean => {
  switch (predicate.kind) {
    case 'and':
    case 'or': {
      const isAll = (predicate.kind === 'and') !== negated
      const each = (operand: Predicate) => holds(operand, negated, scope)
      return isAll ? predicate.operands.every(each) : predicate.operands.some(each)
    }
    case 'not':
      return holds(predicate.operand, !negated, scope)
    case 'equivalence': {
      const isSame = holds(predicate.left, false, scope) === holds(predicate.right, false, scope)
      return isSame !== (predicate.negated !== negated)
    }
    default:
      return conditionHolds(predicate, negated, scope)
  }
}

const conditionHolds = (condition: Condition, negated: boolean, scope: Scope): boolean => {
  if (condition.kind === 'comparison') return comparisonHolds(condition, negated, scope)
  const { reference } = condition
  const special = specialHolds(condition, { negated, scope, right: undefined })
  if (special !== undefined) return special
  const found = valuesOf(reference, scope)
  if (condition.kind === 'isNull') {
    const wantsNull = condition.negated === negated
    if (found.isList) return found.ways.some((way) => (way.length === 0) === wantsNull)
    return found.ways.some(([value]) => (value === null) === wantsNull)
  }
  const isOpposite = 'negated' in condition && condition.negated !== negated
  const opposite = condition.kind === 'startsWith' ? negated : isOpposite
  return someWay(found, opposite, (value) =>
    valueHolds(condition, value, { kind: found.kind, now: scope.now }),
  )
}

type Valued = Exclude<Condition, { kind: 'comparison' | 'isNull' }>

const valueHolds = (
  condition: Valued,
  value: Exclude<Value, null>,
  { kind, now }: { kind: Kind; now: Date },
): boolean => {
  const literal = (operand: Operand) => literalOf(operand, now, kind)
  switch (condition.kind) {
    case 'in':
      return condition.values.some((operand) => equals(value, literal(operand)))
    case 'between':
      return (
        compareValues(value, literal(condition.low)) >= 0 &&
        compareValues(value, literal(condition.high)) <= 0
      )
    case 'like':
      return likeExpression(condition.pattern.value, condition.ignoreCase).test(String(value))
    case 'startsWith': {
      const above = condition.value.value
      return value === above || String(value).startsWith(above.endsWith('/') ? above : `${above}/`)
    }
  }
}

/** Of a list, some element, or for the opposite none; else some way of choosing. Null is neither. */
const someWay = (
  { isList, ways }: ReturnType<typeof valuesOf>,
  isOpposite: boolean,
  test: (value: Exclude<Value, null>) => boolean,
): boolean =>
  ways.some((way) => {
    const some = way.some((value) => value !== null && test(value))
    if (isList) return some !== isOpposite
    return isOpposite ? way.some((value) => value !== null && !test(value)) : some
  })

const equals = (a: Value, b: Value): boolean => a === b

/** A literal as a value comparable with those of a kind: booleans are written 1 and 0, days as dates at midnight. */
const literalOf = (operand: Operand, now: Date, kind: Kind): Exclude<Value, null> => {
  switch (operand.kind) {
    case 'string': {
      const literal = literalBeside(kind, operand)
      return literal.kind === 'string' ? literal.value : literalOf(literal, now, kind)
    }
    case 'timestamp':
      return operand.value
    case 'date':
      return kind === 'day' ? operand.value : `${operand.value}T00:00:00.000Z`
    case 'integer':
    case 'double':
      return kind === 'boolean' ? operand.text === '1' : Number(operand.text)
    case 'function':
      return literalOf(evaluateFunction(operand, now), now, kind)
    default:
      throw new Error(`The evaluator takes no ${operand.kind} for a literal`)
  }
}

const MIRRORED: { [operator: string]: string } = { '<': '>', '>': '<', '<=': '>=', '>=': '<=' }

const compares = (operator: string, a: Exclude<Value, null>, b: Exclude<Value, null>): boolean => {
  const order = compareValues(a, b)
  if (operator === '=' || operator === '<>') return (order === 0) === (operator === '=')
  if (operator === '<' || operator === '<=') return order < 0 || (operator === '<=' && order === 0)
  return order > 0 || (operator === '>=' && order === 0)
}

type Comparison = Extract<Condition, { kind: 'comparison' }>

const isComputed = ({ left, right }: Comparison): boolean =>
  [left, right].some(({ kind }) => kind === 'arithmetic') ||
  (left.kind === 'reference' && right.kind === 'reference')

const comparisonHolds = (written: Comparison, negated: boolean, scope: Scope): boolean => {
  if (isComputed(written)) return computedHolds(written, negated, scope)
  const isMirrored = written.left.kind !== 'reference'
  const reference = (isMirrored ? written.right : written.left) as Reference
  const right = isMirrored ? written.left : written.right
  const operator = isMirrored ? (MIRRORED[written.operator] ?? written.operator) : written.operator
  const isDifferent = operator === '<>'
  const special = specialHolds({ ...written, reference, operator }, { negated, scope, right })
  if (special !== undefined) return special
  const found = valuesOf(reference, scope)
  const literal = literalOf(right, scope.now, found.kind)
  const test = (value: Exclude<Value, null>) => compares(isDifferent ? '=' : operator, value, literal)
  return someWay(found, isDifferent !== negated, test)
}

/** All values that an operand may have; a division by zero has none. */
const computed = (operand: Operand, scope: Scope): Value[] => {
  if (operand.kind === 'reference') return valuesOf(operand, scope).ways.flat()
  if (operand.kind !== 'arithmetic') return [literalOf(operand, scope.now, 'number')]
  return computed(operand.left, scope).flatMap((a) =>
    computed(operand.right, scope).map((b) => {
      if (a === null || b === null) return null
      const [x, y] = [Number(a), Number(b)]
      if (operand.operator === '+') return x + y
      if (operand.operator === '-') return x - y
      if (operand.operator === '*') return x * y
      return y === 0 ? null : x / y
    }),
  )
}

const computedHolds = ({ left, right, operator }: Comparison, negated: boolean, scope: Scope): boolean =>
  computed(left, scope).some((a) =>
    computed(right, scope).some((b) => a !== null && b !== null && compares(operator, a, b) !== negated),
  )

type SpecialCondition = {
  kind: Condition['kind']
  reference: Reference
  operator?: string
  negated?: boolean
  values?: readonly Operand[]
  value?: Operand
  pattern?: Operand
}

const under = (path: string | null, folder: string): boolean =>
  folder.startsWith('/') &&
  path !== null &&
  path !== '/' &&
  path.startsWith(`${folder.replace(/(?<!\/)\/+$/, '')}/`)

/** Evaluates conditions on the place, the facets, the trash and the words of a document; undefined for any other. */
const specialHolds = (
  condition: SpecialCondition,
  { negated, scope, right }: { negated: boolean; scope: Scope; right: Operand | undefined },
): boolean | undefined => {
  const { document, model } = scope
  const text = (operand: Operand | undefined): string => (operand?.kind === 'string' ? operand.value : '')
  const isOpposite = (condition.operator === '<>' || condition.negated === true) !== negated
  switch (condition.reference.name) {
    case 'ecm:path': {
      if (condition.kind === 'startsWith') return under(document.path, text(condition.value)) !== negated
      const wanted = text(right)
      const path = wanted.startsWith('/') ? wanted.replace(/(?<!\/)\/+$/, '') || '/' : wanted
      return (document.path === path) !== isOpposite
    }
    case 'ecm:ancestorId': {
      const ancestor = scope.byId.get(text(right).toLowerCase())
      return (ancestor?.path ? under(document.path, ancestor.path) : false) !== isOpposite
    }
    case 'ecm:mixinType': {
      const wanted = condition.values ? condition.values.map(text) : [text(right)]
      const ofType = model.types.get(document.type)?.facets ?? []
      const own = document.facets.filter((facet) => !['Folderish', 'HiddenInNavigation'].includes(facet))
      const has = wanted.some((facet) => facet !== 'Immutable' && [...ofType, ...own].includes(facet))
      return has !== isOpposite
    }
    case 'ecm:isTrashed': {
      const isTrashed = document.isTrashed || document.columns['ecm:currentLifeCycleState'] === 'deleted'
      return (
        (isTrashed === (right !== undefined && literalOf(right, scope.now, 'boolean') === true)) !==
        isOpposite
      )
    }
    case 'ecm:currentLifeCycleState': {
      const isEquality = condition.kind === 'in' || condition.operator === '=' || condition.operator === '<>'
      const wanted = condition.values ? condition.values.map(text) : [text(right)]
      if (!isEquality || !wanted.includes('deleted')) return undefined
      const state = document.columns['ecm:currentLifeCycleState']
      const isOne = document.isTrashed || wanted.includes(String(state))
      if (isOpposite) return state !== null && !isOne
      return isOne
    }
    default: {
      if (!/^ecm:(fulltext|binarytext)/.test(condition.reference.name)) return undefined
      return searches(condition.reference.name, text(condition.pattern ?? right), scope) !== negated
    }
  }
}

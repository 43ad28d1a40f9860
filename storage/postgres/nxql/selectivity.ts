import { oriented, type Predicate } from '../../../core/model/nxql/index.js'
import { isUuid } from '../../../core/model/properties/index.js'

/** Why a query finds few documents: it names them, or their parent. */
export type Selectivity = { kind: 'ids' } | { kind: 'children'; parentId: string }

/** Of more ids, the rights of all are cheaper to look up together. */
const MAX_FEW_IDS = 200

const selectivityOfCondition = (condition: Predicate): Selectivity | undefined => {
  if (condition.kind === 'in') {
    const { reference, negated, values } = condition
    const isNamed = reference.name === 'ecm:uuid' && !negated && values.length <= MAX_FEW_IDS
    return isNamed ? { kind: 'ids' } : undefined
  }
  const equality = condition.kind === 'comparison' ? oriented(condition) : undefined
  if (equality?.operator !== '=') return undefined
  const { left, right } = equality
  if (left.name === 'ecm:uuid') return { kind: 'ids' }
  if (left.name !== 'ecm:parentId' || right.kind !== 'string' || !isUuid(right.value)) return undefined
  return { kind: 'children', parentId: right.value }
}

/** Whether what all documents of a query have in common shows that they are few; ids before a parent. */
export const selectivityOf = (where: Predicate | null): Selectivity | undefined => {
  if (where?.kind !== 'and') return where ? selectivityOfCondition(where) : undefined
  const known = where.operands.map(selectivityOf)
  return known.find((found) => found?.kind === 'ids') ?? known.find((found) => found !== undefined)
}

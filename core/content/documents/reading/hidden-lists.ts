import type { ContentModel } from '../../../model/content-model/index.js'
import type { Operand, Predicate, Query, Reference } from '../../../model/nxql/index.js'
import { fail } from '../../../platform/errors/index.js'
import type { Session } from '../session.js'

/** Ids of the members of a collection, in their order. */
export const MEMBERS = 'collection:documentIds'

/** Ids of the collections that a document is in. */
export const COLLECTIONS = 'collectionMember:collectionIds'

/** Properties with ids of documents that not everybody who reads the property may read. */
export const HIDING_LISTS: readonly string[] = [MEMBERS, COLLECTIONS]

const inOperand = (operand: Operand): readonly Reference[] => {
  if (operand.kind === 'reference') return [operand]
  if (operand.kind === 'function') return operand.args.flatMap(inOperand)
  return operand.kind === 'arithmetic' ? [operand.left, operand.right].flatMap(inOperand) : []
}

/** Whether somebody who asks must know what is compared with: an id that is named, or none. */
const isOfNamedValues = (predicate: Predicate): boolean =>
  predicate.kind === 'in' ||
  predicate.kind === 'isNull' ||
  (predicate.kind === 'comparison' &&
    (predicate.operator === '=' || predicate.operator === '<>') &&
    predicate.left.kind === 'reference' &&
    predicate.right.kind === 'string')

const inPredicate = (predicate: Predicate): readonly Reference[] => {
  switch (predicate.kind) {
    case 'and':
    case 'or':
      return predicate.operands.flatMap(inPredicate)
    case 'not':
      return inPredicate(predicate.operand)
    case 'equivalence':
      return [predicate.left, predicate.right].flatMap(inPredicate)
    case 'comparison':
      return isOfNamedValues(predicate) ? [] : [predicate.left, predicate.right].flatMap(inOperand)
    default:
      return isOfNamedValues(predicate) ? [] : [predicate.reference]
  }
}

/** What a query shows values of: all that it names, but what it compares with values that its caller knows. */
const shownBy = ({ select, where, orderBy }: Query): readonly Reference[] => [
  ...(select.kind === 'items' ? select.items.flatMap(({ operand }) => inOperand(operand)) : []),
  ...(where ? inPredicate(where) : []),
  ...orderBy.map(({ reference }) => reference),
]

const isHiding = ({ name }: Reference, model: ContentModel): boolean =>
  HIDING_LISTS.includes(model.resolve(name)?.key ?? '')

/**
 * Refuses a query whose answer would show which ids are in a list that hides some from its reader.
 *
 * @param others that it shows values of.
 * @throws forbidden for all but administrators.
 */
export const requireHiddenStay = (
  { model, principal }: Pick<Session, 'model' | 'principal'>,
  query: Query,
  others: readonly Reference[] = [],
): void => {
  if (principal.isAdministrator) return
  const shown = [...shownBy(query), ...others].find((reference) => isHiding(reference, model))
  if (shown)
    throw fail(
      'forbidden',
      `NXQL: ${shown.name} may have ids that are hidden from '${principal.name}': it is only compared, by = and IN`,
    )
}

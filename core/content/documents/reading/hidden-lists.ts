import type { ContentModel } from '../../../model/content-model/index.js'
import {
  type Condition,
  conditionsOf,
  type Query,
  type Reference,
  referencesIn,
} from '../../../model/nxql/index.js'
import { fail } from '../../../platform/errors/index.js'
import type { Session } from '../session.js'

/** Ids of the members of a collection, in their order. */
export const MEMBERS = 'collection:documentIds'

/** Ids of the collections that a document is in. */
export const COLLECTIONS = 'collectionMember:collectionIds'

/** Properties with ids of documents that not everybody who reads the property may read. */
export const HIDING_LISTS: readonly string[] = [MEMBERS, COLLECTIONS]

/** Whether one place of a list is named: that something is there counts what is hidden before it. */
const isOfOnePlace = ({ name }: Reference, model: ContentModel): boolean =>
  model.resolve(name)?.steps.some((step) => typeof step === 'number') ?? false

/**
 * Whether somebody who asks must know what is compared with: an id that is named, anywhere in the list. That there is another
 * one than those that are named, or any, would show that some are hidden.
 */
const isOfNamedValues = (condition: Condition, model: ContentModel): boolean =>
  !referencesOf(condition).some((reference) => isOfOnePlace(reference, model)) &&
  ((condition.kind === 'in' && !condition.negated) ||
    (condition.kind === 'comparison' &&
      condition.operator === '=' &&
      condition.left.kind === 'reference' &&
      condition.right.kind === 'string'))

const referencesOf = (condition: Condition): readonly Reference[] =>
  condition.kind === 'comparison'
    ? [condition.left, condition.right].flatMap(referencesIn)
    : [condition.reference]

/** What a query shows values of: all that it names, but what it compares with values that its caller knows. */
const shownBy = ({ select, where, orderBy }: Query, model: ContentModel): readonly Reference[] => [
  ...(select.kind === 'items' ? select.items.flatMap(({ operand }) => referencesIn(operand)) : []),
  ...(where ? conditionsOf(where) : [])
    .filter((condition) => !isOfNamedValues(condition, model))
    .flatMap(referencesOf),
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
  const shown = [...shownBy(query, model), ...others].find((reference) => isHiding(reference, model))
  if (shown)
    throw fail(
      'forbidden',
      `NXQL: ${shown.name} may have ids that are hidden from '${principal.name}': it is only compared, by = and IN`,
    )
}

import { fail } from '../../../platform/errors/index.js'
import type { Session } from '../session.js'

/** Whoever may read a document may put it into collections, and each reader of it is asked for rights on all of them. */
const MAX_COLLECTIONS = 1_000

/**
 * Refuses others than administrators to put a document into yet another collection.
 *
 * @param count of the collections that it is in then.
 * @param name of the document, for the message.
 * @throws badRequest.
 */
export const requireFewCollections = (
  { principal }: Pick<Session, 'principal'>,
  count: number,
  name: string,
): void => {
  if (count > MAX_COLLECTIONS && !principal.isAdministrator)
    throw fail(
      'badRequest',
      `collection: ${name} is in ${MAX_COLLECTIONS} collections already, as many as users may put a document into`,
    )
}

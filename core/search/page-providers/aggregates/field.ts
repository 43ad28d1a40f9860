import { isSortable, parseReference, type Reference } from '../../../model/nxql/index.js'
import { fail } from '../../../platform/errors/index.js'

/** Search engines write `file:content.length` where NXQL has `file:content/length`. */
export const nxqlField = (field: string): string => field.replaceAll('.', '/')

/** The property of an aggregate as a part of a query. */
export const fieldReference = (field: string): Reference => {
  const name = nxqlField(field)
  const reference = isSortable(name) ? parseReference(name) : undefined
  if (!reference) throw fail('badRequest', `field: '${field}' is not the name of a property`)
  return reference
}

import { IDENTITY_EVENTS } from '../../../access/identity/index.js'
import { fail } from '../../../platform/errors/index.js'
import { REPOSITORY_EVENTS } from '../../../platform/events/index.js'

/**
 * The name of an event that a caller says has happened.
 *
 * @throws badRequest for one of the product, which alone knows.
 */
export const requireCallersEvent = (field: string, name: string): string => {
  if (REPOSITORY_EVENTS.has(name) || IDENTITY_EVENTS.has(name))
    throw fail('badRequest', `${field}: ${name} is an event of the product, which alone may emit it`)
  return name
}

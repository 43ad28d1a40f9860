import { IDENTITY_EVENTS } from '../../../access/identity/index.js'
import { REPOSITORY_EVENTS } from '../../../platform/events/index.js'

/** Whether the product alone knows that an event of this name has happened. */
export const isOfProduct = (name: string): boolean => REPOSITORY_EVENTS.has(name) || IDENTITY_EVENTS.has(name)

import { IDENTITY_EVENTS } from '../../../access/identity/index.js'
import { REPOSITORY_EVENTS } from '../../../platform/events/index.js'
import { normalForm } from '../../../platform/names/index.js'

/** What a name looks like to who reads it: without what is not seen, and in letters of one size. */
const seenAs = (name: string): string =>
  normalForm('NFKC', name)
    .replace(/[\p{Z}\p{C}]/gu, '')
    .toLowerCase()

const OF_PRODUCT = new Set([...REPOSITORY_EVENTS, ...IDENTITY_EVENTS].map(seenAs))

/** Whether the product alone knows that an event of this name has happened, or of one that looks the same. */
export const isOfProduct = (name: string): boolean => OF_PRODUCT.has(seenAs(name))

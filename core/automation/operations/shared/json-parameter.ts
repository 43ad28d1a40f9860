import type { PropertyValue } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import { requireModestJson } from '../../../platform/limits/index.js'

/** What a parameter holds that is given as the text of JSON. @throws badRequest naming it. */
export const jsonIn = (name: string, text: string): PropertyValue => {
  requireModestJson(`${name}:`, text)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw fail('badRequest', `${name}: is not JSON: ${(cause as Error).message}`, { cause })
  }
}

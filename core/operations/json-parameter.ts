import type { PropertyValue } from '../documents/index.js'
import { fail } from '../errors/index.js'

/** What a parameter holds that is given as the text of JSON. @throws badRequest naming it. */
export const jsonIn = (name: string, text: string): PropertyValue => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw fail('badRequest', `${name}: is not JSON: ${(cause as Error).message}`, { cause })
  }
}

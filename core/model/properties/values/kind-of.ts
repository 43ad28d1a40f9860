import type { PropertyValue } from '../types.js'

/**
 * `a text`, `a list`: how messages speak of what they met. Never of what it says: it may be secret, also under a name that
 * does not say so, and messages are not.
 */
export const kindOf = (value: PropertyValue | undefined): string => {
  if (value === null || value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'a map'
  if (typeof value === 'string') return 'a text'
  return typeof value === 'number' ? 'a number' : 'a boolean'
}

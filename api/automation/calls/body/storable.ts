import { fail } from '../../../../core/platform/errors/index.js'

/** The database stores neither NUL nor unpaired surrogates. */
const UNSTORABLE = /\0|\p{Surrogate}/u

const isStorable = (value: unknown): boolean => {
  if (typeof value === 'string') return !UNSTORABLE.test(value)
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isStorable)
  return Object.entries(value).every(([key, inner]) => !UNSTORABLE.test(key) && isStorable(inner))
}

/**
 * Refuses values that a run cannot store between its steps, before it begins.
 *
 * @throws badRequest naming the field.
 */
export const requireStorable = (value: unknown, field: string): void => {
  if (isStorable(value)) return
  const message = 'has a character that cannot be stored (NUL or half a surrogate pair)'
  throw fail('badRequest', `${JSON.stringify(field).slice(1, -1)}: ${message}`)
}

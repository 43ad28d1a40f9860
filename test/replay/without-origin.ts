/** Which process and which files a history came from is nobody's business and no part of a replay. */
const ORIGINS = new Set(['identity', 'stackTrace'])

/** A process's own task queue: its id, its host and more. */
const OWN_QUEUE = /^\d+@\S+$/

/** The same history without what tells where it was recorded. */
export const withoutOrigin = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutOrigin)
  if (typeof value === 'string') return value.replace(OWN_QUEUE, 'worker')
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !ORIGINS.has(key))
      .map(([key, inner]) => [key, withoutOrigin(inner)]),
  )
}

import { shortened } from './shortened.js'

type Json = null | string | number | boolean | Json[] | { [field: string]: Json }

/** Of a name, characters. Longer ones, and more names than so many, are names that somebody has made up. */
const MAX_NAME = 200
const MAX_NAMES = 200

/** Ends a text that was shortened. */
const CUT = '…'

const sizeOf = (value: Json): number => JSON.stringify(value).length

/** A value of the same kind that fits; of lists the first entries, of texts the first characters. */
const fitting = (value: Json, room: number): Json => {
  if (sizeOf(value) <= room) return value
  // Each character may be escaped by six.
  if (typeof value === 'string')
    return shortened(value, Math.floor(sizeOf(value) > 2 * value.length ? room / 6 : room / 2)) + CUT
  if (!Array.isArray(value)) return {}
  const kept: Json[] = []
  let left = room - 2
  for (const entry of value) {
    left -= sizeOf(entry) + 1
    if (left < 0) break
    kept.push(entry)
  }
  return kept
}

/**
 * Values that an event carries, by their names: all where they are so many characters of JSON, else each shortened to its
 * share of these. Names are kept. Each event is in the outbox, the audit and the index.
 */
export const fitted = <Values extends { [name: string]: Json }>(values: Values, most: number): Values => {
  if (sizeOf(values) <= most) return values
  const shown = Object.entries(values)
    .filter(([name]) => name.length <= MAX_NAME)
    .slice(0, MAX_NAMES)
  // What small values leave is for the others.
  const bySize = shown
    .map(([name, value]) => ({ name, value, size: sizeOf(value) }))
    .sort((a, b) => a.size - b.size)
  let room = most
  const kept = new Map<string, Json>()
  for (const [index, { name, value, size }] of bySize.entries()) {
    const share = Math.floor(room / (bySize.length - index))
    kept.set(name, fitting(value, share))
    room -= Math.min(size, share)
  }
  return Object.fromEntries(shown.map(([name]) => [name, kept.get(name) ?? null])) as Values
}

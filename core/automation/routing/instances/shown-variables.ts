import type { PropertyValue } from '../../../model/properties/index.js'
import { shortened } from '../../../platform/limits/index.js'
import type { Variables } from '../model/index.js'

/**
 * What an event carries of each map of variables, characters of JSON: a route may have a mebibyte of them, and each of its
 * events is kept in the outbox, the audit and the index.
 */
const MAX_CHARACTERS = 4_096

/** Of a name, characters. Longer ones, and more names than so many, are no names that a model declares. */
const MAX_NAME = 200
const MAX_NAMES = 200

/** Ends a text that was shortened. */
const CUT = '…'

const sizeOf = (value: PropertyValue): number => JSON.stringify(value).length

/** A value of the same kind that fits; of lists the first entries, of texts the first characters. */
const fitting = (value: PropertyValue, room: number): PropertyValue => {
  if (sizeOf(value) <= room) return value
  // Each character may be escaped by six.
  if (typeof value === 'string')
    return shortened(value, Math.floor(sizeOf(value) > 2 * value.length ? room / 6 : room / 2)) + CUT
  if (!Array.isArray(value)) return {}
  const kept: PropertyValue[] = []
  let left = room - 2
  for (const entry of value) {
    left -= sizeOf(entry) + 1
    if (left < 0) break
    kept.push(entry)
  }
  return kept
}

/**
 * Variables as events show them: all where they are a few thousand characters of JSON, else each shortened to its share of
 * these. Names are kept.
 */
export const shownVariables = (variables: Variables): Variables => {
  if (sizeOf(variables) <= MAX_CHARACTERS) return variables
  const shown = Object.entries(variables)
    .filter(([name]) => name.length <= MAX_NAME)
    .slice(0, MAX_NAMES)
  // What small values leave is for the others.
  const bySize = shown
    .map(([name, value]) => ({ name, value, size: sizeOf(value) }))
    .sort((a, b) => a.size - b.size)
  let room = MAX_CHARACTERS
  const values = new Map<string, PropertyValue>()
  for (const [index, { name, value, size }] of bySize.entries()) {
    const share = Math.floor(room / (bySize.length - index))
    values.set(name, fitting(value, share))
    room -= Math.min(size, share)
  }
  return Object.fromEntries(shown.map(([name]) => [name, values.get(name) ?? null]))
}

import type { PropertyValue } from '../../../model/properties/index.js'
import type { Directory, DirectoryEntry, EntryQuery } from '../types.js'
import { wordsOf } from './words.js'

const isNothing = (value: PropertyValue | undefined): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0)

const equals = (value: PropertyValue | undefined, wanted: PropertyValue): boolean => {
  if (isNothing(wanted)) return isNothing(value)
  if (Array.isArray(value) && !Array.isArray(wanted)) return value.includes(wanted)
  return JSON.stringify(value) === JSON.stringify(wanted)
}

/** Whether an entry in memory matches a query, as stores decide it for theirs. */
export const matches = (
  { filters }: Directory,
  { properties }: DirectoryEntry,
  { filter = {}, fulltext = [] }: EntryQuery,
): boolean => {
  const holds = ([field, wanted]: [string, PropertyValue]): boolean => {
    const value = properties[field]
    if (!fulltext.includes(field)) return equals(value, wanted)
    const text = String(value ?? '').toLowerCase()
    return (
      !isNothing(value) && wordsOf(String(wanted ?? '').toLowerCase()).every((word) => text.includes(word))
    )
  }
  return Object.entries({ ...filters, ...filter }).every(holds)
}

const compare = (a: PropertyValue | undefined, b: PropertyValue | undefined): number => {
  if (isNothing(a) || isNothing(b)) return Number(isNothing(a)) - Number(isNothing(b))
  if (typeof a === 'number' && typeof b === 'number') return a - b
  const [left, right] = [String(a).toLowerCase(), String(b).toLowerCase()]
  return left < right ? -1 : Number(left > right)
}

/** Entries in the order that a query asks for, then in the directory's own: `ordering`, then id. */
export const sortEntries = (
  entries: readonly DirectoryEntry[],
  { orderBy = [] }: EntryQuery,
): DirectoryEntry[] =>
  entries.toSorted((a, b) => {
    for (const { field, isDescending } of [...orderBy, { field: 'ordering', isDescending: false }]) {
      const order = compare(a.properties[field], b.properties[field])
      if (order !== 0) return isDescending ? -order : order
    }
    return a.id < b.id ? -1 : Number(a.id > b.id)
  })

import type { KnownNames } from './types.js'
import { unknownName } from './unknown-name.js'

const NAMING = /\b(?:businessDays|getLimitDate)\s*\(\s*(["'])([^"'\\]+)\1/g

/** Durations that an expression names and nothing has deployed: its date is null then. */
export const unknownDurations = (text: string, names: KnownNames): { at: number; message: string }[] =>
  [...text.matchAll(NAMING)].flatMap(({ index, 2: name = '' }) => {
    const message = unknownName('duration', name, names)
    return message === undefined ? [] : [{ at: index, message: `the date is null: ${message}` }]
  })

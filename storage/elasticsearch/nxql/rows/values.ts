import type { ValuePlace } from '../../../../core/model/nxql/index.js'
import type { PropertyValue } from '../../../../core/model/properties/index.js'
import { notAnswerable } from '../not-answerable.js'

/** A number that the engine has given, with all its digits. @throws NotAnswerable where some may be missing. */
export const exactNumber = (value: number): number => {
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return value
  throw notAnswerable('a number has more digits than the index gives')
}

/** A value of a field as the engine gives it, as rows have it. */
export const rowValue = (
  type: ValuePlace['type'],
  value: string | number | boolean | null | undefined,
): PropertyValue => {
  if (value === null || value === undefined) return null
  switch (type) {
    case 'number':
      return exactNumber(Number(value))
    case 'date':
      return new Date(Number(value)).toISOString()
    case 'boolean':
      return typeof value === 'string' ? value === 'true' : Boolean(value)
    default:
      return String(value)
  }
}

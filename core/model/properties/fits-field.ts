import { isDeepStrictEqual } from 'node:util'
import { isArchivoltError } from '../../platform/errors/index.js'
import type { Field } from '../content-model/index.js'
import type { PropertyValue } from './types.js'
import { breaksConstraints } from './validate.js'
import { type ReadContext, readValue } from './values/read-value.js'

const stored: ReadContext = {
  isEmptyStringNull: false,
  // Stored blobs stay as they are; only their presence matters.
  readBlob: (json) => json as ReturnType<ReadContext['readBlob']>,
}

/** Whether a stored value could stand in a field as it is: of its type, nothing lost, no constraint broken. */
export const fitsField = (field: Field, value: PropertyValue): boolean => {
  try {
    const read = readValue(field, value, { holder: [], key: 0, xpath: field.name, context: stored })
    return isDeepStrictEqual(withoutNulls(read), withoutNulls(value)) && !breaksConstraints(field, value)
  } catch (error) {
    if (isArchivoltError(error)) return false
    throw error
  }
}

/** Sub-fields that are absent and those that are null are the same. */
const withoutNulls = (value: PropertyValue): PropertyValue => {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, part]) => (part === null ? [] : [[key, withoutNulls(part)]])),
  )
}

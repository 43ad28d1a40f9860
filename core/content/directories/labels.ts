import type { Directory, DirectoryEntry } from './types.js'

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/**
 * The label of an entry in a language: its field for that language, then the plain field, the English one, and
 * at last its id.
 *
 * @param field `label`, or the field used instead, e.g. `grouplabel`.
 */
export const labelOf = (
  { properties, id }: DirectoryEntry,
  { field = 'label', language = 'en' }: { field?: string; language?: string } = {},
): string =>
  text(properties[`${field}_${language.split(/[_-]/)[0]!.toLowerCase()}`]) ??
  text(properties[field]) ??
  text(properties[`${field}_en`]) ??
  id

/** Whether an entry is obsolete: no longer suggested. */
export const isObsolete = ({ properties }: DirectoryEntry): boolean => Number(properties.obsolete ?? 0) > 0

/** Whether entries have a field, itself or one for each language. */
export const hasLabelField = ({ schema }: Directory, field: string): boolean =>
  [...schema.fields.keys()].some((name) => name === field || name.startsWith(`${field}_`))

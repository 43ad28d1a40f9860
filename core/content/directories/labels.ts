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

const messageKey = (directory: string, id: string): string => `label.directories.${directory}.${id}`

/** The values of an entry as clients read them: a label of the product is the key of a message. */
export const withMessageKey = (
  { name, labels }: Directory,
  { id, properties }: DirectoryEntry,
): DirectoryEntry['properties'] => {
  const label = labels?.get(id)
  return label !== undefined && properties.label === label
    ? { ...properties, label: messageKey(name, id) }
    : properties
}

/** The values to store of those that a client sends: what it has read may be sent back. */
export const withoutMessageKey = (
  { name, labels }: Directory,
  { id, properties }: DirectoryEntry,
): DirectoryEntry['properties'] => {
  const label = labels?.get(id)
  return label !== undefined && properties.label === messageKey(name, id)
    ? { ...properties, label }
    : properties
}

/** Whether an entry is obsolete: no longer suggested. */
export const isObsolete = ({ properties }: DirectoryEntry): boolean => Number(properties.obsolete ?? 0) > 0

/** Whether entries have a field, itself or one for each language. */
export const hasLabelField = ({ schema }: Directory, field: string): boolean =>
  [...schema.fields.keys()].some((name) => name === field || name.startsWith(`${field}_`))

import { fail } from '../../platform/errors/index.js'

/** A path is looked up by an index, and the entries of one may end at 2,704 bytes. */
const MAX_PATH_BYTES = 2_500
// biome-ignore lint/suspicious/noControlCharactersInRegex: NUL cannot be stored, the others make paths unreadable
const CONTROL = /[\u0000-\u001f\u007f]/g

/**
 * A name as it is stored: as sent, except that slashes become dashes (rest-documents.md §3).
 *
 * @throws badRequest for `.`, `..` and names that start with `@`, which no path could ever reach.
 */
export const documentName = (name: string): string => {
  const stored = name.trim().replace(CONTROL, '').replaceAll('/', '-').replaceAll('\\', '-')
  if (stored === '') return String(Math.floor(Math.random() * Number.MAX_SAFE_INTEGER))
  if (stored === '.' || stored === '..' || stored.startsWith('@'))
    throw fail('badRequest', `name: '${name}' is not a legal name`)
  return stored
}

/** Refuses a path that is too long for an index; `field` is what made it so long. @throws badRequest. */
export const requirePathLength = (bytes: number, field: string): void => {
  if (bytes > MAX_PATH_BYTES)
    throw fail('badRequest', `${field}: the path is longer than ${MAX_PATH_BYTES} bytes`)
}

/** The absolute path of a child. */
export const childPath = (parentPath: string, name: string): string => {
  const path = parentPath === '/' ? `/${name}` : `${parentPath}/${name}`
  requirePathLength(Buffer.byteLength(path), 'name')
  return path
}

/** Canonical spelling of a path that a caller wrote: single slashes, none at the end. */
export const canonicalPath = (path: string): string => {
  const parts = path.split('/').filter((part) => part !== '')
  return `/${parts.join('/')}`
}
/** The alternative to a taken name: a clash never fails (rest-documents.md §3). */
export const alternativeName = (name: string, now: Date, attempt: number): string =>
  `${name}.${now.getTime() + attempt}`

/** Names of what was trashed by itself, in a regular expression that stores and JavaScript read alike. */
export const TRASHED_NAME = '\\._[0-9]+_\\.trashed$'

/** `{name}._{epochMs}_.trashed`: the name is free for others while the document is in the trash. */
export const trashedName = (name: string, now: Date): string => `${name}._${now.getTime()}_.trashed`

export const isTrashedName = (name: string): boolean => new RegExp(TRASHED_NAME).test(name)

/** The name that a document had before it was trashed; any other name as it is. */
export const untrashedName = (name: string): string => name.replace(new RegExp(TRASHED_NAME), '') || name

import { fail } from '../errors/index.js'

/** PostgreSQL's index tuples end at 2,704 bytes, and a path is one. */
const MAX_PATH_BYTES = 2_500
// biome-ignore lint/suspicious/noControlCharactersInRegex: NUL cannot be stored, the others make paths unreadable
const CONTROL = /[\u0000-\u001f\u007f]/g

/**
 * A name as it is stored: kept as sent but for slashes, which become dashes (rest-documents.md §3).
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

/** The absolute path of a child. */
export const childPath = (parentPath: string, name: string): string => {
  const path = parentPath === '/' ? `/${name}` : `${parentPath}/${name}`
  if (Buffer.byteLength(path) > MAX_PATH_BYTES)
    throw fail('badRequest', `name: the path is longer than ${MAX_PATH_BYTES} bytes`)
  return path
}

/** Canonical spelling of a path that a caller wrote: single slashes, none at the end. */
export const canonicalPath = (path: string): string => {
  const parts = path.split('/').filter((part) => part !== '')
  return `/${parts.join('/')}`
}
/** The name that a taken one gives way to: a clash never fails (rest-documents.md §3). */
export const alternativeName = (name: string, now: Date, attempt: number): string =>
  `${name}.${now.getTime() + attempt}`

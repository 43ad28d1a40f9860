import type { Properties } from '../../model/properties/index.js'
import { fail } from '../../platform/errors/index.js'
import { backendOf, type DirectorySession } from './backends/backend.js'
import { withInverses } from './references.js'
import { mayRead } from './rights.js'
import type { Directory, DirectoryEntry, EntryQuery, FoundEntries } from './types.js'

/** @throws notFound when no directory has the name. */
export const requireDirectory = (
  { directories }: Pick<DirectorySession, 'directories'>,
  name: string,
): Directory => {
  const directory = directories.registry.get(name)
  if (!directory) throw fail('notFound', `directory with name: ${name} does not exist`)
  return directory
}

/** An entry with all fields of its schema; passwords never leave this module, and read as null. */
const shown = ({ schema, passwordField }: Directory, { id, properties }: DirectoryEntry): DirectoryEntry => {
  const all: Properties = {}
  for (const field of schema.fields.keys()) all[field] = properties[field] ?? null
  if (passwordField !== null) all[passwordField] = ''
  return { id, properties: all }
}

/**
 * The entry of an id; undefined when there is none, or the caller may not read the directory.
 *
 * @throws notFound when there is no such directory.
 */
export const getEntry = async (
  session: DirectorySession,
  name: string,
  id: string,
): Promise<DirectoryEntry | undefined> => (await getEntries(session, name, [id]))[0]

/**
 * Entries in the order of the ids, with one read of the directory. Unknown ids are left out, and
 * all of them when the caller may not read the directory.
 *
 * @throws notFound when there is no such directory.
 */
export const getEntries = async (
  session: DirectorySession,
  name: string,
  ids: readonly string[],
): Promise<DirectoryEntry[]> => {
  const directory = requireDirectory(session, name)
  const storable = ids.filter((id) => !id.includes('\0'))
  if (storable.length === 0 || !mayRead(session.principal, directory)) return []
  const found = await backendOf(session, directory).getMany(storable)
  return (await withInverses(session, directory, found)).map((entry) => shown(directory, entry))
}

/**
 * What a query finds; nothing when the caller may not read the directory.
 *
 * @throws notFound when there is no such directory, badRequest for a field that its schema does not have, or
 * when there are more results than the directory allows.
 */
export const findEntries = async (
  session: DirectorySession,
  name: string,
  query: EntryQuery = {},
): Promise<FoundEntries> => {
  const directory = requireDirectory(session, name)
  requireFields(directory, query)
  if (!mayRead(session.principal, directory)) return { entries: [], total: 0 }
  const found = await backendOf(session, directory).find(query)
  const limit = query.limit ?? Number.POSITIVE_INFINITY
  const { querySizeLimit } = directory
  if (querySizeLimit > 0 && found.total > querySizeLimit && limit > querySizeLimit)
    throw fail(
      'badRequest',
      `Directory '${name}' returns at most ${querySizeLimit} entries; narrow the search, which matches ${found.total}`,
    )
  const entries = await withInverses(session, directory, found.entries)
  return { entries: entries.map((entry) => shown(directory, entry)), total: found.total }
}

const requireFields = (
  { name, schema, passwordField }: Directory,
  { filter = {}, fulltext = [], orderBy = [] }: EntryQuery,
): void => {
  const named = [...Object.keys(filter), ...fulltext, ...orderBy.map(({ field }) => field)]
  for (const field of named)
    if (!schema.fields.has(field) || field === passwordField)
      throw fail('badRequest', `directory '${name}' cannot be searched by field '${field}'`)
}

import type { PropertyValue } from '../../model/properties/index.js'
import { fail } from '../../platform/errors/index.js'
import { backendOf, type DirectorySession } from './backends/backend.js'
import { changingDirectories } from './changing.js'
import { withoutMessageKey } from './labels.js'
import { getEntry, requireDirectory } from './read.js'
import { dropReferences, withoutInverses, writeInverses } from './references.js'
import { mayRead, requireWrite } from './rights.js'
import type { Directory, DirectoryEntry } from './types.js'
import { entryOf, idOf, readValues } from './values.js'

/** Values as a caller sends them, by the bare names of fields; those that the schema does not have are ignored. */
export type EntryInput = { readonly [field: string]: unknown }

/** Deeper than any hierarchy of entries: ends the iteration to the top. */
const MAX_DEPTH = 100

/**
 * Adds an entry. A directory that numbers its entries chooses the id itself.
 *
 * @throws notFound without such a directory, forbidden, badRequest for values that do not fit or no id,
 *   conflict when the id is taken.
 */
export const createEntry = (
  session: DirectorySession,
  name: string,
  input: EntryInput,
): Promise<DirectoryEntry> => changingDirectories(session, (changed) => create(changed, name, input))

const create = async (
  session: DirectorySession,
  name: string,
  input: EntryInput,
): Promise<DirectoryEntry> => {
  const directory = requireDirectory(session, name)
  requireWrite(session, directory)
  const id = directory.autoincrementIdField ? await session.directories.store.nextId(directory) : undefined
  const entry = await entryOf(directory, id === undefined ? input : { ...input, [directory.idField]: id })
  const properties = withoutMessageKey(directory, entry)
  const stored = { id: entry.id, properties: withoutInverses(directory, properties) }
  if (!(await backendOf(session, directory).insert(stored)))
    throw fail('conflict', `Entry '${entry.id}' already exists in directory '${name}'`)
  await writeInverses(session, directory, entry)
  return written(session, directory, entry.id)
}

/**
 * Changes the values that are sent, null clears; an empty password leaves the present one.
 *
 * @throws notFound without such a directory or entry, forbidden, badRequest for values that do not fit, for
 *   another id, or for a parent below the entry itself.
 */
export const updateEntry = (
  session: DirectorySession,
  name: string,
  change: { id: string; values: EntryInput },
): Promise<DirectoryEntry> => changingDirectories(session, (changed) => update(changed, name, change))

const update = async (
  session: DirectorySession,
  name: string,
  { id, values: input }: { id: string; values: EntryInput },
): Promise<DirectoryEntry> => {
  const directory = requireDirectory(session, name)
  requireWrite(session, directory)
  const values = await readValues(directory, input)
  const sentId = idOf(directory, values)
  if (sentId !== undefined && sentId !== id)
    throw fail('badRequest', `properties.${directory.idField}: the id of entry '${id}' cannot be changed`)
  const { [directory.idField]: _id, ...changes } = values
  await requireNoCycle(session, directory, id, changes.parent)
  const entry = { id, properties: { ...changes, ...directory.filters } }
  const stored = { id, properties: withoutInverses(directory, withoutMessageKey(directory, entry)) }
  if (id.includes('\0') || !(await backendOf(session, directory).update(stored))) throw noSuchEntry(name, id)
  await writeInverses(session, directory, entry)
  return written(session, directory, id)
}

/**
 * Removes an entry, also from the lists of ids that name it.
 *
 * @throws notFound without such a directory or entry, forbidden, conflict while entries of a directory below,
 *   or of one that its constraints name, point at it.
 */
export const deleteEntry = (session: DirectorySession, name: string, id: string): Promise<void> =>
  changingDirectories(session, (changed) => remove(changed, name, id))

const remove = async (session: DirectorySession, name: string, id: string): Promise<void> => {
  const directory = requireDirectory(session, name)
  requireWrite(session, directory)
  if (id.includes('\0')) throw noSuchEntry(name, id)
  await requireUnused(session, directory, id)
  if (!(await backendOf(session, directory).remove(id))) throw noSuchEntry(name, id)
  await dropReferences(session, directory, id)
}

export const noSuchEntry = (name: string, id: string) =>
  fail('notFound', `Entry '${id}' does not exist in directory '${name}'`)

/** To a writer who may not read, only the id is returned. */
const written = async (session: DirectorySession, { name, idField }: Directory, id: string) =>
  (await getEntry(session, name, id)) ?? { id, properties: { [idField]: id } }

const requireUnused = async (session: DirectorySession, directory: Directory, id: string): Promise<void> => {
  const { registry, store } = session.directories
  const below = [...registry.values()]
    .filter(({ parentDirectory }) => parentDirectory === directory.name)
    .map(({ name }) => ({ directory: name, field: 'parent' }))
  for (const { directory: name, field } of [...below, ...directory.deleteConstraints]) {
    const over = registry.get(name)!
    const [first] = await store.referencing(over, field, [id])
    if (!first) continue
    const user = mayRead(session.principal, over)
      ? `entry '${first.id}' of directory '${name}'`
      : 'another one'
    throw fail('conflict', `Entry '${id}' is used by ${user}`)
  }
}

const requireNoCycle = async (
  session: DirectorySession,
  directory: Directory,
  id: string,
  parent: PropertyValue | undefined,
): Promise<void> => {
  if (directory.parentDirectory !== directory.name) return
  const backend = backendOf(session, directory)
  let above = parent
  for (let depth = 0; typeof above === 'string' && above !== '' && depth < MAX_DEPTH; depth++) {
    if (above === id) throw fail('badRequest', `properties.parent: entry '${id}' would be its own parent`)
    above = (await backend.get(above))?.properties.parent
  }
}

import { isHashed } from '../../../access/identity/index.js'
import type { Properties } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import { mayRead, requireWrite } from '../rights.js'
import type { Directory, DirectoryEntry, MultiSource } from '../types.js'
import { type Backend, backendOf, type DirectorySession } from './backend.js'
import { matches, sortEntries } from './in-memory.js'

type SubDirectory = MultiSource['subDirectories'][number]

const renamed = (properties: Properties, names: { [field: string]: string }): Properties =>
  Object.fromEntries(Object.entries(properties).map(([field, value]) => [names[field] ?? field, value]))

const inverted = (names: { [over: string]: string }): { [here: string]: string } =>
  Object.fromEntries(Object.entries(names).map(([over, here]) => [here, over]))

/**
 * A directory that joins others (reference: security.md §8, multi). Within a source, entries of the same id are one; an
 * entry that is missing from a sub-directory which is not optional is not there at all. Of several sources the
 * first that has an id returns the entry. Conditions are evaluated here, on all entries, so its sources should
 * be no larger than vocabularies are.
 */
export const createMultiBackend = (session: DirectorySession, directory: Directory): Backend => {
  const opened = directory.sources.map((source) => ({
    source,
    parts: source.subDirectories.map((sub) => {
      const over = session.directories.registry.get(sub.name)
      if (!over) throw fail('notFound', `No such directory: ${sub.name}`)
      return { sub, over, backend: withinRights(session, over) }
    }),
  }))
  type Opened = (typeof opened)[number]

  const joined = ({ source }: Opened, found: readonly (DirectoryEntry | undefined)[]) => {
    if (found.every((entry) => entry === undefined)) return undefined
    const isIncomplete = source.subDirectories.some(({ isOptional }, index) => !isOptional && !found[index])
    if (isIncomplete) return undefined
    const id = found.find((entry) => entry !== undefined)!.id
    const properties = found.map((entry, index) =>
      renamed(entry?.properties ?? {}, source.subDirectories[index]!.fields),
    )
    return { id, properties: { ...Object.assign({}, ...properties.reverse()), [directory.idField]: id } }
  }

  const allOf = async (from: Opened): Promise<DirectoryEntry[]> => {
    const lists = await inSequence(from.parts, async ({ backend }) => (await backend.find({})).entries)
    const byId = lists.map((list) => new Map(list.map((entry) => [entry.id, entry])))
    const ids = new Set(lists.flat().map(({ id }) => id))
    return [...ids].flatMap(
      (id) =>
        joined(
          from,
          byId.map((entries) => entries.get(id)),
        ) ?? [],
    )
  }

  const get: Backend['get'] = async (id) => {
    for (const from of opened) {
      const entry = joined(from, await inSequence(from.parts, ({ backend }) => backend.get(id)))
      if (entry) return entry
    }
    return undefined
  }

  const all = async (): Promise<DirectoryEntry[]> => {
    const entries = new Map<string, DirectoryEntry>()
    for (const from of opened)
      for (const entry of await allOf(from)) if (!entries.has(entry.id)) entries.set(entry.id, entry)
    return [...entries.values()]
  }

  const sourceOf = async (id: string): Promise<Opened | undefined> => {
    for (const from of opened)
      if (joined(from, await inSequence(from.parts, ({ backend }) => backend.get(id)))) return from
    return undefined
  }

  /** The part of an entry that a sub-directory holds, under its own names. */
  const partOf = ({ id, properties }: DirectoryEntry, sub: SubDirectory, over: Directory): DirectoryEntry => {
    const named = renamed(properties, inverted(sub.fields))
    const own = Object.entries(named).filter(
      ([field, value]) =>
        over.schema.fields.has(field) && (field !== over.passwordField || isHashed(String(value))),
    )
    return { id, properties: { ...Object.fromEntries(own), [over.idField]: id } }
  }

  return {
    get,
    getMany: async (ids) => {
      const byId = new Map((await all()).map((entry) => [entry.id, entry]))
      return ids.flatMap((id) => byId.get(id) ?? [])
    },
    find: async (query) => {
      const found = sortEntries(
        (await all()).filter((entry) => matches(directory, entry, query)),
        query,
      )
      const { offset = 0, limit = found.length } = query
      return { entries: found.slice(offset, offset + limit), total: found.length }
    },
    insert: async (entry) => {
      const creation = opened.find(({ source }) => source.isCreation)
      if (!creation) throw fail('badRequest', `Directory '${directory.name}' has no source for new entries`)
      if (await get(entry.id)) return false
      const inserted = await inSequence(creation.parts, ({ sub, over, backend }) =>
        backend.insert(partOf(entry, sub, over)),
      )
      if (inserted.some((isNew) => !isNew))
        throw fail(
          'conflict',
          `Entry '${entry.id}' already exists in a part of directory '${directory.name}'`,
        )
      return true
    },
    update: async (entry) => {
      const from = await sourceOf(entry.id)
      if (!from) return false
      for (const { sub, over, backend } of from.parts) {
        const part = partOf(entry, sub, over)
        if (!(await backend.update(part))) await backend.insert(part)
      }
      return true
    },
    remove: async (id) => {
      const from = await sourceOf(id)
      if (!from) return false
      await inSequence(from.parts, ({ backend }) => backend.remove(id))
      return true
    },
  }
}

/** A part is as empty, and as closed, as its directory is to the caller; passwords are hidden (reference: security.md §8). */
const withinRights = (session: DirectorySession, over: Directory): Backend => {
  const backend = backendOf(session, over)
  const isReadable = mayRead(session.principal, over)
  const { passwordField } = over
  const shown = ({ id, properties }: DirectoryEntry): DirectoryEntry => {
    if (passwordField === null) return { id, properties }
    const { [passwordField]: _hash, ...others } = properties
    return { id, properties: others }
  }
  return {
    get: async (id) => {
      const entry = isReadable ? await backend.get(id) : undefined
      return entry && shown(entry)
    },
    getMany: async (ids) => (isReadable ? (await backend.getMany(ids)).map(shown) : []),
    find: async (query) => {
      if (!isReadable) return { entries: [], total: 0 }
      const { entries, total } = await backend.find(query)
      return { entries: entries.map(shown), total }
    },
    insert: async (entry) => {
      requireWrite(session, over)
      return backend.insert(entry)
    },
    update: async (entry) => {
      requireWrite(session, over)
      return backend.update(entry)
    },
    remove: async (id) => {
      requireWrite(session, over)
      return backend.remove(id)
    },
  }
}

/** One after the other: they share a connection. */
const inSequence = async <Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> => {
  const results: Result[] = []
  for (const item of items) results.push(await work(item))
  return results
}

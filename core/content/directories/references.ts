import type { Properties } from '../../model/properties/index.js'
import type { DirectorySession } from './backends/backend.js'
import { mayRead, requireWrite } from './rights.js'
import type { Directory, DirectoryEntry } from './types.js'

const inversesOf = ({ references }: Directory) =>
  [...references].flatMap(([field, { directory, inverseOf }]) =>
    inverseOf === undefined ? [] : [{ field, directory, inverseOf }],
  )

/**
 * Fills the fields that the other side stores: the ids of the entries there that name these, none where
 * the caller may not read.
 */
export const withInverses = async (
  { principal, directories: { registry, store } }: DirectorySession,
  directory: Directory,
  entries: readonly DirectoryEntry[],
): Promise<readonly DirectoryEntry[]> => {
  let filled = entries
  for (const { field, directory: name, inverseOf } of inversesOf(directory)) {
    const over = registry.get(name)
    if (!over || entries.length === 0) continue
    const ids = entries.map(({ id }) => id)
    const found = mayRead(principal, over) ? await store.referencing(over, inverseOf, ids) : []
    filled = filled.map(({ id, properties }) => ({
      id,
      properties: {
        ...properties,
        [field]: found.filter(({ value }) => value === id).map((reference) => reference.id),
      },
    }))
  }
  return filled
}

const idsIn = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

/** The values that an entry stores itself: values of inverse references are stored on the other side. */
export const withoutInverses = (directory: Directory, properties: Properties): Properties => {
  const inverse = new Set(inversesOf(directory).map(({ field }) => field))
  return Object.fromEntries(Object.entries(properties).filter(([field]) => !inverse.has(field)))
}

/**
 * Makes the entries on the other side name an entry, or no longer, by its inverse fields.
 *
 * @throws forbidden when that changes a directory that the caller may not write.
 */
export const writeInverses = async (
  session: DirectorySession,
  directory: Directory,
  { id, properties }: DirectoryEntry,
): Promise<void> => {
  const { registry, store } = session.directories
  for (const { field, directory: name, inverseOf } of inversesOf(directory)) {
    const over = registry.get(name)
    if (!over || !(field in properties)) continue
    const wanted = new Set(idsIn(properties[field]))
    // What was returned to a caller who may not read the other side, and is sent back.
    if (wanted.size === 0 && !mayRead(session.principal, over)) continue
    const current = new Set((await store.referencing(over, inverseOf, [id])).map((reference) => reference.id))
    const changed = [...wanted, ...current].filter((other) => wanted.has(other) !== current.has(other))
    if (changed.length > 0) requireWrite(session, over)
    for (const other of await store.getMany(over, changed)) {
      const kept = idsIn(other.properties[inverseOf]).filter((value) => value !== id)
      await store.update(over, other.id, { [inverseOf]: wanted.has(other.id) ? [...kept, id] : kept })
    }
  }
}

/** Removes a removed entry from the lists that name it. */
export const dropReferences = async (
  { directories: { registry, store } }: DirectorySession,
  { name }: Directory,
  id: string,
): Promise<void> => {
  for (const other of registry.values()) {
    for (const [field, { directory, inverseOf }] of other.references) {
      if (directory !== name || inverseOf !== undefined) continue
      const found = await store.referencing(other, field, [id])
      for (const entry of await store.getMany(
        other,
        found.map((reference) => reference.id),
      ))
        await store.update(other, entry.id, {
          [field]: idsIn(entry.properties[field]).filter((value) => value !== id),
        })
    }
  }
}

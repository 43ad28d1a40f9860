import { type DirectoryEntry, getEntry, withMessageKey } from '../../../../core/content/directories/index.js'
import type { Session } from '../../../../core/content/documents/index.js'
import type { EntityOptions } from '../../entities/index.js'
import type { ResolveReference } from './reference.js'

/** Depth to which entries are nested: a parent may be its own. */
const MAX_DEPTH = 10

type Options = Pick<EntityOptions, 'fetch' | 'translate'> & { languages: readonly string[] }

export type DirectoryEntryEntity = {
  'entity-type': 'directoryEntry'
  directoryName: string
  id: string
  properties: { [field: string]: unknown }
}

/** The label in the first of the caller's languages that the entry knows. */
const translated = (
  properties: DirectoryEntry['properties'],
  field: string,
  languages: readonly string[],
) => {
  for (const language of languages) {
    const text = properties[`${field}_${language}`]
    if (text) return text
  }
  return properties[field] ?? properties[`${field}_en`] ?? null
}

/**
 * An entry of a directory (rest-documents.md §10), with the requested fields expanded: `parent`, or any
 * field that holds the id of an entry of the parent directory; and translated: `label`.
 */
export const directoryEntryEntity = async (
  session: Session,
  { directory, entry, options }: { directory: string; entry: DirectoryEntry; options: Options },
  depth = 0,
): Promise<DirectoryEntryEntity> => {
  const declared = session.directories.registry.get(directory)
  const properties: { [field: string]: unknown } = {
    ...(declared ? withMessageKey(declared, entry) : entry.properties),
  }
  for (const field of options.translate)
    properties[field] = translated(entry.properties, field, options.languages)
  const parentDirectory = declared?.parentDirectory
  for (const field of options.fetch) {
    const id = entry.properties[field]
    if (!parentDirectory || typeof id !== 'string' || id === '' || depth >= MAX_DEPTH) continue
    const parent = await getEntry(session, parentDirectory, id)
    if (parent)
      properties[field] = await directoryEntryEntity(
        session,
        { directory: parentDirectory, entry: parent, options },
        depth + 1,
      )
  }
  return { 'entity-type': 'directoryEntry', directoryName: directory, id: entry.id, properties }
}

/** An entry of the directory that the field declares; the last step of a path `parent/child` is its id. */
export const resolveDirectoryEntry: ResolveReference = async (value, { directory }, context) => {
  const { session, languages } = context
  if (directory === undefined || !session.directories.registry.has(directory)) return undefined
  const entry =
    (await getEntry(session, directory, value)) ??
    (value.includes('/')
      ? await getEntry(session, directory, value.slice(value.lastIndexOf('/') + 1))
      : undefined)
  if (!entry) return undefined
  const { fetch, translate } = context.options('directoryEntry')
  return directoryEntryEntity(session, { directory, entry, options: { fetch, translate, languages } })
}

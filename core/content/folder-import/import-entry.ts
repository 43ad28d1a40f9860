import { basename, join } from 'node:path'
import type { DocumentRecord } from '../../model/properties/index.js'
import { blobKey, isBlobValue } from '../../model/properties/index.js'
import { childPath, createDocument, documentName, type Session } from '../documents/index.js'
import { type Metadata, withTexts } from './metadata.js'
import { type FileReading, storeServerFile } from './read-file.js'
import type { FoundEntry } from './walk.js'

/** A folder of the server that becomes documents (blobs-conversions.md §7, bulk importer). */
export type BulkImport = {
  /** With links followed. */
  root: string
  /** Path of the folder that takes it. */
  target: string
  leafType: string
  folderishType: string
  /** Whether the folder itself becomes a document, too. */
  hasContainer: boolean
}

/** What an entry came to; `unchanged`: it was there already. */
export type EntryOutcome = 'created' | 'updated' | 'unchanged'

type Importing = {
  session: Session
  files: FileReading
  metadata: Metadata
  warn: (message: string) => void
}

const pathOf = (parent: string, names: readonly string[]): string =>
  names.reduce((path, name) => childPath(path, documentName(name)), parent)

/** Names of the folders that lead to an entry below the target, its own the last. */
const placeOf = ({ root, hasContainer }: BulkImport, path: string): string[] => [
  ...(hasContainer ? [basename(root)] : []),
  ...path.split('/').filter((name) => name !== ''),
]

const hasFile = (document: DocumentRecord, key: string): boolean => {
  const blob = document.properties['file:content']
  return isBlobValue(blob) && blobKey(blob) === key
}

/**
 * Makes a document of a folder or a file. A folder that is there is reused, and so is a document of the same name and
 * file; another one of that name stays beside the new one.
 *
 * @throws as `createDocument`; badRequest for a file that cannot be read, tooLarge.
 */
export const importEntry = async (
  bulk: BulkImport,
  { path, isFolder }: FoundEntry,
  { session, files, metadata, warn }: Importing,
): Promise<EntryOutcome> => {
  const place = placeOf(bulk, path)
  const name = place.at(-1)
  if (name === undefined) return 'unchanged'
  const parent = pathOf(bulk.target, place.slice(0, -1))
  const there = await session.stores.documents.get(pathOf(parent, [name]))
  const type = isFolder ? bulk.folderishType : bulk.leafType
  if (isFolder && there) return 'unchanged'
  const content = isFolder ? undefined : await storeServerFile(join(bulk.root, path), files)
  if (there && content && hasFile(there, blobKey(content))) return 'unchanged'
  const given = { 'dc:title': name, ...(content && { 'file:content': content }) }
  const properties = await withTexts(session, type, { texts: metadata, given, warn })
  await createDocument(session, { parent, name, type, properties })
  return 'created'
}

import { text } from 'node:stream/consumers'
import type { ZippedEntry } from '../../platform/archives/index.js'
import { fail } from '../../platform/errors/index.js'
import { type ArchivedDocument, readArchivedDocument } from './archived-document.js'
import { type ImportLimits, requireModest } from './limits.js'

/** The first entry of an archive of documents. */
export const MARK = '.nuxeo-archive'

const DOCUMENT = '/document.xml'

export const isDocument = ({ name }: Pick<ZippedEntry, 'name'>): boolean => name.endsWith(DOCUMENT)

/** @property blob the file of a name beside the document. */
export type PlacedDocument = ArchivedDocument & {
  /** Names of the folders that lead to it, its own the last. */
  place: readonly string[]
  source: string
  blob(name: string): ZippedEntry | undefined
}

/** Tags and attributes of all documents together. */
const MAX_PARTS = 2_000_000

/** @property packed bytes of the archive itself. */
type Limits = ImportLimits & { packed: number }

/** The bytes of an entry. @throws from the iterator: badRequest for one that is broken, or is not as long as it says. */
export async function* unpacked({ name, open }: ZippedEntry): AsyncGenerator<Uint8Array> {
  try {
    yield* await open()
  } catch (error) {
    throw fail('badRequest', `${name} cannot be unpacked: ${(error as Error).message}`, { cause: error })
  }
}

const requireDocuments = (entries: readonly ZippedEntry[], limits: Limits): readonly ZippedEntry[] => {
  if (entries[0]?.name !== MARK)
    throw fail('badRequest', `The file is no archive of documents: its first entry is not ${MARK}`)
  requireModest(entries, limits)
  const documents = entries.filter(isDocument)
  if (documents.length > limits.documents)
    throw fail(
      'tooLarge',
      `The archive has ${documents.length} documents, of ${limits.documents} at most: import it in parts`,
    )
  const long = documents.find(({ length }) => length > limits.document)
  if (long) throw fail('tooLarge', `${long.name} has ${long.length} bytes, of ${limits.document} at most`)
  return documents
}

/**
 * The documents of an archive in its order, one after the other: what is in memory is one of them.
 *
 * @throws from the iterator: badRequest for what is no such archive, tooLarge beyond the limits.
 */
export async function* documentsIn(
  entries: readonly ZippedEntry[],
  limits: Limits,
): AsyncGenerator<PlacedDocument> {
  const documents = requireDocuments(entries, limits)
  const byName = new Map(entries.map((entry) => [entry.name, entry]))
  let parts = 0
  const count = (added: number): void => {
    parts += added
    if (parts > MAX_PARTS)
      throw fail('tooLarge', `The archive has more than ${MAX_PARTS} tags and attributes: import it in parts`)
  }
  for (const entry of documents) {
    const { name: source } = entry
    const folder = source.slice(0, -DOCUMENT.length)
    const place = folder.split('/').filter((part) => part !== '')
    yield {
      ...readArchivedDocument(source, await text(unpacked(entry)), count),
      place,
      source,
      blob: (name) => byName.get(`${folder}/${name}`),
    }
  }
}

import type { BlobStore } from '../../files/blobs/index.js'
import { blobKey, type DocumentRecord } from '../../model/properties/index.js'
import { type ZipEntry, zipOf } from '../../platform/archives/index.js'
import { blobsOf, getChildren, type Session } from '../documents/index.js'
import { permittedBlobs } from '../download-permissions/index.js'
import { type ArchiveLimits, createMeter, type Meter } from './limits.js'
import { readableXml } from './readable-xml.js'

/** Marks the kind of archive for its readers. */
const MARK = '.nuxeo-archive'

const none = async function* (): AsyncGenerator<Uint8Array> {}

const empty = (name: string): ZipEntry => ({ name, length: 0, open: none })

const bytes = (name: string, content: Uint8Array): ZipEntry => ({
  name,
  length: content.length,
  open: async function* () {
    yield content
  },
})

type Source = { session: Session; blobs: BlobStore; spend: Meter }

async function* entriesOf(
  { session, blobs, spend }: Source,
  document: DocumentRecord,
): AsyncGenerator<ZipEntry> {
  const folder = document.path?.slice(1) || document.name || 'root'
  spend('documents', 1)
  yield empty(`${folder}/`)
  const xml = bytes(`${folder}/document.xml`, await readableXml(session, document))
  spend('text', xml.length)
  yield xml
  const permitted = await permittedBlobs(session, document, { placed: blobsOf(document), reason: 'export' })
  const files = new Map(permitted.map((blob) => [blobKey(blob), blob]))
  for (const [key, blob] of files) {
    spend('bytes', blob.length)
    yield { name: `${folder}/${key}.blob`, length: blob.length, open: () => blobs.open(blob) }
  }
}

async function* treeOf(source: Source, document: DocumentRecord): AsyncGenerator<ZipEntry> {
  yield* entriesOf(source, document)
  for (const child of await getChildren(source.session, document)) yield* treeOf(source, child)
}

/**
 * The zip archive of a document, or of all below it that the caller may read, parents before children
 * (blobs-conversions.md §7): a folder with `document.xml` for each, its files beside it, read as the archive is.
 *
 * @throws from the iterator: forbidden for a file that the deployment's scripts keep from being downloaded, tooLarge
 *   beyond the limits.
 */
export async function* archiveOf(
  stores: Pick<Source, 'session' | 'blobs'>,
  document: DocumentRecord,
  { isTree, limits }: { isTree: boolean; limits?: ArchiveLimits },
): AsyncGenerator<Uint8Array> {
  const source = { ...stores, spend: createMeter(limits) }
  const entries = async function* () {
    yield empty(MARK)
    yield* isTree ? treeOf(source, document) : entriesOf(source, document)
  }
  yield* zipOf(entries())
}

import type { Ace, Acl } from '../../access/security/index.js'
import type { BlobStore } from '../../files/blobs/index.js'
import type { BlobValue, DocumentRecord } from '../../model/properties/index.js'
import { scanZip, withZip, type ZippedEntry } from '../../platform/archives/index.js'
import { fail, requireAtomic } from '../../platform/errors/index.js'
import { throwIfStopped } from '../../platform/limits/index.js'
import { changeAcls, childPath, getDocument, requirePermission, type Session } from '../documents/index.js'
import { type ImportLimits, LIMITS } from './limits.js'
import { documentsIn, isDocument, MARK, type PlacedDocument } from './read-archive.js'
import type { Transform } from './transformers.js'
import { findVisible, writeDocument } from './write-document.js'

export type ImportOptions = {
  target: DocumentRecord
  /** Changes each document before it is written. */
  transform?: Transform
  /** Whether the `local` ACLs of documents that are created come with them. */
  hasAcls: boolean
  limits?: Partial<ImportLimits>
  /** Bytes of one file. */
  maxBytes: number
  signal: AbortSignal
}

/** What an import came to. */
export type ImportResult = {
  /** The first document of the archive, as it is now. */
  root: DocumentRecord
  /** New ids by those that the archive says. */
  ids: { [id: string]: string }
  created: number
  updated: number
  /** The first of what was left out. */
  warnings: string[]
}

/** Warnings that are kept. */
const MAX_WARNINGS = 100

/** Characters of one, which may repeat a name. */
const MAX_WARNING = 500

/** What has been written so far. */
type Progress = Omit<ImportResult, 'root'> & {
  root: DocumentRecord | undefined
  /** By their places in the archive. */
  written: Map<string, DocumentRecord>
  /** Of documents that were created, in their order. */
  aces: { document: DocumentRecord; aces: readonly Ace[] }[]
}

/** @property packed bytes of the archive. */
type Writing = ImportOptions & { packed: number }

const keyOf = (place: readonly string[]): string => place.join('/')

/**
 * How many folders of the places of an archive are left out: none where the first document's folder is there below the
 * target, and may be seen; else all of them, so that an exported tree goes straight into any folder.
 */
const leftOut = async (session: Session, target: DocumentRecord, first: PlacedDocument): Promise<number> => {
  const above = first.place.slice(0, -1)
  if (above.length === 0) return 0
  const path = above.reduce((parent, name) => childPath(parent, name), target.path ?? '')
  return (await findVisible(session, path)) ? 0 : above.length
}

const parentOf = async (
  session: Session,
  { target, written }: { target: DocumentRecord; written: Progress['written'] },
  above: readonly string[],
): Promise<DocumentRecord> => {
  if (above.length === 0) return target
  const known = written.get(keyOf(above))
  if (known) return known
  const path = above.reduce((parent, name) => childPath(parent, name), target.path ?? '')
  return getDocument(session, path, { permission: 'Browse' })
}

const LATE = 'The import lasted longer than it may, and was rolled back: import the archive in parts'

/** Documents of an archive with ACLs of their own, each of which repeats the entries of those above. */
const MAX_ACLS = 200

/**
 * Rights come last, so that none of them keeps the import from what is below. Folders before their children: what is below
 * a folder inherits from it once it has entries of its own, and is computed again for each change above.
 */
const writeAcls = async (session: Session, created: Progress['aces'], signal: AbortSignal): Promise<void> => {
  const { principal } = session
  if (created.length > MAX_ACLS)
    throw fail(
      'tooLarge',
      `${created.length} documents of the archive have ACLs, of ${MAX_ACLS} at most: import it without (acls: false), or in parts`,
    )
  // Before any of them is in force: what a folder grants need not include changing the rights of what is below.
  for (const { document } of created) await requirePermission(session, document, 'WriteSecurity')
  for (const { document, aces } of created) {
    throwIfStopped(signal, LATE)
    const own = aces.map((ace) => ({
      ...ace,
      creator: principal.isAdministrator ? (ace.creator ?? principal.name) : principal.name,
    }))
    const change = (acls: readonly Acl[]): Acl[] => [
      ...acls.filter(({ name }) => name !== 'local'),
      { name: 'local', aces: own },
    ]
    await changeAcls(session, document, change, { isChecked: true })
  }
}

const writeAll = async (
  { session, blobs }: { session: Session; blobs: Pick<BlobStore, 'write'> },
  entries: readonly ZippedEntry[],
  { packed, target, transform = (document) => document, hasAcls, limits, maxBytes, signal }: Writing,
): Promise<Progress> => {
  const done: Progress = {
    ...{ root: undefined, ids: {}, created: 0, updated: 0, warnings: [] },
    ...{ written: new Map<string, DocumentRecord>(), aces: [] },
  }
  const warn = (message: string): void => {
    if (done.warnings.length < MAX_WARNINGS) done.warnings.push(message.slice(0, MAX_WARNING))
  }
  let outside: readonly string[] | undefined
  for await (const read of documentsIn(entries, { ...LIMITS, ...limits, packed })) {
    throwIfStopped(signal, LATE)
    // A document at the root of the archive has no place (blobs-conversions.md §7).
    if (read.place.length === 0) continue
    outside ??= read.place.slice(0, await leftOut(session, target, read))
    if (keyOf(read.place.slice(0, outside.length)) !== keyOf(outside))
      throw fail('badRequest', `${read.source}: it is not below ${keyOf(outside)}, as the first document is`)
    const place = read.place.slice(outside.length)
    const name = place.at(-1)
    if (name === undefined)
      throw fail('badRequest', `${read.source}: it comes after a document that is below it`)
    const parent = await parentOf(session, { target, written: done.written }, place.slice(0, -1))
    const { document, isNew } = await writeDocument(
      { session, files: { blobs, blob: read.blob, maxBytes, signal }, warn },
      { parent, name, archived: transform(read), place: read.source },
    )
    done.written.set(keyOf(place), document)
    done.root ??= document
    if (read.id !== '') done.ids[read.id] = document.id
    done[isNew ? 'created' : 'updated']++
    if (isNew && hasAcls && read.aces.length > 0) done.aces.push({ document, aces: read.aces })
  }
  return done
}

/**
 * Reads an archive of documents, as `core/content/export` and the reference platform write them, into a folder
 * (blobs-conversions.md §7). All of it is the session's transaction: what is refused leaves nothing.
 *
 * @throws badRequest for what is no such archive, and for an unknown field or type; tooLarge beyond the limits; forbidden
 *   without `AddChildren` on the folder, without `WriteLifeCycle` for a state other than the first, and without
 *   `WriteSecurity` for ACLs.
 */
export const importArchive = async (
  stores: { session: Session; blobs: Pick<BlobStore, 'write' | 'withFile'> },
  archive: BlobValue,
  options: ImportOptions,
): Promise<ImportResult> => {
  const { session, blobs } = stores
  requireAtomic(session)
  const most = options.limits?.entries ?? LIMITS.entries
  let isListed = false
  const done = await blobs.withFile(archive, (path) =>
    withZip(path, most, (entries) => {
      isListed = true
      return writeAll(stores, entries, { ...options, packed: archive.length })
    }).catch((error: Error) => {
      if (isListed) throw error
      throw fail('badRequest', `The file is no archive that can be read: ${error.message}`, { cause: error })
    }),
  )
  if (!done.root) throw fail('badRequest', 'The archive has no documents')
  await writeAcls(session, done.aces, options.signal)
  const { ids, created, updated, warnings } = done
  const root = await getDocument(session, done.root.id, { permission: 'Browse' })
  return { root, ids, created, updated, warnings }
}

/**
 * How many documents an archive has; undefined for a file that is no archive of documents, by its first entry.
 *
 * @param most further ones are not counted.
 */
export const countArchived = async (
  blobs: Pick<BlobStore, 'withFile'>,
  archive: BlobValue,
  most: number,
): Promise<number | undefined> => {
  let count: number | undefined
  const visit = (entry: ZippedEntry): boolean => {
    if (count === undefined && entry.name !== MARK) return false
    count = (count ?? 0) + (isDocument(entry) ? 1 : 0)
    return count < most
  }
  const scan = blobs.withFile(archive, (path) => scanZip(path, LIMITS.entries, visit))
  return scan.then(
    () => count,
    () => undefined,
  )
}

import { text } from 'node:stream/consumers'
import { type BlobStore, mimeTypeOf } from '../../files/blobs/index.js'
import { quoteNxql } from '../../model/nxql/index.js'
import {
  type BlobValue,
  blobKey,
  type DocumentRecord,
  isBlobValue,
  type Properties,
} from '../../model/properties/index.js'
import { fail } from '../../platform/errors/index.js'
import { createDocument, type Session } from '../documents/index.js'
import { checkIn, saveDocument } from '../versioning/index.js'
import { findChild } from './find-child.js'
import { type FileImporter, importerFor } from './importers-point.js'

/** A longer text stays a file: notes are stored in the row of their document. */
const MAX_NOTE_BYTES = 1024 * 1024

const FILE = 'file:content'
const NOTE = 'note:note'
const NOTE_TYPE = 'note:mime_type'

export type FileImport = {
  folder: DocumentRecord
  blob: BlobValue
  /** Update the document of the folder that already has a file of this name. */
  overwrite: boolean
  /** Derive the mime type from the file's name rather than from what was sent with it. */
  checksMimeType: boolean
}

/** The file with the mime type of its name; with the one that was sent when the name has none. */
const checked = (blob: BlobValue): BlobValue => {
  const detected = mimeTypeOf(blob.name ?? '')
  return detected === 'application/octet-stream' ? blob : { ...blob, 'mime-type': detected }
}

const contentOf = async (
  blobs: Pick<BlobStore, 'open'>,
  blob: BlobValue,
  isNote: boolean,
): Promise<Properties> =>
  isNote ? { [NOTE]: await text(await blobs.open(blob)), [NOTE_TYPE]: blob['mime-type'] } : { [FILE]: blob }

const requireImporter = (session: Session, blob: BlobValue): FileImporter => {
  const mimeType = blob['mime-type'] ?? 'application/octet-stream'
  const importer = importerFor(session.contributions, mimeType)
  if (!importer) throw fail('badRequest', `file: no importer accepts files of type ${mimeType}`)
  if (!session.model.types.has(importer.type))
    throw fail('badRequest', `file: unknown document type ${importer.type} of the importer for ${mimeType}`)
  return importer
}

/** The document of a folder that came from a file of this name. */
const findByFileName = (
  session: Session,
  folder: DocumentRecord,
  name: string,
): Promise<DocumentRecord | undefined> => {
  const quoted = quoteNxql(name)
  const condition = `file:content/name = ${quoted} OR (dc:title = ${quoted} AND ecm:primaryType = 'Note')`
  return findChild(session, folder, condition)
}

/** Replaces the file of a document, of which a version is created first where its type has versions. */
const overwritten = async (
  session: Session,
  blobs: Pick<BlobStore, 'open'>,
  { document, blob }: { document: DocumentRecord; blob: BlobValue },
): Promise<DocumentRecord> => {
  const before = document.properties[FILE]
  if (isBlobValue(before) && blobKey(before) === blobKey(blob) && before.name === blob.name) return document
  const isNote = document.type === 'Note'
  if (isNote && blob.length > MAX_NOTE_BYTES)
    throw fail(
      'tooLarge',
      `file: '${blob.name}' is longer than ${MAX_NOTE_BYTES} bytes, the maximum of a note`,
    )
  const hasContent = isBlobValue(before) || Boolean(document.properties[NOTE])
  const isVersionable = session.model.facetsOf(document.type, document.facets).includes('Versionable')
  const kept =
    hasContent && isVersionable && !document.isCheckedIn
      ? (await checkIn(session, document, { increment: 'MINOR' })).document
      : document
  return (await saveDocument(session, kept, await contentOf(blobs, blob, isNote))).document
}

/**
 * Creates a document from a file in a folder, of the type that the deployment's importers say, with the file's name
 * as its name and title (reference: automation.md §11, `FileManager.Import`).
 *
 * @param blobs where the file's bytes are.
 * @throws badRequest for a file without a name or without an importer, forbidden without the right to add children or,
 *   to overwrite, to write, tooLarge for a text that is to overwrite a note.
 */
export const importFile = async (
  session: Session,
  blobs: Pick<BlobStore, 'open'>,
  { folder, blob: sent, overwrite, checksMimeType }: FileImport,
): Promise<DocumentRecord> => {
  const blob = checksMimeType ? checked(sent) : sent
  const { name } = blob
  if (!name?.trim()) throw fail('badRequest', 'file: a file without a name cannot be imported')
  const document = overwrite ? await findByFileName(session, folder, name) : undefined
  if (document) return overwritten(session, blobs, { document, blob })
  const importer = requireImporter(session, blob)
  const isNote = importer.note && blob.length <= MAX_NOTE_BYTES
  const content = await contentOf(blobs, blob, isNote)
  return createDocument(session, {
    parent: folder.id,
    name,
    type: importer.note && !isNote ? 'File' : importer.type,
    properties: { 'dc:title': name, ...content },
  })
}

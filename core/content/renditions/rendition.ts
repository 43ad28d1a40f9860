import type { BlobStore } from '../../files/blobs/index.js'
import type { BlobValue, DocumentRecord } from '../../model/properties/index.js'
import type { PlacedBlob, Session } from '../documents/index.js'

export type KeptRenditions = {
  get(key: string): Promise<BlobValue | undefined>
  put(key: string, blob: BlobValue): Promise<void>
}

/** What renditions are created with. */
export type RenditionTools = {
  blobs: BlobStore
  /** Aborted when the caller of the rendition is gone. */
  signal?: AbortSignal | undefined
  /** Stores bytes as a file; the same ones are stored once. */
  store(content: Uint8Array, described: { name: string; mimeType: string }): Promise<BlobValue>
  /** A picture no larger than a square, as JPEG. */
  picture(source: BlobValue, side: number): Promise<BlobValue>
  pdf(source: BlobValue): Promise<BlobValue>
  /** By a named converter. */
  convert(
    source: BlobValue,
    target: { converter: string; parameters: { [name: string]: string } },
  ): Promise<BlobValue>
  /** What an operation or a chain makes of the document, as its caller; undefined when that is no file. */
  chain(id: string, document: DocumentRecord): Promise<BlobValue | undefined>
  /** Files that are kept for those who ask again, for as long as the store of renditions keeps them. */
  kept: KeptRenditions
}

/** Another form of a document (rest-documents.md §6 and §7): one file and one line in the registry. */
export type Rendition = {
  name: string
  kind: string
  /** Below the server's base address. */
  icon: string
  /** Lists leave it out, unless a deployment shows it. */
  isHidden?: boolean
  isAvailable(session: Session, document: DocumentRecord): boolean
  /** The file of the document that it is made of, if it is made of one. */
  sourceOf?(session: Session, document: DocumentRecord): PlacedBlob | undefined
  /** What it is made by, short: another one makes other files of the same source. */
  version?: string
  /** It is made of more than the file, so that only its own bytes distinguish it from another. */
  isOfDocument?: boolean
  /** Undefined when the document turns out to have none. */
  render(call: {
    session: Session
    document: DocumentRecord
    tools: RenditionTools
  }): Promise<BlobValue | undefined>
}

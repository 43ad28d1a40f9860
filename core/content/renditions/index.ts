import type { DocumentRecord } from '../../model/properties/index.js'
import type { Session } from '../documents/index.js'
import { mainBlob } from './main-blob.js'
import { pdf } from './pdf.js'
import type { Rendition } from './rendition.js'
import { thumbnail } from './thumbnail.js'
import { xmlExport } from './xml-export.js'
import { zipExport, zipTreeExport } from './zip-export.js'

const all: readonly Rendition[] = [thumbnail, mainBlob, pdf, xmlExport, zipExport, zipTreeExport]

/** Names of all renditions, sorted. */
export const renditionNames: readonly string[] = all.map(({ name }) => name).sort()

/** Those that a document has. */
export const renditionsOf = (session: Session, document: DocumentRecord): Rendition[] =>
  all.filter((rendition) => rendition.isAvailable(session, document))

/** By name; undefined when the document has none of that name. */
export const findRendition = (
  session: Session,
  document: DocumentRecord,
  name: string,
): Rendition | undefined => renditionsOf(session, document).find((rendition) => rendition.name === name)

export type { RenditionTools } from './rendition.js'

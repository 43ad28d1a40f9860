import type { DocumentRecord } from '../../model/properties/index.js'
import type { Session } from '../documents/index.js'
import { mainBlob } from './main-blob.js'
import { pdf } from './pdf.js'
import { type Rendered, render } from './render.js'
import type { Rendition, RenditionTools } from './rendition.js'
import { thumbnail } from './thumbnail.js'
import { xmlExport } from './xml-export.js'
import { zipExport, zipTreeExport } from './zip-export.js'

const all: readonly Rendition[] = [thumbnail, mainBlob, pdf, xmlExport, zipExport, zipTreeExport]

/** Names of all renditions, sorted. */
export const renditionNames: readonly string[] = all.map(({ name }) => name).sort()

/** Those that a document has. */
export const renditionsOf = (session: Session, document: DocumentRecord): Rendition[] =>
  all.filter((rendition) => rendition.isAvailable(session, document))

/**
 * Renders a document in the way of a name; undefined when it has none of that name.
 *
 * @throws forbidden when the deployment's scripts deny the download of it, or of what it is made of.
 */
export const renderByName = async (
  name: string,
  call: { session: Session; document: DocumentRecord; tools: RenditionTools },
): Promise<Rendered | undefined> => {
  const found = renditionsOf(call.session, call.document).find((rendition) => rendition.name === name)
  return found && render(found, call)
}

export type { RenditionTools } from './rendition.js'

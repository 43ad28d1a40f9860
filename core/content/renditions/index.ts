import type { DocumentRecord } from '../../model/properties/index.js'
import type { Session } from '../documents/index.js'
import { acceptedByFilters } from '../filters/index.js'
import { containerDefault } from './container-default.js'
import { contributedRenditions, filtersOf, isVisible } from './contributed.js'
import { mainBlob } from './main-blob.js'
import { imageToPdf, pdf } from './pdf.js'
import { type Rendered, render } from './render.js'
import type { Rendition, RenditionTools } from './rendition.js'
import { thumbnail } from './thumbnail.js'
import { storedViews } from './views.js'
import { xmlExport } from './xml-export.js'
import { zipExport, zipTreeExport } from './zip-export.js'

const all: readonly Rendition[] = [
  thumbnail,
  mainBlob,
  pdf,
  imageToPdf,
  xmlExport,
  zipExport,
  zipTreeExport,
  containerDefault,
]

/** Names of all renditions, sorted. */
export const renditionNames: readonly string[] = all.map(({ name }) => name).sort()

/** Of two of a name, the first counts: what is contributed, what the document stores, what the product has. */
const availableFor = (session: Session, document: DocumentRecord): Rendition[] => {
  const byName = new Map<string, Rendition>()
  for (const rendition of [...contributedRenditions(session), ...storedViews(document), ...all])
    if (!byName.has(rendition.name) && rendition.isAvailable(session, document))
      byName.set(rendition.name, rendition)
  return [...byName.values()]
}

const isAccepted = (session: Session, document: DocumentRecord, rendition: Rendition): Promise<boolean> =>
  acceptedByFilters(session, document, filtersOf(session, rendition))

/** Those that a document has, without those that a deployment hides. */
export const renditionsOf = async (session: Session, document: DocumentRecord): Promise<Rendition[]> => {
  const visible = availableFor(session, document).filter((rendition) => isVisible(session, rendition))
  const accepted = await Promise.all(visible.map((rendition) => isAccepted(session, document, rendition)))
  return visible.filter((_, index) => accepted[index])
}

/**
 * Renders a document in the way of a name; undefined when it has none of that name.
 *
 * @throws forbidden when the deployment's scripts deny the download of it, or of what it is made of.
 */
export const renderByName = async (
  name: string,
  call: { session: Session; document: DocumentRecord; tools: RenditionTools },
): Promise<Rendered | undefined> => {
  const { session, document } = call
  const found = availableFor(session, document).find((rendition) => rendition.name === name)
  if (!found || !(await isAccepted(session, document, found))) return undefined
  return render(found, call)
}

export { renditionDefinitionsPoint } from './definitions-point.js'
export { keptRenditions, RENDITION_STORE } from './kept.js'
export type { KeptRenditions, RenditionTools } from './rendition.js'

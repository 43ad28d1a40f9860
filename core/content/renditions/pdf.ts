import { bareMimeType } from '../../files/blobs/index.js'
import { convertersPoint } from '../../files/conversions/index.js'
import type { BlobValue } from '../../model/properties/index.js'
import type { Session } from '../documents/index.js'
import { mainFile } from './main-file.js'
import type { Rendition } from './rendition.js'

const PDF = 'application/pdf'

const covers = (pattern: string, mimeType: string): boolean =>
  pattern === mimeType || (pattern.endsWith('/*') && mimeType.startsWith(pattern.slice(0, -1)))

/** Whether a converter of the deployment creates PDF from a file; one for `*` does not count. */
const isConvertible = ({ contributions }: Session, blob: BlobValue): boolean => {
  const mimeType = bareMimeType(blob['mime-type'] ?? '')
  if (mimeType === PDF) return true
  return [...contributions.get(convertersPoint).values()].some(
    ({ destinationMimeType, sourceMimeTypes = [] }) =>
      destinationMimeType === PDF && sourceMimeTypes.some((pattern) => covers(pattern, mimeType)),
  )
}

/** A picture as PDF (blobs-conversions.md §3). */
export const imageToPdf: Rendition = {
  name: 'imageToPDF',
  kind: 'nuxeo:pdf:kind',
  icon: '/icons/pdf.png',
  isAvailable: (session, document) => {
    const file = mainFile(session, document)
    const isPicture = session.model.facetsOf(document.type, document.facets).includes('Picture')
    return isPicture && file !== undefined && isConvertible(session, file.blob)
  },
  sourceOf: mainFile,
  render: async ({ session, document, tools }) => {
    const blob = mainFile(session, document)?.blob
    return blob && tools.pdf(blob)
  },
}

/** The document's file as PDF. */
export const pdf: Rendition = {
  name: 'pdf',
  kind: 'nuxeo:pdf:kind',
  icon: '/icons/pdf.png',
  isAvailable: (session, document) => {
    const file = mainFile(session, document)
    return file !== undefined && isConvertible(session, file.blob)
  },
  sourceOf: mainFile,
  render: async ({ session, document, tools }) => {
    const blob = mainFile(session, document)?.blob
    if (!blob || bareMimeType(blob['mime-type'] ?? '') === PDF) return blob
    return tools.pdf(blob)
  },
}

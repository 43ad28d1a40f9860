import { blobAt } from '../../../core/content/documents/index.js'
import type { ContentModel } from '../../../core/model/content-model/index.js'
import type { DocumentRecord } from '../../../core/model/properties/index.js'

const NOTE = 'note:note'

/** The text of a note and its media type; undefined for other documents. */
export const noteOf = ({ properties }: DocumentRecord): { text: string; mimeType: string } | undefined => {
  const text = properties[NOTE]
  if (typeof text !== 'string' || text === '') return undefined
  const mimeType = properties['note:mime_type']
  return { text, mimeType: typeof mimeType === 'string' ? mimeType : 'text/plain' }
}

/** Whether a document has content that a browser can be shown. */
export const isPreviewable = (model: ContentModel, document: DocumentRecord): boolean =>
  noteOf(document) !== undefined || blobAt(model, document, 'blobholder:0') !== undefined

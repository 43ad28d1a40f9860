import type { CoreEvent } from '../events/index.js'
import type { DocumentRecord, PropertyValue } from './types.js'

/** An event about a document, with what listeners need when the document is gone by the time they read it. */
export const documentEvent = (
  event: string,
  document: DocumentRecord,
  options: { [option: string]: PropertyValue } = {},
): CoreEvent => ({
  event,
  documentId: document.id,
  payload: {
    type: document.type,
    path: document.path,
    lifecycleState: document.lifecycleState,
    systemToken: document.systemToken,
    ...options,
  },
})

import { changeToken } from '../../../../core/content/documents/index.js'
import { isPreviewable } from '../../entities/index.js'
import { type Enricher, each } from './enricher.js'

/** The address of the document's preview; null when it has none. */
export const preview: Enricher = {
  name: 'preview',
  enrich: each((document, { session, links }) => ({
    preview: {
      url: isPreviewable(session.model, document)
        ? `${links.document(document.id)}/@preview/?changeToken=${changeToken(document)}`
        : null,
    },
  })),
}

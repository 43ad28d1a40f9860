import { changeToken } from '../../../../core/content/documents/index.js'
import { type Enricher, each } from './enricher.js'

/** Where a small picture of the document is; the token makes it another address when the document changes. */
export const thumbnail: Enricher = {
  name: 'thumbnail',
  enrich: each((document, { links }) => ({
    thumbnail: {
      url: `${links.document(document.id)}/@rendition/thumbnail?changeToken=${changeToken(document)}`,
    },
  })),
}

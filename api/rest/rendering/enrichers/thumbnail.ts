import { changeToken } from '../../../../core/content/documents/index.js'
import { type Enricher, each } from './enricher.js'

/** The address of the document's thumbnail; its token changes with the document, for caches. */
export const thumbnail: Enricher = {
  name: 'thumbnail',
  enrich: each((document, { links }) => ({
    thumbnail: {
      url: `${links.document(document.id)}/@rendition/thumbnail?changeToken=${changeToken(document)}`,
    },
  })),
}

import type { Enricher } from './enricher.js'

/** Where a person looks at the document. */
export const documentUrl: Enricher = {
  name: 'documentURL',
  enrich: async ({ document, links }) => ({ documentURL: `${links.base}/ui/#!/doc/${document.id}` }),
}

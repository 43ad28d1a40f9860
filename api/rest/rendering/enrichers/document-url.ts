import { type Enricher, each } from './enricher.js'

/** Where a person looks at the document. */
export const documentUrl: Enricher = {
  name: 'documentURL',
  enrich: each((document, { links }) => ({ documentURL: `${links.base}/ui/#!/doc/${document.id}` })),
}

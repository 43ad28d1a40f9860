import { type Enricher, each } from './enricher.js'

/** The address of the document in the web interface. */
export const documentUrl: Enricher = {
  name: 'documentURL',
  enrich: each((document, { links }) => ({ documentURL: `${links.base}/ui/#!/doc/${document.id}` })),
}

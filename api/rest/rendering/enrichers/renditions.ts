import { renditionsOf } from '../../../../core/content/renditions/index.js'
import { type Enricher, each } from './enricher.js'

/** The renditions of a document: a thumbnail, its file, its file as PDF, its export as XML. */
export const renditions: Enricher = {
  name: 'renditions',
  enrich: each(async (document, { session, links }) => ({
    renditions: (await renditionsOf(session, document)).map(({ name, kind, icon }) => ({
      name,
      kind,
      icon: `${links.base}${icon}`,
      url: `${links.api}/id/${document.id}/@rendition/${encodeURIComponent(name)}`,
    })),
  })),
}

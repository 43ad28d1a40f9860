import { getTags } from '../../../../core/content/tags/index.js'
import { type Enricher, each } from './enricher.js'

/** Labels of the document's tags, as texts. */
export const tags: Enricher = {
  name: 'tags',
  enrich: each((document) => ({ tags: getTags(document) })),
}

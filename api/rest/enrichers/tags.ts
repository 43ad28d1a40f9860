import { getTags } from '../../../core/tags/index.js'
import type { Enricher } from './enricher.js'

/** Labels of the document's tags, as texts. */
export const tags: Enricher = {
  name: 'tags',
  enrich: async ({ document }) => ({ tags: getTags(document) }),
}

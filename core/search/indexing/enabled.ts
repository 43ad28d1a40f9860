import { defineProperty } from '../../platform/configuration/index.js'

/** reference: nxql-search.md §9.4 */
export const ELASTICSEARCH_ENABLED = defineProperty({
  name: 'archivolt.elasticsearch.enabled',
  aliases: ['elasticsearch.enabled'],
  default: 'true',
  description: 'false: the database answers searches, and nothing is indexed',
})

import { z } from 'zod'
import { commaList } from '../../parse/index.js'

const names = (what: string) => commaList.describe(what)

/**
 * Parameters or headers that control how documents are rendered (rest-documents.md §5).
 * `renderingOf` reads them in all their spellings instead of a schema: it runs for every document, and refuses nothing.
 */
export const renderingQuery = z.object({
  properties: names('Schemas to show, * for all; default: no properties'),
  'enrichers-document': names('Enrichers, which add contextParameters; unknown names are ignored'),
  'fetch-document': names(
    'versionLabel, lock, properties, or the beginning of an xpath whose references are expanded',
  ),
  'fetch-directoryEntry': names('Fields whose entries are expanded: parent'),
  'translate-directoryEntry': names('Fields to show in a language of Accept-Language: label'),
  'fetch-acls': names('For the enricher acls: username, creator, extended'),
  depth: z
    .string()
    .optional()
    .meta({ examples: ['root', 'children', 'max'] })
    .describe(
      'How many levels of documents inside enrichers are rendered in the same way: root, children or max; anything else is root',
    ),
})

import { z } from 'zod'
import { commaList } from '../../parse/index.js'

const names = (what: string) => commaList.describe(what)

/**
 * What answers with documents take to say what is shown of them (rest-documents.md §5), as parameters or headers.
 * `renderingOf` reads them by hand, in all their spellings: it is asked for every document, and refuses nothing.
 */
export const renderingQuery = z.object({
  properties: names('Schemas to show, * for all; without it there are no properties'),
  'enrichers-document': names('What to add as contextParameters; unknown names are ignored'),
  'fetch-document': names(
    'versionLabel, lock, properties, or the beginning of an xpath whose references are expanded',
  ),
  'fetch-directoryEntry': names('Fields whose entries are expanded: parent'),
  'translate-directoryEntry': names('Fields to show in a language of Accept-Language: label'),
  'fetch-acls': names('username, creator, extended: of the enricher acls'),
  depth: z
    .enum(['root', 'children', 'max'])
    .optional()
    .describe('How many levels of documents inside enrichers are shown so too'),
})

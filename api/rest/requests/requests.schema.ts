import { z } from 'zod'
import { isSortable } from '../../../core/model/nxql/index.js'
import { component } from '../../openapi/index.js'
import {
  anyText,
  commaList,
  count,
  entity,
  requiredWord,
  text,
  wholeNumber,
  word,
} from '../../parse/index.js'

/** The query parameters that page a list (rest-documents.md §7). */
export const pagingQuery = z.object({
  pageSize: wholeNumber.describe('Entries of a page; capped at the maximum, the default when negative'),
  currentPageIndex: count.describe('From 0'),
  offset: count.describe('Entries to skip; takes precedence over currentPageIndex'),
  maxResults: wholeNumber.describe(
    'Maximum of counted results, `ARCHIVOLT_COUNT_LIMIT` when absent; 0 and less count all',
  ),
})

/** The query parameters that order a list (rest-documents.md §9). */
export const sortQuery = z.object({
  sortBy: commaList
    .refine((fields) => fields.every(isSortable), {
      error: ({ input }) =>
        `'${(input as string[]).find((field) => !isSortable(field))}' is not the name of a property`,
    })
    .describe('Properties to sort by, instead of the default order'),
  sortOrder: commaList.describe('`asc` for each of them; anything else, or nothing, is descending'),
})

/** Parameters of `@emptyWithDefault`. */
export const emptyQuery = z.object({
  type: requiredWord.describe('Type of the document'),
  name: word.describe('Its type when absent'),
})

/** Parameters of `@search`. */
export const searchQuery = z
  .object({
    query: word.describe('NXQL, which the document does not limit'),
    fullText: word.describe(
      'Full text, searched in the folder or in that of a file; either query or fullText is required',
    ),
    orderBy: word
      .refine((field) => field === undefined || isSortable(field), {
        error: ({ input }) => `'${input}' is not the name of a property`,
      })
      .describe('A property to sort the results of fullText by'),
  })
  .refine(({ query, fullText }) => (query ?? fullText) !== undefined, 'Either query or fullText is required')

const properties = z
  .unknown()
  .meta({ type: 'object', description: 'By prefixed name: see the schemas `properties.*`' })

/** A document to create (rest-documents.md §3). */
export const newDocument = component(
  'newDocument',
  entity('document', {
    name: text.meta({ type: 'string', description: 'Last segment of the path; a used name is made unique' }),
    type: text.meta({ type: 'string' }),
    properties: properties.optional(),
  }).meta({ required: ['entity-type', 'name', 'type'] }),
)

/** A change of a document (rest-documents.md §3). */
export const documentChange = component(
  'documentChange',
  entity('document', {
    uid: text.describe('Must exist, but the address selects the document'),
    changeToken: text.describe('Refuses the change when the document has changed since'),
    properties: properties.optional(),
  }),
)

const date = z.iso
  .datetime({ offset: true, message: 'must be a date and a time, e.g. 2024-12-31T12:00:00Z' })
  .transform((text) => new Date(text).toISOString())
  .nullish()

const commentFields = {
  text: anyText,
  parentId: text.describe('The parent comment of a reply that is sent to the document'),
  entityId: anyText.describe('Id of the comment in another system'),
  origin: anyText,
  entity: anyText,
  xpath: anyText.describe('Xpath of the annotated file'),
  creationDate: date.describe('Now, or that of the comment, when absent'),
  modificationDate: date.describe('The moment of a change, when absent'),
}

/** A comment or annotation, new or changed (workflow-audit.md §9). */
export const commentRequests = {
  Comment: component('commentRequest', entity('comment', commentFields)),
  Annotation: component('annotationRequest', entity('annotation', commentFields)),
}

/** Headers of writes; see `writeOptionsOf`. */
export const writeHeaders = z.object({
  'X-Versioning-Option': z
    .string()
    .optional()
    .describe('MAJOR, MINOR or NONE: creates a version, which is the response to a PUT'),
  'Update-Comment': z.string().optional().describe('A comment for events and audit'),
  source: z.string().optional().describe('The source of the change, for versioning policies'),
  'X-NXDocumentJsonLegacy': z.string().optional().describe('true: empty texts are null'),
})

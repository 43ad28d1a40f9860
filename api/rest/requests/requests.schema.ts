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
  pageSize: wholeNumber.describe(
    'Entries of a page; the most that are possible when it is larger, the usual ones when it is negative',
  ),
  currentPageIndex: count.describe('From 0 on'),
  offset: count.describe('Entries to leave out; goes before currentPageIndex'),
  maxResults: wholeNumber.describe('Results to count at most; 0 and less mean no limit'),
})

/** The query parameters that order a list (rest-documents.md §9). */
export const sortQuery = z.object({
  sortBy: commaList
    .refine((fields) => fields.every(isSortable), {
      error: ({ input }) =>
        `'${(input as string[]).find((field) => !isSortable(field))}' is not the name of a property`,
    })
    .describe('Properties, in the place of the order that there would be'),
  sortOrder: commaList.describe('`asc` for each of them; anything else, or nothing, is descending'),
})

/** What `@emptyWithDefault` is to begin. */
export const emptyQuery = z.object({
  type: requiredWord.describe('Type of the document'),
  name: word.describe('Its type when absent'),
})

/** What `@search` looks for. */
export const searchQuery = z
  .object({
    query: word.describe('NXQL, which the document does not limit'),
    fullText: word.describe('Words, looked for in the folder or in that of a file; one of both is needed'),
    orderBy: word
      .refine((field) => field === undefined || isSortable(field), {
        error: ({ input }) => `'${input}' is not the name of a property`,
      })
      .describe('A property by which what fullText finds is sorted'),
  })
  .refine(({ query, fullText }) => (query ?? fullText) !== undefined, 'Either query or fullText is needed')

const properties = z
  .unknown()
  .meta({ type: 'object', description: 'By prefixed name: see the schemas `properties.*`' })

/** A document to be made (rest-documents.md §3). */
export const newDocument = component(
  'newDocument',
  entity('document', {
    name: text.meta({ type: 'string', description: 'In the path; one that is taken is made another' }),
    type: text.meta({ type: 'string' }),
    properties: properties.optional(),
  }).meta({ required: ['entity-type', 'name', 'type'] }),
)

/** A change of a document (rest-documents.md §3). */
export const documentChange = component(
  'documentChange',
  entity('document', {
    uid: text.describe('Must exist, but the address says which document is changed'),
    changeToken: text.describe('Refuses the change when somebody else was first'),
    properties: properties.optional(),
  }),
)

const commentFields = {
  text: anyText,
  parentId: text.describe('The comment that is replied to, when sent to the document'),
  entityId: anyText.describe('Id of the comment in another system'),
  origin: anyText,
  entity: anyText,
  xpath: anyText.describe('Where the file is that an annotation is on'),
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
    .describe('MAJOR, MINOR or NONE: makes a version; a PUT is then answered with it'),
  'Update-Comment': z.string().optional().describe('Why, for events and audit'),
  source: z.string().optional().describe('Who writes, for versioning'),
  'X-NXDocumentJsonLegacy': z.string().optional().describe('true: texts of no length are null'),
})

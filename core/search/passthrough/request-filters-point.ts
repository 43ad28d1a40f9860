import { z } from 'zod'
import { defineExtensionPoint, type XmlPart } from '../../platform/contributions/index.js'

const content = z.strictObject({
  source: z.enum(['documents', 'audit']).describe('What is searched; the audit is for administrators'),
  visualizers: z
    .boolean()
    .default(false)
    .describe(
      'Of the audit: open to those who may see the figures of workflow models, each for these models',
    ),
  query: z
    .record(z.string(), z.json())
    .optional()
    .describe('A query in the language of the engine, within which every search of the name stays'),
})

export type RequestFilter = z.output<typeof content>

/** `<requestFilter index="audit" filterClass="…AuditRequestFilter"/>`: the class says what is searched. */
const readFilter = ({ attributes: { filterClass = '' } }: XmlPart): object => ({
  source: /Audit\w*$/.test(filterClass) ? 'audit' : 'documents',
  ...(/Rout|Workflow/.test(filterClass) && { query: { term: { category: 'Routing' } }, visualizers: true }),
})

/**
 * What clients of the search engine may search under a name that is no index of a repository; the name is the whole
 * `{index}` of an address (nxql-search.md §9.7).
 */
export const requestFiltersPoint = defineExtensionPoint({
  point: 'requestFilters',
  schema: content,
  elements: { requestFilter: { nameAttribute: 'index', read: readFilter } },
})

import { filledIn, type Session } from '../../../content/documents/index.js'
import type { LogEntry } from '../../../content/stores/index.js'
import { pairedSort, type Sort } from '../../../model/nxql/index.js'
import type { PropertyValue } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import { logEntriesEntity, logEvent, runAuditProvider, runAuditQuery } from '../../../search/audit/index.js'
import { getPageProvider } from '../../../search/page-providers/index.js'
import { defineOperation, documentValue, type Operation } from '../../language/index.js'
import { namedValues } from '../queries/bound-query.js'
import { isOfProduct } from '../shared/event-names.js'
import { jsonBlob } from '../shared/json-blob.js'
import { positive } from '../shared/parameters.js'

const CATEGORY = 'Services'

const DEFAULT_PROVIDER = 'AUDIT_BROWSER'

const log = defineOperation({
  id: 'Audit.LogEvent',
  aliases: ['Audit.Log'],
  label: 'Log Event In Audit',
  category: CATEGORY,
  description:
    'Has an entry about each input document written to the audit, also of an event that is not audited.',
  params: {
    event: { type: 'string', isRequired: true, description: 'Name of the event.' },
    category: { type: 'string', default: 'Automation', description: 'Kind of event, to find it by.' },
    comment: { type: 'string', description: 'Kept with the entry.' },
  },
  methods: ({ iterating }) => [
    iterating('document', 'document', async ({ context, input, params }) => {
      const { session } = context
      const { event, category, comment } = params
      // Whoever deploys a chain answers for what it says.
      if (isOfProduct(event) && !session.principal.isAdministrator)
        context.requireDeployed(`Audit.LogEvent of the product's own event ${event}`)
      await logEvent(session, input, { event, category, comment })
      return documentValue(input)
    }),
  ],
})

/** An entry as the older operation gives it (reference: automation.md §11). */
const olderEntry = (entry: LogEntry): object => ({
  eventId: entry.eventId,
  category: entry.category,
  eventDate: entry.eventDate.getTime(),
  principal: entry.principalName,
  docUUID: entry.docUUID,
  docType: entry.docType,
  docPath: entry.docPath,
  docLifeCycle: entry.docLifeCycle,
  repoId: entry.repositoryId,
  comment: entry.comment,
})

const query = defineOperation({
  id: 'Audit.Query',
  label: 'Query Audit Service',
  category: CATEGORY,
  description: 'Gives, as JSON, the entries of the audit that a query finds.',
  isAdministrative: true,
  isReadOnly: true,
  params: {
    query: {
      type: 'string',
      isRequired: true,
      description: "As in: from LogEntry log where log.eventId = 'documentCreated' order by log.id",
    },
    pageNo: { type: 'integer', default: 1, description: 'Page to give, from 1.' },
    maxResults: { type: 'integer', description: 'Entries of a page.' },
  },
  methods: ({ method }) => [
    method('void', 'blob', async ({ context: { session, services }, params }) => {
      if (params.pageNo < 1)
        throw fail('badRequest', `pageNo: ${params.pageNo} is no page, they begin with 1`)
      const { entries } = await runAuditQuery(session, params.query, {
        pageSize: positive(params.maxResults),
        currentPageIndex: params.pageNo - 1,
      })
      return jsonBlob(services, entries.map(olderEntry))
    }),
  ],
})

/** `eventDate desc` of the older parameter: ascending only where it says so. */
const sortInfo = (text: string): Sort[number] => {
  const [field = '', order = ''] = text.trim().split(/\s+/)
  return { field, isAscending: ['asc', 'true'].includes(order.toLowerCase()) }
}

const sortOf = (given: {
  sortBy?: readonly string[] | undefined
  sortOrder?: readonly string[] | undefined
  sortInfo?: readonly string[] | undefined
}): Sort | undefined =>
  pairedSort(given.sortBy ?? [], given.sortOrder ?? []) ??
  (given.sortInfo?.length ? given.sortInfo.map(sortInfo) : undefined)

/** What is unknown, or less than nothing, is what the provider says. */
const fromZero = (value: number | undefined): number | undefined =>
  value !== undefined && value >= 0 ? value : undefined

const queryWithPageProvider = defineOperation({
  id: 'Audit.QueryWithPageProvider',
  aliases: ['Audit.PageProvider'],
  label: 'Audit Query With Page Provider',
  category: 'Fetch',
  description: 'Gives a page of the entries of the audit that a page provider, or a query, finds.',
  isAdministrative: true,
  isReadOnly: true,
  params: {
    providerName: {
      type: 'string',
      names: 'pageProvider',
      description: `The page provider; ${DEFAULT_PROVIDER} when absent.`,
    },
    query: { type: 'string', description: 'A query of entries to run instead of a provider.' },
    language: {
      type: 'string',
      default: 'NXQL',
      description: 'Taken for the sake of callers, without effect.',
    },
    currentPageIndex: { type: 'integer', aliases: ['page'], description: 'Page to give, from 0.' },
    pageSize: {
      type: 'integer',
      description: 'Entries of a page; what the provider says when absent or negative.',
    },
    sortInfo: { type: 'stringlist', description: 'Fields to sort by, each with asc or desc.' },
    sortBy: { type: 'stringlist', description: 'Fields to sort by.' },
    sortOrder: { type: 'stringlist', values: ['ASC', 'DESC'], description: 'Descending when absent.' },
    queryParams: { type: 'stringlist', description: 'Values for the question marks of the query, in order.' },
    namedQueryParams: { type: 'properties', description: 'Values for the form of the provider.' },
    maxResults: {
      type: 'integer',
      default: 100,
      description: 'Entries to count of a query at most; all when 0 or less.',
    },
  },
  methods: ({ method }) => [
    method('void', 'object', async ({ context: { session }, params }) => {
      const paging = {
        pageSize: fromZero(params.pageSize),
        currentPageIndex: fromZero(params.currentPageIndex),
        sort: sortOf(params),
      }
      const page = params.query
        ? await runAuditQuery(session, params.query, { ...paging, maxResults: positive(params.maxResults) })
        : await runAuditProvider(session, getPageProvider(session, params.providerName ?? DEFAULT_PROVIDER), {
            ...paging,
            queryParams: filled(session, params.queryParams),
            named: namedValues(params.namedQueryParams ?? {}, session),
            quickFilters: [],
          })
      return { type: 'json', value: logEntriesEntity(page) as PropertyValue }
    }),
  ],
})

const filled = (session: Session, values: readonly string[] = []): string[] =>
  values.map((value) => filledIn(value, session))

export const auditOperations: readonly Operation[] = [log, query, queryWithPageProvider]

import { Hono } from 'hono'
import { z } from 'zod'
import { quoteNxql } from '../../core/model/nxql/index.js'
import { fail } from '../../core/platform/errors/index.js'
import { csvOfEntries, logEntriesEntity, runAuditQuery } from '../../core/search/audit/index.js'
import type { Platform } from '../../runtime/index.js'
import { API, type Environment, type RequestContext, refuseForeignWork } from '../edge/index.js'
import { routeGroup } from '../openapi/index.js'
import { parseQuery } from '../parse/index.js'
import { entityResponse, pagingParameters, requireJsonAccepted, sortParameters } from '../rest/index.js'
import { auditQuery, entryFilters, logEntries } from './audit.schema.js'

/** reference: workflow-audit.md §6, of `@audit` */
const DEFAULT_PAGE_SIZE = 10

const CSV = 'text/csv; charset=UTF-8; header=present'

export const auditDocs = routeGroup({ tag: 'operation', errors: [403] })({
  queryAudit: [
    'GET /audit',
    'Entries of the audit, newest first, for administrators',
    {
      description: 'Parameters narrow them, or a query does.',
      query: auditQuery,
      200: logEntries,
    },
  ],
  exportAudit: [
    'GET /audit/export',
    'All entries of the audit as CSV, for administrators',
    {
      description: 'In the order in which they were written, with a header line. Parameters narrow them.',
      query: entryFilters,
      200: { description: 'The entries', content: { 'text/csv': z.string() } },
    },
  ],
})

const dateOf = (text: string | undefined): Date | undefined =>
  text === undefined ? undefined : new Date(text)

/** What the parameters of a request ask, as a query. @throws badRequest for filters beside a query. */
const queryOf = (c: RequestContext): string => {
  const { query, eventId, category, principalName, docUUID, docPath, startEventDate, endEventDate } =
    parseQuery(c, auditQuery)
  const conditions = [
    ...Object.entries({ eventId, category, principalName, docUUID }).flatMap(([field, among]) =>
      among.length === 0 ? [] : [`${field} IN (${among.map(quoteNxql).join(', ')})`],
    ),
    ...(docPath === undefined ? [] : [`docPath STARTSWITH ${quoteNxql(docPath)}`]),
    ...(startEventDate ? [`eventDate >= TIMESTAMP ${quoteNxql(startEventDate)}`] : []),
    ...(endEventDate ? [`eventDate <= TIMESTAMP ${quoteNxql(endEventDate)}`] : []),
  ]
  if (query !== undefined && conditions.length > 0)
    throw fail('badRequest', 'query: has its own conditions; filters beside it are not taken')
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`
  return query ?? `SELECT * FROM LogEntry${where}`
}

export const createAuditRoutes = (platform: Platform): Hono<Environment> => {
  const routes = new Hono<Environment>()
  routes.get(`${API}/audit`, async (c) => {
    requireJsonAccepted(c)
    refuseForeignWork(c)
    const principal = c.get('principal')
    if (!principal.isAdministrator) throw fail('forbidden', 'Only administrators may read the audit')
    const { pageSize = DEFAULT_PAGE_SIZE, ...paging } = pagingParameters(c)
    const request = { ...paging, pageSize, sort: sortParameters(c) }
    const page = await runAuditQuery(platform.readSession(principal), queryOf(c), request)
    return entityResponse(logEntriesEntity(page))
  })
  routes.get(`${API}/audit/export`, (c) => {
    refuseForeignWork(c)
    const principal = c.get('principal')
    if (!principal.isAdministrator) throw fail('forbidden', 'Only administrators may export the audit')
    const { startEventDate, endEventDate, ...among } = parseQuery(c, entryFilters)
    const wanted = { ...among, from: dateOf(startEventDate), to: dateOf(endEventDate) }
    const lines = ReadableStream.from(csvOfEntries(platform.readSession(principal), wanted))
    return new Response(lines.pipeThrough(new TextEncoderStream()), {
      headers: { 'Content-Type': CSV, 'Content-Disposition': 'attachment; filename=audit.csv' },
    })
  })
  return routes
}

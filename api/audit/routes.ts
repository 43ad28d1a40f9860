import { Hono } from 'hono'
import { z } from 'zod'
import { fail } from '../../core/platform/errors/index.js'
import { csvOfEntries } from '../../core/search/audit/index.js'
import type { Platform } from '../../runtime/index.js'
import { API, type Environment, refuseForeignWork } from '../edge/index.js'
import { routeGroup } from '../openapi/index.js'
import { parseQuery } from '../parse/index.js'
import { entryFilters } from './audit.schema.js'

const CSV = 'text/csv; charset=UTF-8; header=present'

export const auditDocs = routeGroup({ tag: 'operation', errors: [403] })({
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

export const createAuditRoutes = (platform: Platform): Hono<Environment> => {
  const routes = new Hono<Environment>()
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

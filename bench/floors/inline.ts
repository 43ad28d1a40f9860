/**
 * A bare Hono handler that does in one transaction what the inline chain of the bench does, with the product's
 * statements and the record of the run. Argument: Postgres.
 */

import { randomUUID } from 'node:crypto'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import postgres from 'postgres'
import { principalOf } from '../../core/access/security/index.js'
import type { DocumentRecord } from '../../core/model/properties/index.js'
import { createInlineRuns } from '../../storage/postgres/automation/inline-runs.js'
import { SELECT_BY_PATH } from '../../storage/postgres/documents/rows.js'
import { createWrites } from '../../storage/postgres/documents/writing.js'

const sql = postgres(process.argv[2] ?? '', { max: 20, onnotice: () => undefined })
const principal = principalOf('Administrator', [], true)
const app = new Hono()

type Call = { params: { folder: string; key: string } }

app.post('/', async (c) => {
  const { params } = await c.req.json<Call>()
  const startedAt = new Date()
  const made = await sql.begin(async (tx) => {
    const [parent] = await tx.unsafe<DocumentRecord[]>(SELECT_BY_PATH, [params.folder], { prepare: true })
    if (!parent) throw new Error(`${params.folder} is gone`)
    const name = params.key
    const place = { id: randomUUID(), parentId: parent.id, name, path: `${parent.path}/${name}` }
    const properties = { 'dc:title': `${parent.name} of a chain` }
    const record = { ...parent, ...place, type: 'File', properties, systemToken: 0, userToken: 0 }
    const payload = { path: record.path, type: record.type }
    const event = { event: 'documentCreated', documentId: record.id, payload }
    await createWrites(tx, { principal }).insert(record, [event], parent)
    await createInlineRuns(tx).complete({
      runId: randomUUID(),
      chainId: 'floor',
      principal: principal.name,
      requestId: randomUUID(),
      title: 'floor',
      startedAt,
    })
    return record
  })
  return c.json(made)
})

serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) =>
  process.stdout.write(`http://127.0.0.1:${port}\n`),
)
process.once('SIGTERM', () => process.exit())

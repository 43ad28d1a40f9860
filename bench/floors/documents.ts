/** A bare Hono handler for each of GET, POST and PUT, with the product's statements and driver. Argument: Postgres. */

import { randomUUID } from 'node:crypto'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import postgres from 'postgres'
import { principalOf } from '../../core/access/security/index.js'
import type { DocumentRecord, Properties } from '../../core/model/properties/index.js'
import { SELECT_BY_ID, SELECT_BY_PATH, SELECT_BY_PATHS } from '../../storage/postgres/documents/rows.js'
import { createWrites } from '../../storage/postgres/documents/writing.js'
import { RECORD_COLUMNS } from '../../storage/postgres/rows/index.js'

const sql = postgres(process.argv[2] ?? '', { max: 20, onnotice: () => undefined })
const writes = createWrites(sql, { principal: principalOf('Administrator', [], true) })
const app = new Hono()

type Entity = { name: string; type: string; properties: Properties }

const find = (id: string) => sql.unsafe<DocumentRecord[]>(SELECT_BY_ID, [id], { prepare: true })

const eventOf = (event: string, { id, path, type }: DocumentRecord) => ({
  event,
  documentId: id,
  payload: { path, type },
})

app.get('/:id', async (c) => {
  const [row] = await find(c.req.param('id'))
  return row ? c.json(row) : c.notFound()
})

app.get('/path/*', async (c) => {
  const path = c.req.path.slice('/path'.length)
  const [row] = await sql.unsafe<DocumentRecord[]>(SELECT_BY_PATH, [path], { prepare: true })
  return row ? c.json(row) : c.notFound()
})

/** The page, its count and what lies above it, as the product asks for them. */
app.get('/:id/@children', async (c) => {
  const [parent] = await find(c.req.param('id'))
  if (!parent) return c.notFound()
  const children = `FROM documents d WHERE d.type <> 'Root' AND d.parent_id = $1
    AND NOT d.facets && '{HiddenInNavigation}' AND NOT d.is_version AND NOT d.is_trashed`
  const rows = await sql.unsafe(
    `SELECT ${RECORD_COLUMNS} ${children} ORDER BY d.properties ->> 'dc:title' COLLATE "C", d.id LIMIT 50`,
    [parent.id],
    { prepare: true },
  )
  const [count] = await sql.unsafe(`SELECT count(*) AS count ${children}`, [parent.id], { prepare: true })
  const ancestors = await sql.unsafe(SELECT_BY_PATHS, [['/', parent.path ?? '']], { prepare: true })
  const entries = rows.map((row) => ({ ...row, breadcrumb: [...ancestors, row] }))
  return c.json({ count, entries })
})

app.post('/:id', async (c) => {
  const { name, type, properties } = await c.req.json<Entity>()
  const [parent] = await find(c.req.param('id'))
  if (!parent) return c.notFound()
  const place = { id: randomUUID(), parentId: parent.id, name, path: `${parent.path}/${name}` }
  const record = { ...parent, ...place, type, properties, systemToken: 0, userToken: 0 }
  await writes.insert(record, [eventOf('documentCreated', record)], parent)
  return c.json(record, 201)
})

app.put('/:id', async (c) => {
  const { properties } = await c.req.json<Entity>()
  const [before] = await find(c.req.param('id'))
  if (!before) return c.notFound()
  const change = {
    id: before.id,
    properties,
    isUserChange: true,
    expectedSystemToken: before.systemToken,
  }
  const row = await writes.update(change, [eventOf('documentModified', before)])
  return row ? c.json(row) : c.json({}, 409)
})

/** The least that each of them can be: one statement, by a key, with its row of the outbox; nothing is checked. */
app.get('/minimal/:id', async (c) => {
  const [row] = await sql`SELECT id, path, type, properties FROM minimal WHERE id = ${c.req.param('id')}`
  return row ? c.json(row) : c.notFound()
})

app.post('/minimal/:id', async (c) => {
  const { name, type, properties } = await c.req.json<Entity>()
  const [row] = await sql`
    WITH d AS (
      INSERT INTO minimal (id, parent_id, path, type, properties)
      VALUES (${randomUUID()}, ${c.req.param('id')}, ${name}, ${type}, ${sql.json(properties as never)})
      RETURNING id, path, type, properties
    ), written AS (INSERT INTO minimal_outbox (event, document_id) SELECT 'documentCreated', id FROM d)
    SELECT * FROM d`
  return c.json(row, 201)
})

app.put('/minimal/:id', async (c) => {
  const { properties } = await c.req.json<Entity>()
  const [row] = await sql`
    WITH d AS (
      UPDATE minimal SET properties = properties || ${sql.json(properties as never)}, token = token + 1
      WHERE id = ${c.req.param('id')} RETURNING id, path, type, properties
    ), written AS (INSERT INTO minimal_outbox (event, document_id) SELECT 'documentModified', id FROM d)
    SELECT * FROM d`
  return row ? c.json(row) : c.notFound()
})

await sql`
  CREATE TABLE minimal (
    id uuid PRIMARY KEY, parent_id uuid, path text, type text, token integer DEFAULT 0, properties jsonb)`
await sql`INSERT INTO minimal (id, parent_id, path, type, properties) SELECT id, parent_id, path, type, properties FROM documents`
await sql`
  CREATE TABLE minimal_outbox (
    id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY, event text, document_id uuid, created_at timestamptz DEFAULT now())`

serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) =>
  process.stdout.write(`http://127.0.0.1:${port}\n`),
)
process.once('SIGTERM', () => process.exit())

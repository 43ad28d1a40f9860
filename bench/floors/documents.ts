/** A bare Hono handler for each of GET, POST and PUT, with the product's SQL and driver. Argument: Postgres. */
import { randomUUID } from 'node:crypto'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import postgres from 'postgres'
import { SELECT_BY_ID } from '../../storage/postgres/documents/rows.js'
import { UPDATE_PROPERTIES } from '../../storage/postgres/documents/write.js'

const sql = postgres(process.argv[2] ?? '', { max: 20, onnotice: () => undefined })
const app = new Hono()

type Entity = { name: string; type: string; properties: { [name: string]: string } }

type Row = { id: string; path: string; systemToken: number }

const find = (id: string) => sql.unsafe<Row[]>(SELECT_BY_ID, [id], { prepare: true })

app.get('/:id', async (c) => {
  const [row] = await find(c.req.param('id'))
  return row ? c.json(row) : c.notFound()
})

app.post('/:id', async (c) => {
  const { name, type, properties } = await c.req.json<Entity>()
  const [parent] = await find(c.req.param('id'))
  if (!parent) return c.notFound()
  const [row] = await sql`
    WITH d AS (
      INSERT INTO documents (id, parent_id, name, path, type, lifecycle_state, scope_id, properties)
      SELECT ${randomUUID()}, p.id, ${name}, ${`${parent.path}/${name}`}, ${type}, 'project', p.scope_id,
        ${sql.json(properties)}
      FROM documents p WHERE p.id = ${parent.id} AND p.path = ${parent.path} FOR KEY SHARE
      ON CONFLICT (path) WHERE path IS NOT NULL DO NOTHING
      RETURNING *
    ), told AS (
      INSERT INTO outbox (event, document_id, principal, payload)
      SELECT 'documentCreated', id, 'Administrator', '{}' FROM d
    )
    SELECT * FROM d`
  return c.json(row ?? {}, 201)
})

app.put('/:id', async (c) => {
  const { properties } = await c.req.json<Entity>()
  const [before] = await find(c.req.param('id'))
  if (!before) return c.notFound()
  const events = [{ event: 'documentModified', documentId: before.id, payload: {} }]
  const values = [properties, [], 1, before.id, before.systemToken, 'Administrator', events]
  const [row] = await sql.unsafe(UPDATE_PROPERTIES, values as never[], { prepare: true })
  return row ? c.json(row) : c.json({}, 409)
})

serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) =>
  process.stdout.write(`http://127.0.0.1:${port}\n`),
)
process.once('SIGTERM', () => process.exit())

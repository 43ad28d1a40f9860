/** A plain loop of transactions over the documents of the loop's bench, on request. Argument: Postgres. */
import { createServer } from 'node:http'
import postgres from 'postgres'

const sql = postgres(process.argv[2] ?? '', { max: 4, onnotice: () => undefined })

const touch = (id: string): Promise<unknown> =>
  sql.begin(async (tx) => {
    const [row] = await tx<{ system_token: number }[]>`
      SELECT * FROM documents WHERE id = ${id} FOR NO KEY UPDATE`
    await tx`
      WITH d AS (
        UPDATE documents SET
          properties = properties || ${tx.json({ 'dc:description': 'floor', 'dc:modified': new Date().toISOString() })},
          system_token = system_token + 1, user_token = user_token + 1
        WHERE id = ${id} AND system_token = ${row?.system_token ?? 0}
        RETURNING *
      ), told AS (
        INSERT INTO outbox (event, document_id, principal, payload)
        SELECT 'documentModified', id, 'Administrator', ${tx.json({ properties: ['dc:description'] })} FROM d
      )
      SELECT * FROM d`
  })

const server = createServer(async (_, response) => {
  const ids = await sql<{ id: string }[]>`SELECT id FROM documents WHERE path LIKE '/bench-loop/%'`
  for (const { id } of ids) await touch(id)
  response.end('done')
})

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address) process.stdout.write(`http://127.0.0.1:${address.port}\n`)
})
process.once('SIGTERM', () => process.exit())

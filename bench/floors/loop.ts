/**
 * A plain loop of transactions over the documents of the loop's bench, each with the product's statements, on
 * request. Argument: Postgres.
 */
import { createServer } from 'node:http'
import postgres from 'postgres'
import type { DocumentRecord } from '../../core/documents/index.js'
import { principalOf } from '../../core/security/index.js'
import { SELECT_BY_ID } from '../../storage/postgres/documents/rows.js'
import { createWrites } from '../../storage/postgres/documents/write.js'

const sql = postgres(process.argv[2] ?? '', { max: 4, onnotice: () => undefined })
const principal = principalOf('Administrator', [], true)

const touch = (id: string): Promise<unknown> =>
  sql.begin(async (tx) => {
    const [row] = await tx.unsafe<DocumentRecord[]>(`${SELECT_BY_ID} FOR NO KEY UPDATE OF d`, [id], {
      prepare: true,
    })
    if (!row) throw new Error(`The document ${id} is gone`)
    const properties = { 'dc:description': 'floor', 'dc:modified': new Date().toISOString() }
    const change = { id, properties, isUserChange: true, expectedSystemToken: row.systemToken }
    const payload = { path: row.path, type: row.type }
    return createWrites(tx, principal).update(change, [
      { event: 'documentModified', documentId: id, payload },
    ])
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

/**
 * A plain loop of transactions over the documents of the loop's bench, each with the product's statements, on
 * request. Argument: Postgres.
 */
import { createServer } from 'node:http'
import postgres from 'postgres'
import { touch } from './touch.js'

const sql = postgres(process.argv[2] ?? '', { max: 4, onnotice: () => undefined })
const server = createServer(async (_, response) => {
  const ids = await sql<{ id: string }[]>`SELECT id FROM documents WHERE path LIKE '/bench-loop/%'`
  for (const { id } of ids) await sql.begin((tx) => touch(tx, id))
  response.end('done')
})

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address) process.stdout.write(`http://127.0.0.1:${address.port}\n`)
})
process.once('SIGTERM', () => process.exit())

/**
 * Creates the documents of the bulk bench (`POST /make/{count}`), and updates them in plain transactions of a hundred
 * (`POST /`), each read and written with its event by the product's statements. Argument: Postgres.
 */

import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import postgres, { type TransactionSql } from 'postgres'
import type { DocumentRecord } from '../../core/model/properties/index.js'
import { SELECT_BY_PATH } from '../../storage/postgres/documents/rows.js'
import { createWrites } from '../../storage/postgres/documents/writing.js'
import { administrator, touch } from './touch.js'

const BATCH = 100
const FOLDER = '/bench-bulk'

const sql = postgres(process.argv[2] ?? '', { max: 4, onnotice: () => undefined })
const inBatches = async <Item>(
  items: readonly Item[],
  work: (tx: TransactionSql, item: Item) => Promise<void>,
): Promise<void> => {
  for (let from = 0; from < items.length; from += BATCH)
    await sql.begin(async (tx) => {
      for (const item of items.slice(from, from + BATCH)) await work(tx, item)
    })
}

const make = async (count: number): Promise<void> => {
  const [parent] = await sql.unsafe<DocumentRecord[]>(SELECT_BY_PATH, [FOLDER], { prepare: true })
  if (!parent) throw new Error(`${FOLDER} is gone`)
  await inBatches([...Array(count).keys()], async (tx, index) => {
    const name = `item-${index}`
    const place = { id: randomUUID(), parentId: parent.id, name, path: `${FOLDER}/${name}` }
    const record = { ...parent, ...place, type: 'File', properties: { 'dc:title': name } }
    const payload = { path: record.path, type: record.type }
    const event = { event: 'documentCreated', documentId: record.id, payload }
    await createWrites(tx, { principal: administrator }).insert(record, [event], parent)
  })
  await sql`ANALYZE documents`
}

const server = createServer(async ({ url = '/' }, response) => {
  const [, count] = /^\/make\/(\d+)$/.exec(url) ?? []
  if (count !== undefined) await make(Number(count))
  else {
    const ids = await sql<{ id: string }[]>`SELECT id FROM documents WHERE path LIKE ${`${FOLDER}/%`}`
    await inBatches(ids, (tx, { id }) => touch(tx, id))
  }
  response.end('done')
})

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address) process.stdout.write(`http://127.0.0.1:${address.port}\n`)
})
process.once('SIGTERM', () => process.exit())

import postgres from 'postgres'
import { startChild } from '../harness/child.js'
import { call, createDocument, deployChain, runChain } from '../harness/client.js'
import { alternate, timed } from '../harness/rounds.js'
import type { Measure } from '../harness/types.js'

const ITEM = `
- Context.RestoreDocumentInput:
    name: item
- Document.SetProperty:
    xpath: dc:description
    value: done
`

const LOOP = `
- Repository.Query:
    query: SELECT * FROM File WHERE ecm:path STARTSWITH '/bench-loop'
- Context.SetInputAsVar:
    name: found
- Context.RunOperationOnListInNewTx:
    id: bench-item
    list: found
    item: item
`

/**
 * A loop in new transactions over HTTP, query, workflow and answer included, against a plain loop over the
 * same documents: each read and written, with its event, in a transaction.
 */
export const measureLoop: Measure = async ({ servers, isQuick, atEnd }) => {
  const items = isQuick ? 100 : 1_000
  await createDocument(servers.apiUrl, { parent: '/', type: 'Folder', name: 'bench-loop' })
  for (let index = 0; index < items; index++)
    await createDocument(servers.apiUrl, { parent: '/bench-loop', type: 'File', name: `item-${index}` })
  await deployChain(servers.apiUrl, 'bench-item', ITEM)
  await deployChain(servers.apiUrl, 'bench-loop', LOOP)
  const floor = await startChild('floors/loop.ts', [servers.databaseUrl])
  atEnd(floor.stop)
  const rate = async (work: () => Promise<unknown>): Promise<number> => (items * 1_000) / (await timed(work))
  const rates = await alternate(isQuick ? 1 : 5, {
    ours: () => rate(() => runChain(servers.apiUrl, 'bench-loop')),
    floor: () => rate(() => call('POST', floor.ready)),
  })
  const sql = postgres(servers.databaseUrl, { max: 1 })
  const [done] = await sql<{ count: number }[]>`
    SELECT count(*)::int FROM documents WHERE path LIKE '/bench-loop/%' AND properties ->> 'dc:description' = 'done'`
  await sql.end()
  if (done?.count !== items) throw new Error(`The loop did ${done?.count} of ${items} items`)
  return [{ name: `loop of ${items} transactions`, unit: '1/s', ...rates, goal: { least: 0.7 } }]
}

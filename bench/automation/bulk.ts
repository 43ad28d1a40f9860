import { setTimeout as pause } from 'node:timers/promises'
import { startChild } from '../harness/child.js'
import { call, createDocument, json } from '../harness/client.js'
import { documentsOr } from '../harness/documents.js'
import { alternate, timed } from '../harness/rounds.js'
import type { Measure } from '../harness/types.js'

const QUERY = "SELECT * FROM File WHERE ecm:path STARTSWITH '/bench-bulk'"

type Status = { commandId: string; state: string; processed: number; errorCount: number }

/**
 * An update of all documents that a query finds by a bulk command over HTTP, from the request to its end, against
 * the same updates in plain transactions of as many documents.
 */
export const measureBulk: Measure = async ({ servers: { apiUrl, databaseUrl }, isQuick, atEnd }) => {
  const items = documentsOr(isQuick ? 2_000 : 100_000)
  const floor = await startChild('floors/bulk.ts', [databaseUrl])
  atEnd(floor.stop)
  await createDocument(apiUrl, { parent: '/', type: 'Folder', name: 'bench-bulk' })
  await call('POST', `${floor.ready}/make/${items}`)

  let round = 0
  const update = async (): Promise<void> => {
    const given = await call(
      'POST',
      `${apiUrl}/api/v1/search/bulk/setProperties?query=${encodeURIComponent(QUERY)}`,
      {
        body: JSON.stringify({ 'dc:description': `round ${round++}` }),
      },
    )
    let status = json<Status>(given)
    while (status.state !== 'COMPLETED' && status.state !== 'ABORTED') {
      await pause(50)
      status = json<Status>(await call('GET', `${apiUrl}/api/v1/bulk/${status.commandId}`))
    }
    if (status.processed !== items || status.errorCount > 0)
      throw new Error(`The command did ${status.processed} of ${items}, ${status.errorCount} failed`)
  }
  const rate = async (work: () => Promise<unknown>): Promise<number> => (items * 1_000) / (await timed(work))
  const rates = await alternate(isQuick ? 1 : 3, {
    ours: () => rate(update),
    floor: () => rate(() => call('POST', floor.ready)),
  })
  return [{ name: `bulk update of ${items} documents`, unit: '1/s', ...rates, goal: { least: 0.6 } }]
}

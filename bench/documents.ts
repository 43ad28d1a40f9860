import { startChild } from './child.js'
import { AUTHORIZATION, createDocument } from './client.js'
import type { Load } from './load.js'
import { inTurns } from './rounds.js'
import type { Figure, Measure } from './types.js'

const CALLERS = 32

/** Requests a second that a generator in its own process gets answered. */
const generate = async (load: Load): Promise<number> => {
  const child = await startChild('load.ts', [JSON.stringify(load)])
  await child.stop()
  return Number(child.ready)
}

const entity = (name: string): string =>
  JSON.stringify({ 'entity-type': 'document', type: 'File', name, properties: { 'dc:title': 'bench #' } })

/** Reading, making and changing a document over HTTP against a bare handler with the same SQL. */
export const measureDocuments: Measure = async ({ servers, isQuick, atEnd }) => {
  const parent = await createDocument(servers.apiUrl, {
    parent: '/',
    type: 'Folder',
    name: 'bench-documents',
  })
  const ids: string[] = []
  for (let index = 0; index < CALLERS * 4; index++)
    ids.push(
      await createDocument(servers.apiUrl, { parent: '/bench-documents', type: 'File', name: `d-${index}` }),
    )
  const floor = await startChild('floors/documents.ts', [servers.databaseUrl])
  atEnd(floor.stop)
  const api = `${servers.apiUrl}/api/v1/id`
  const headers = { authorization: AUTHORIZATION, 'content-type': 'application/json' }
  const load = { callers: CALLERS, seconds: isQuick ? 1 : 4, headers }
  const kinds = [
    { method: 'GET', targets: ids },
    { method: 'POST', targets: [parent], body: entity('made-#') },
    { method: 'PUT', targets: ids, body: entity('d') },
  ]
  const figures: Figure[] = []
  for (const { method, targets, body } of kinds) {
    const rate = (base: string) => () =>
      generate({ ...load, method, body, urls: targets.map((id) => `${base}/${id}`) })
    const rates = await inTurns(isQuick ? 1 : 3, { ours: rate(api), floor: rate(floor.ready) })
    const name = `document ${method}, ${CALLERS} callers`
    figures.push({ name, unit: '1/s', ...rates, goal: { least: 0.6 } })
  }
  return figures
}

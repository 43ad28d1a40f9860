import { startChild } from './child.js'
import { AUTHORIZATION, createDocument } from './client.js'
import { generate } from './generate.js'
import { alternate } from './rounds.js'
import type { Figure, Measure } from './types.js'

const CALLERS = 32

const entity = (name: string): string =>
  JSON.stringify({ 'entity-type': 'document', type: 'File', name, properties: { 'dc:title': 'bench #' } })

/** Reading, creating and updating a document over HTTP against a bare handler with the same SQL. */
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
  const paths = ids.map((_, index) => `/bench-documents/d-${index}`)
  const headers = { authorization: AUTHORIZATION, 'content-type': 'application/json' }
  const load = { callers: CALLERS, seconds: isQuick ? 1 : 4, headers }
  const kinds: { name: string; method: string; targets: string[]; at?: string; body?: string }[] = [
    { name: 'document GET', method: 'GET', targets: ids },
    { name: 'document GET by path', method: 'GET', targets: paths, at: `${servers.apiUrl}/api/v1/path` },
    {
      name: '50 children with permissions and breadcrumb',
      method: 'GET',
      targets: [`${parent}/@children?pageSize=50&enrichers-document=permissions,breadcrumb`],
    },
    { name: 'document POST', method: 'POST', targets: [parent], body: entity('made-#') },
    { name: 'document PUT', method: 'PUT', targets: ids, body: entity('d') },
  ]
  const figures: Figure[] = []
  for (const { name, method, targets, at = api, body } of kinds) {
    const rate = (base: string) => () =>
      generate({
        ...load,
        method,
        body,
        urls: targets.map((target) => `${base}${target.startsWith('/') ? '' : '/'}${target}`),
      })
    const floorBase = at === api ? floor.ready : `${floor.ready}/path`
    const rates = await alternate(isQuick ? 1 : 3, { ours: rate(at), floor: rate(floorBase) })
    figures.push({ name: `${name}, ${CALLERS} callers`, unit: '1/s', ...rates, goal: { least: 0.6 } })
  }
  return figures
}

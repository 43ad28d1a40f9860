import { startChild } from '../harness/child.js'
import { AUTHORIZATION, createDocument } from '../harness/client.js'
import { generate } from '../harness/generate.js'
import { alternate } from '../harness/rounds.js'
import type { Figure, Measure } from '../harness/types.js'

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
  type Kind = {
    name: string
    method: string
    targets: string[]
    at?: string
    body?: string
    minimal?: number
  }
  const kinds: Kind[] = [
    { name: 'document GET', method: 'GET', targets: ids, minimal: 0.45 },
    { name: 'document GET by path', method: 'GET', targets: paths, at: `${servers.apiUrl}/api/v1/path` },
    {
      name: '50 children with permissions and breadcrumb',
      method: 'GET',
      targets: [`${parent}/@children?pageSize=50&enrichers-document=permissions,breadcrumb`],
    },
    { name: 'document POST', method: 'POST', targets: [parent], body: entity('made-#'), minimal: 0.4 },
    { name: 'document PUT', method: 'PUT', targets: ids, body: entity('d'), minimal: 0.4 },
  ]
  const figures: Figure[] = []
  for (const { name, method, targets, at = api, body, minimal } of kinds) {
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
    if (minimal === undefined) continue
    const bare = await alternate(isQuick ? 1 : 3, { ours: rate(at), floor: rate(`${floor.ready}/minimal`) })
    const beside = `${name} beside one minimal statement, ${CALLERS} callers`
    figures.push({ name: beside, unit: '1/s', ...bare, goal: { least: minimal } })
  }
  return figures
}

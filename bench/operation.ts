import { startBuilt } from './child.js'
import { AUTHORIZATION, createDocument } from './client.js'
import { generate } from './generate.js'
import { inTurns } from './rounds.js'
import type { Figure, Measure } from './types.js'

const CALLERS = 32

/** Single operations over REST against the same calls of the core, in a transaction each, behind a bare handler. */
export const measureOperations: Measure = async ({ servers, isQuick, atEnd }) => {
  const folder = await createDocument(servers.apiUrl, {
    parent: '/',
    type: 'Folder',
    name: 'bench-operation',
  })
  const floor = await startBuilt('floors/operation.ts', [], { ...process.env, ...servers.env })
  atEnd(floor.stop)
  const headers = { authorization: AUTHORIZATION, 'content-type': 'application/json' }
  const creation = { type: 'File', name: 'made-#', properties: { 'dc:title': 'bench #' } }
  const calls: { [operation: string]: object } = {
    'Repository.GetDocument': { params: { value: folder } },
    'Document.Create': { input: `doc:${folder}`, params: creation },
  }
  const figures: Figure[] = []
  for (const [operation, call] of Object.entries(calls)) {
    /** Milliseconds of a call, with all callers busy. */
    const cost = (base: string) => async () => {
      const load = { method: 'POST', urls: [`${base}/${operation}`], callers: CALLERS, headers }
      return 1_000 / (await generate({ ...load, seconds: isQuick ? 1 : 4, body: JSON.stringify(call) }))
    }
    const costs = await inTurns(isQuick ? 1 : 3, {
      ours: cost(`${servers.apiUrl}/api/v1/automation`),
      floor: cost(floor.ready),
    })
    figures.push({ name: `${operation}, ${CALLERS} callers`, unit: 'ms', ...costs, goal: { most: 1.25 } })
  }
  return figures
}

import { startBuilt } from '../harness/child.js'
import { AUTHORIZATION, createDocument } from '../harness/client.js'
import { generate, WARM_UP_SECONDS } from '../harness/generate.js'
import { alternate } from '../harness/rounds.js'
import type { Figure, Measure } from '../harness/types.js'

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
    const calling = (base: string, seconds: number): Promise<number> => {
      const load = { method: 'POST', urls: [`${base}/${operation}`], callers: CALLERS, headers }
      return generate({ ...load, seconds, body: JSON.stringify(call) })
    }
    /** Milliseconds of a call, with all callers busy. */
    const cost = (base: string) => async () => 1_000 / (await calling(base, isQuick ? 1 : 4))
    const bases = { ours: `${servers.apiUrl}/api/v1/automation`, floor: floor.ready }
    for (const base of Object.values(bases)) await calling(base, isQuick ? 1 : WARM_UP_SECONDS)
    const costs = await alternate(isQuick ? 1 : 3, { ours: cost(bases.ours), floor: cost(bases.floor) })
    figures.push({ name: `${operation}, ${CALLERS} callers`, unit: 'ms', ...costs, goal: { most: 1.25 } })
  }
  return figures
}

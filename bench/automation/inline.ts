import { startBuilt } from '../harness/child.js'
import { AUTHORIZATION, createDocument, deployChain } from '../harness/client.js'
import { generate, WARM_UP_SECONDS } from '../harness/generate.js'
import { alternate } from '../harness/rounds.js'
import type { Figure, Measure, MeasureContext } from '../harness/types.js'
import { startN8n } from './n8n.js'

const CHAIN = `
execution: inline
params:
- folder: {type: string, required: true}
- key: {type: string, required: true}
operations:
- Repository.GetDocument:
    value: 'expr:@{ChainParameters["folder"]}'
- Context.SetVar:
    name: title
    value: 'expr:@{Document.name} of a chain'
- Document.Create:
    type: File
    name: 'expr:@{ChainParameters["key"]}'
    properties:
      dc:title: 'expr:@{title}'
`

const CALLERS = [1, 32]

/** A call of many callers, each with a unique name. */
const callOf = (url: string, folder: string) => ({
  method: 'POST',
  urls: [url],
  headers: { authorization: AUTHORIZATION, 'content-type': 'application/json' },
  body: JSON.stringify({ params: { folder, key: 'made-#' }, context: {} }),
})

const compareWithN8n = async (
  ours: () => Promise<number>,
  { isQuick, atEnd, seconds }: Pick<MeasureContext, 'isQuick' | 'atEnd'> & { seconds: number },
): Promise<Figure[]> => {
  const installed = process.env.ARCHIVOLT_BENCH_N8N
  if (installed === undefined) {
    process.stderr.write('ARCHIVOLT_BENCH_N8N names no folder with n8n: its row is left out\n')
    return []
  }
  const n8n = await startN8n(installed)
  atEnd(n8n.stop)
  const callers = CALLERS.at(-1) ?? 1
  const rates = await alternate(isQuick ? 1 : 3, {
    ours,
    floor: () => generate({ ...callOf(n8n.url, '/bench-inline'), callers, seconds }),
  })
  return [{ name: `inline chain, ${callers} callers, beside n8n`, unit: '1/s', ...rates, goal: { least: 3 } }]
}

/** An inline chain of three operations over HTTP against a bare handler with the same SQL in one transaction. */
export const measureInline: Measure = async ({ servers, isQuick, atEnd }) => {
  await createDocument(servers.apiUrl, { parent: '/', type: 'Folder', name: 'bench-inline' })
  await createDocument(servers.apiUrl, { parent: '/', type: 'Folder', name: 'bench-inline-floor' })
  await deployChain(servers.apiUrl, 'bench-inline', CHAIN)
  const floor = await startBuilt('floors/inline.ts', [servers.databaseUrl])
  atEnd(floor.stop)
  const seconds = isQuick ? 1 : 4
  const calls = {
    ours: callOf(`${servers.apiUrl}/api/v1/automation/bench-inline`, '/bench-inline'),
    floor: callOf(floor.ready, '/bench-inline-floor'),
  }
  const most = CALLERS.at(-1) ?? 1
  const ours = (callers: number) => () => generate({ ...calls.ours, callers, seconds })
  for (const call of Object.values(calls))
    await generate({ ...call, callers: most, seconds: isQuick ? 1 : WARM_UP_SECONDS })
  const figures: Figure[] = []
  for (const callers of CALLERS) {
    const rates = await alternate(isQuick ? 1 : 3, {
      ours: ours(callers),
      floor: () => generate({ ...calls.floor, callers, seconds }),
    })
    const name = `inline chain, ${callers} ${callers === 1 ? 'caller' : 'callers'}`
    figures.push({ name, unit: '1/s', ...rates, goal: { least: 0.6 } })
  }
  return [...figures, ...(await compareWithN8n(ours(most), { isQuick, atEnd, seconds }))]
}

import { startChild } from './child.js'
import { AUTHORIZATION, createDocument, deployChain } from './client.js'
import type { Load } from './load.js'
import { inTurns } from './rounds.js'
import type { Figure, Measure } from './types.js'

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

/** Requests a second that a generator in its own process gets answered. */
const generate = async (load: Load): Promise<number> => {
  const child = await startChild('load.ts', [JSON.stringify(load)])
  await child.stop()
  return Number(child.ready)
}

/** An inline chain of three operations over HTTP against a bare handler with the same SQL in one transaction. */
export const measureInline: Measure = async ({ servers, isQuick, atEnd }) => {
  await createDocument(servers.apiUrl, { parent: '/', type: 'Folder', name: 'bench-inline' })
  await createDocument(servers.apiUrl, { parent: '/', type: 'Folder', name: 'bench-inline-floor' })
  await deployChain(servers.apiUrl, 'bench-inline', CHAIN)
  const floor = await startChild('floors/inline.ts', [servers.databaseUrl])
  atEnd(floor.stop)
  const headers = { authorization: AUTHORIZATION, 'content-type': 'application/json' }
  const figures: Figure[] = []
  for (const callers of [1, 32]) {
    const rate = (url: string, folder: string) => () =>
      generate({
        method: 'POST',
        urls: [url],
        callers,
        seconds: isQuick ? 1 : 4,
        headers,
        body: JSON.stringify({ params: { folder, key: 'made-#' }, context: {} }),
      })
    const rates = await inTurns(isQuick ? 1 : 3, {
      ours: rate(`${servers.apiUrl}/api/v1/automation/bench-inline`, '/bench-inline'),
      floor: rate(floor.ready, '/bench-inline-floor'),
    })
    const name = `inline chain, ${callers} ${callers === 1 ? 'caller' : 'callers'}`
    figures.push({ name, unit: '1/s', ...rates, goal: { least: 0.6 } })
  }
  return figures
}

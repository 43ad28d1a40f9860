import { randomUUID } from 'node:crypto'
import { startFloorEngine } from '../floors/engine.js'
import { createDocument, deployChain, runChain } from '../harness/client.js'
import { alternate, median, timed } from '../harness/rounds.js'
import type { Figure, Measure, MeasureContext } from '../harness/types.js'

const CHAIN = `
params:
- key:
    type: string
    required: true
operations:
- Repository.GetDocument:
    value: /bench-chains
- Context.SetVar:
    name: title
    value: 'expr:@{Document.name} of a chain'
- Document.Create:
    type: File
    name: 'expr:@{ChainParameters["key"]}'
    properties:
      dc:title: 'expr:@{title}'
`

/** A chain of three operations that writes one document; it is called over HTTP. */
const prepareChain = async ({ servers }: MeasureContext): Promise<() => Promise<unknown>> => {
  await createDocument(servers.apiUrl, { parent: '/', type: 'Folder', name: 'bench-chains' })
  await deployChain(servers.apiUrl, 'bench-three', CHAIN)
  return () => runChain(servers.apiUrl, 'bench-three', { key: randomUUID() })
}

export const latency = async (work: () => Promise<unknown>, calls: number): Promise<number> => {
  const times: number[] = []
  for (let index = 0; index < calls; index++) times.push(await timed(work))
  return median(times)
}

/** Runs a second that so many callers reach who each wait for one run before they start the next. */
export const throughput = async (
  work: () => Promise<unknown>,
  callers: number,
  runs: number,
): Promise<number> => {
  let left = runs
  const caller = async (): Promise<void> => {
    while (left-- > 0) await work()
  }
  const milliseconds = await timed(() => Promise.all(Array.from({ length: callers }, caller)))
  return (runs * 1_000) / milliseconds
}

/** Chains against bare workflows of one local activity with one transaction, on the same server. */
export const measureChains: Measure = async (context) => {
  const ours = await prepareChain(context)
  const floor = await startFloorEngine(context)
  const rounds = context.isQuick ? 1 : 5
  const calls = context.isQuick ? 10 : 40
  const single = await alternate(rounds, {
    ours: () => latency(ours, calls),
    floor: () => latency(floor, calls),
  })
  const figures: Figure[] = [{ name: 'sync chain, 1 caller', unit: 'ms', ...single, goal: { most: 1.3 } }]
  for (const callers of [10, 40]) {
    const runs = context.isQuick ? callers : 400
    const rates = await alternate(context.isQuick ? 1 : 3, {
      ours: () => throughput(ours, callers, runs),
      floor: () => throughput(floor, callers, runs),
    })
    const name = `chains, ${callers} callers`
    figures.push({ name, unit: '1/s', ...rates, goal: { least: 0.85 } })
  }
  return figures
}

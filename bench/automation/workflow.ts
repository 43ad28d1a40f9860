import { setTimeout as pause } from 'node:timers/promises'
import { startHeldEngine } from '../floors/engine.js'
import {
  AUTHORIZATION,
  call,
  createDocument,
  deployChain,
  json,
  LEARN_MS,
  NUMBERED_FILE,
} from '../harness/client.js'
import { generate } from '../harness/generate.js'
import { alternate, median, quantile } from '../harness/rounds.js'
import type { Figure, Measure, MeasureContext } from '../harness/types.js'
import { treeProcessorMs } from '../harness/usage.js'
import { latency, throughput } from './chain.js'

const MODEL = `
nodes:
  begin: { start: true, transitions: [{ name: go, targetId: ask }] }
  ask:
    hasTask: true
    taskAssigneesExpr: workflowInitiator
    taskDueDateExpr: CurrentDate.days(1)
    transitions: [{ name: go, targetId: end }]
    escalationRules: [{ name: late, condition: timeSinceDueDateIsOver() >= 0, chain: voidChain }]
  end: { stop: true }
`

const CALLERS = 10

const contribute = async (apiUrl: string, address: string, body: string): Promise<void> => {
  const headers = { 'content-type': 'application/yaml' }
  await call('PUT', `${apiUrl}/api/v1/contributions/${address}`, { body, headers })
}

const starting = (apiUrl: string) => {
  const body = JSON.stringify({ 'entity-type': 'workflow', workflowModelName: 'bench-review' })
  return async (): Promise<string> =>
    json<{ id: string }>(await call('POST', `${apiUrl}/api/v1/workflow`, { body })).id
}

type Spent = Record<'ends' | 'starts', { ours: number[]; floor: number[] }>

/** Ends of tasks and starts of workflows, beside Updates of bare ones with the least that both must write. */
const measureMoves = async (context: MeasureContext): Promise<Figure[]> => {
  const { isQuick } = context
  const { apiUrl } = context.servers
  const start = starting(apiUrl)
  const floor = await startHeldEngine(context)
  const rounds = isQuick ? 1 : 5
  const calls = isQuick ? 10 : 40

  /** What is to be ended is started before the time runs. */
  const ending = async (
    begin: () => Promise<string>,
    end: (id: string) => Promise<unknown>,
    into: number[],
  ): Promise<number> => {
    const ids: string[] = []
    for (let count = 0; count < calls; count++) ids.push(await begin())
    return spending(into, calls, () => latency(() => end(ids.pop() ?? ''), calls))
  }

  /** Processor time of all processes for each of some calls, beside what is measured of them. */
  const spent = { ends: { ours: [], floor: [] }, starts: { ours: [], floor: [] } } as Spent
  const spending = async (into: number[], count: number, measured: () => Promise<number>) => {
    const before = treeProcessorMs(process.pid)
    const value = await measured()
    into.push((treeProcessorMs(process.pid) - before) / count)
    return value
  }
  const processor = ({ ours, floor }: Spent['ends']) => ({ ours: median(ours), floor: median(floor) })
  const startTask = async (): Promise<string> => {
    const query = `workflowInstanceId=${await start()}`
    const { entries } = json<{ entries: { id: string }[] }>(
      await call('GET', `${apiUrl}/api/v1/task?${query}`),
    )
    return entries[0]?.id ?? ''
  }
  const body = JSON.stringify({ 'entity-type': 'task' })
  const ends = await alternate(rounds, {
    ours: () =>
      ending(startTask, (id) => call('PUT', `${apiUrl}/api/v1/task/${id}/ok`, { body }), spent.ends.ours),
    floor: () => ending(floor.begin, floor.finish, spent.ends.floor),
  })
  const runs = isQuick ? 40 : 1_000
  const starts = await alternate(isQuick ? 1 : 3, {
    ours: () => spending(spent.starts.ours, runs, () => throughput(start, CALLERS, runs)),
    floor: () => spending(spent.starts.floor, runs, () => throughput(floor.begin, CALLERS, runs)),
  })
  return [
    { name: 'end of a task, 1 caller', unit: 'ms', ...ends, goal: { most: 1.5 } },
    { name: 'processor time of it, all processes', unit: 'ms', ...processor(spent.ends) },
    { name: `starts of workflows, ${CALLERS} callers`, unit: '1/s', ...starts, goal: { least: 0.8 } },
    { name: 'processor time of one, all processes', unit: 'ms', ...processor(spent.starts) },
  ]
}

const WRITES_A_SECOND = 200
const WRITERS = 8

type ListedRuns = { entries: { documentId?: string; startedAt: string }[]; nextCursor?: string }

/** Milliseconds from the commits of documents to the starts of what listens to them. */
const delaysOf = async (apiUrl: string, created: ReadonlyMap<string, number>): Promise<number[]> => {
  const delays = new Map<string, number>()
  const page = async (cursor: string | undefined): Promise<string | undefined> => {
    const query = new URLSearchParams({
      event: 'documentCreated',
      pageSize: '100',
      ...(cursor && { cursor }),
    })
    const found = json<ListedRuns>(await call('GET', `${apiUrl}/api/v1/automation/runs?${query}`))
    for (const { documentId, startedAt } of found.entries) {
      const at = created.get(documentId ?? '')
      if (at !== undefined) delays.set(documentId ?? '', new Date(startedAt).getTime() - at)
    }
    return found.nextCursor
  }
  while (delays.size < created.size) {
    await pause(500)
    for (let cursor = await page(undefined); cursor && delays.size < created.size; )
      cursor = await page(cursor)
  }
  return [...delays.values()]
}

/** Writes at a steady rate. @returns when each was answered, and the milliseconds that it took. */
const writePaced = async (address: string, { seconds, name }: { seconds: number; name: string }) => {
  const created = new Map<string, number>()
  const took: number[] = []
  const write = async (count: number): Promise<void> => {
    const body = NUMBERED_FILE.replaceAll('#', `${name}-${count}`)
    const begun = performance.now()
    const { uid } = json<{ uid: string }>(await call('POST', address, { body }))
    took.push(performance.now() - begun)
    created.set(uid, Date.now())
  }
  const startedAt = performance.now()
  const writes: Promise<void>[] = []
  for (let count = 0; count < seconds * WRITES_A_SECOND; count++) {
    const wait = startedAt + (count * 1_000) / WRITES_A_SECOND - performance.now()
    if (wait > 0) await pause(wait)
    writes.push(write(count))
  }
  await Promise.all(writes)
  const rate = (writes.length * 1_000) / (performance.now() - startedAt)
  return { created, rate, took: took.reduce((sum, ms) => sum + ms, 0) / took.length }
}

/** How late a listener after the commit starts, and what writing costs beside it. */
const measureListeners = async ({ servers, isQuick }: MeasureContext): Promise<Figure[]> => {
  const { apiUrl } = servers
  const parent = await createDocument(apiUrl, { parent: '/', type: 'Folder', name: 'bench-heard' })
  const address = `${apiUrl}/api/v1/id/${parent}`
  const seconds = isQuick ? 3 : 10
  await deployChain(apiUrl, 'bench-heard', 'operations:\n- Context.SetVar: { name: heard, value: yes }\n')
  const listen = async (enabled: boolean): Promise<void> => {
    const listener = { events: ['documentCreated'], chain: 'bench-heard', async: true, enabled }
    await contribute(
      apiUrl,
      'listeners/bench',
      JSON.stringify({ ...listener, postCommit: true, pathStartsWith: '/bench-heard' }),
    )
    await pause(LEARN_MS)
  }

  const rates: number[] = []
  const delays: number[] = []
  const paced = (isHeard: boolean) => async (): Promise<number> => {
    await listen(isHeard)
    const { created, rate, took } = await writePaced(address, { seconds, name: `paced-${rates.length}` })
    rates.push(rate)
    if (isHeard) delays.push(...(await delaysOf(apiUrl, created)))
    return took
  }
  const headers = { authorization: AUTHORIZATION, 'content-type': 'application/json' }
  const writing = (isHeard: boolean) => async (): Promise<number> => {
    await listen(isHeard)
    const load = { method: 'POST', urls: [address], callers: WRITERS, seconds, headers }
    return generate({ ...load, body: NUMBERED_FILE })
  }
  const rounds = isQuick ? 1 : 3
  const times = await alternate(rounds, { ours: paced(true), floor: paced(false) })
  const most = await alternate(rounds, { ours: writing(true), floor: writing(false) })
  await listen(false)
  const rate = median(rates).toFixed(0)
  return [
    {
      name: `start of a listener, p95, at ${rate} writes a second`,
      unit: 'ms',
      ours: quantile(delays, 0.95),
      goal: { most: 1_000 },
    },
    { name: `write with a listener, at ${rate} a second`, unit: 'ms', ...times, goal: { most: 1.05 } },
    { name: `writes with a listener, ${WRITERS} callers`, unit: '1/s', ...most, goal: { least: 0.95 } },
  ]
}

/** Workflows of documents, their tasks, and listeners after the commit. */
export const measureWorkflows: Measure = async (context) => {
  await contribute(context.servers.apiUrl, 'routes/bench-review', MODEL)
  return [...(await measureMoves(context)), ...(await measureListeners(context))]
}

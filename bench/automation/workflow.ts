import { startHeldEngine } from '../floors/engine.js'
import { call, contribute, json } from '../harness/client.js'
import { alternate, median } from '../harness/rounds.js'
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

/** Workflows of documents and their tasks. */
export const measureWorkflows: Measure = async (context) => {
  await contribute(context.servers.apiUrl, 'routes/bench-review', MODEL)
  return measureMoves(context)
}

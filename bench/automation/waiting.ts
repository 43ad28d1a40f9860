import { setTimeout as pause } from 'node:timers/promises'
import { call, LEARN_MS } from '../harness/client.js'
import type { Measure } from '../harness/types.js'
import { treeProcessorMs } from '../harness/usage.js'
import { throughput } from './chain.js'

const MODEL = `
variables: { after: { type: integer } }
nodes:
  begin: { start: true, transitions: [{ name: go, targetId: ask }] }
  ask:
    hasTask: true
    taskAssigneesExpr: workflowInitiator
    taskDueDateExpr: CurrentDate.seconds(WorkflowVariables["after"])
    transitions: [{ name: go, targetId: end }]
    escalationRules: [{ name: late, condition: timeSinceDueDateIsOver() >= 0, chain: voidChain }]
  end: { stop: true }
`

const CALLERS = 10
const DAY_SECONDS = 24 * 60 * 60

/** None is due while the bench runs. */
const FIRST_DUE_SECONDS = 60 * 60

const IDLE_SECONDS = 20

/** Milliseconds of processor time that all processes use in a second in which nobody calls. */
const idleProcessorMs = async (): Promise<number> => {
  await pause(LEARN_MS)
  const before = treeProcessorMs(process.pid)
  await pause(IDLE_SECONDS * 1_000)
  return (treeProcessorMs(process.pid) - before) / IDLE_SECONDS
}

/** What workflows that wait cost, with due dates and escalations spread over a day: memory, and polling if there were any. */
export const measureWaiting: Measure = async ({ servers, isQuick }) => {
  const { apiUrl } = servers
  const headers = { 'content-type': 'application/yaml' }
  await call('PUT', `${apiUrl}/api/v1/contributions/routes/bench-waiting`, { body: MODEL, headers })
  const count = isQuick ? 100 : 10_000
  const idleBefore = await idleProcessorMs()
  const memoryBefore = servers.residentMiB()
  let started = 0
  const start = () => {
    const after = FIRST_DUE_SECONDS + Math.floor((started++ * (DAY_SECONDS - FIRST_DUE_SECONDS)) / count)
    const asked = { workflowModelName: 'bench-waiting', variables: { after } }
    const body = JSON.stringify({ 'entity-type': 'workflow', ...asked })
    return call('POST', `${apiUrl}/api/v1/workflow`, { body })
  }
  await throughput(start, CALLERS, count)
  await pause(LEARN_MS)
  const memory = servers.residentMiB() - memoryBefore
  return [
    {
      name: `memory that ${count} workflows add that wait, in Temporal, API and worker`,
      unit: 'MiB',
      ours: memory,
      goal: { most: 1_024 },
    },
    {
      name: 'processor time a second while they wait, beside none, all processes',
      unit: 'ms',
      ours: await idleProcessorMs(),
      floor: idleBefore,
    },
  ]
}

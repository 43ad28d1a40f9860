import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { principalOf } from '../core/access/security/index.js'
import type { RunsContext } from './context.js'
import { reportRun } from './report.js'

const ADMINISTRATOR = principalOf('Administrator', [], true)

/** A run whose only step is answered by an error chain while it is being reported. */
const answeredMeanwhile = (): RunsContext => {
  const entries: object[] = []
  const incident = {
    ...{ kind: 'errorChain', chain: 'rescue', outcome: 'completed', endsRun: true },
    ...{ failure: { code: 'notFound', status: 404, message: 'no such thing' } },
    ...{ workflowId: 'demo-1', step: '0', at: new Date(0) },
  }
  const handle = {
    describe: async () => ({
      ...{ workflowId: 'demo-1', runId: 'r', type: 'chain', taskQueue: 'q', startTime: new Date(0), raw: {} },
      ...{ status: { name: 'RUNNING' }, memo: {}, typedSearchAttributes: { get: () => undefined } },
    }),
    query: async () => {
      await sleep(10)
      entries.push(incident)
      return { chainId: 'demo', nodes: [{ title: 'Log', kind: 'segment', status: 'done' }] }
    },
    client: { withDeadline: (_: number, work: () => Promise<unknown>) => work() },
  }
  const reading = {
    iterations: { ofRun: async () => [] },
    incidents: { list: async () => ({ entries: [...entries], count: entries.length }) },
    session: { documents: {} },
  }
  return {
    client: { workflow: { getHandle: () => handle }, options: { namespace: 'default' } },
    taskQueue: 'q',
    units: { reading: () => reading },
  } as unknown as RunsContext
}

test('a step that has failed is never reported as done', async () => {
  const { nodes } = await reportRun(answeredMeanwhile(), 'demo-1', ADMINISTRATOR)
  expect(nodes).toEqual([{ title: 'Log', kind: 'segment', status: 'caught' }])
})

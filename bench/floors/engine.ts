import { randomUUID } from 'node:crypto'
import { Client, Connection, WithStartWorkflowOperation } from '@temporalio/client'
import { startChild } from '../harness/child.js'
import type { MeasureContext } from '../harness/types.js'

/** Must equal that of `worker.ts`, which is a program and cannot be imported. */
const FLOOR_QUEUE = 'floor'

const openEngine = async ({ servers, atEnd }: MeasureContext): Promise<Client> => {
  const worker = await startChild('floors/worker.ts', [servers.temporalAddress, servers.databaseUrl])
  atEnd(worker.stop)
  const connection = await Connection.connect({ address: servers.temporalAddress })
  atEnd(() => connection.close())
  return new Client({ connection })
}

/** Starts the bare worker on the product's Temporal. @returns a function that runs one bare workflow. */
export const startFloorEngine = async (context: MeasureContext): Promise<() => Promise<unknown>> => {
  const client = await openEngine(context)
  return () => {
    const workflowId = `bare-${randomUUID()}`
    return client.workflow.execute('bare', { taskQueue: FLOOR_QUEUE, workflowId, args: [workflowId] })
  }
}

/** The same, for workflows that wait. @returns what starts one, and what ends it, each by an Update. */
export const startHeldEngine = async (context: MeasureContext) => {
  const client = await openEngine(context)
  const idOf = (id: string): string => `held-${id}`
  return {
    begin: async (): Promise<string> => {
      const id = randomUUID()
      await client.workflow.executeUpdateWithStart('move', {
        args: ['begin', id],
        startWorkflowOperation: new WithStartWorkflowOperation('held', {
          taskQueue: FLOOR_QUEUE,
          workflowId: idOf(id),
          workflowIdConflictPolicy: 'USE_EXISTING',
        }),
      })
      return id
    },
    finish: (id: string): Promise<unknown> =>
      client.workflow.getHandle(idOf(id)).executeUpdate('move', { args: ['finish', id] }),
  }
}

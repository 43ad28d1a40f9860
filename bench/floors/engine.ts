import { randomUUID } from 'node:crypto'
import { Client, Connection } from '@temporalio/client'
import { startChild } from '../child.js'
import type { MeasureContext } from '../types.js'

/** Must equal that of `worker.ts`, which is a program and cannot be imported. */
const FLOOR_QUEUE = 'floor'

/** Starts the bare worker on the product's Temporal. @returns a function that runs one bare workflow. */
export const startFloorEngine = async ({
  servers,
  atEnd,
}: MeasureContext): Promise<() => Promise<unknown>> => {
  const worker = await startChild('floors/worker.ts', [servers.temporalAddress, servers.databaseUrl])
  atEnd(worker.stop)
  const connection = await Connection.connect({ address: servers.temporalAddress })
  atEnd(() => connection.close())
  const client = new Client({ connection })
  return () => {
    const workflowId = `bare-${randomUUID()}`
    return client.workflow.execute('bare', { taskQueue: FLOOR_QUEUE, workflowId, args: [workflowId] })
  }
}

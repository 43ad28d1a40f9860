import { createServer, type Server, type ServerResponse } from 'node:http'
import type { NativeConnection, Worker } from '@temporalio/worker'
import { type HealthCheck, probe } from '../core/platform/telemetry/index.js'
import type { WorkerMetrics } from './metrics.js'

/** The worker's connection to Temporal: without it no work arrives. */
export const temporalCheck = (connection: NativeConnection): HealthCheck => ({
  name: 'temporal',
  isRequired: true,
  check: async () => {
    await connection.withDeadline(Date.now() + 1_500, () => connection.workflowService.getSystemInfo({}))
  },
})

/** Whether the worker polls for tasks: not while it starts or drains. */
export const pollingCheck = (worker: Worker): HealthCheck => ({
  name: 'polling',
  isRequired: true,
  check: async () => {
    const state = worker.getState()
    if (state !== 'RUNNING') throw new Error(`The worker is ${state}`)
  },
})

export type HealthServer = { port: number; close(): Promise<void> }

type HealthServerOptions = {
  /** Port 0 selects a free one; without a port nothing is served. */
  place: { host: string; port: number | undefined }
  checks: readonly HealthCheck[]
  metrics: WorkerMetrics
}

const send = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}

const listen = (server: Server, { host, port }: { host: string; port: number }): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error) =>
      reject(
        new Error(`${host}:${port} cannot be bound; set ARCHIVOLT_WORKER_PORT to another port`, {
          cause: error,
        }),
      ),
    )
    server.listen(port, host, resolve)
  })

/** Serves `/health/live`, `/health/ready` and `/metrics` of a worker, as the API does its own. */
export const startHealthServer = async ({
  place: { host, port },
  checks,
  metrics,
}: HealthServerOptions): Promise<HealthServer | undefined> => {
  if (port === undefined) return undefined
  const answers: { [path: string]: (response: ServerResponse) => Promise<void> } = {
    '/health/live': async (response) => send(response, 200, { state: 'up' }),
    '/health/ready': async (response) => {
      const readiness = await probe(checks)
      send(response, readiness.state === 'down' ? 503 : 200, readiness)
    },
    '/metrics': async (response) => {
      const text = await metrics.registry.metrics()
      response.writeHead(200, { 'Content-Type': metrics.registry.contentType }).end(text)
    },
  }
  const server = createServer((request, response) => {
    const answer = answers[request.url?.split('?')[0] ?? '']
    if (!answer) return send(response, 404, { state: 'unknown' })
    answer(response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
  })
  await listen(server, { host, port })
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

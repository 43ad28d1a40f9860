import { Client, Connection } from '@temporalio/client'
import postgres from 'postgres'
import { afterAll, expect, inject, test, vi } from 'vitest'
import { soon } from '../support/soon.js'
import { openOwnServers } from './own-servers.js'
import { residentMiB } from './resident-memory.js'

/** Enough for many buckets. `ARCHIVOLT_TEST_DOCUMENTS=100000 npm run test:slow` takes a few minutes longer. */
const DOCUMENTS = Number(process.env.ARCHIVOLT_TEST_DOCUMENTS ?? 20_000)
const MAX_MIB = 400
const MAX_EVENTS = 10_000
const MAX_HISTORY_BYTES = 10 * 1024 * 1024
/** Of all documents, before the worker is killed. */
const KILLS = [0.25, 0.6]

const { call, databaseUrl, startApi, startWorker } = await openOwnServers()
await startApi()
const sql = postgres(databaseUrl, { max: 1 })
const connection = await Connection.connect({ address: inject('temporalAddress') })
afterAll(async () => {
  await sql.end()
  await connection.close()
})

const JSON_TYPE = { 'Content-Type': 'application/json' }

const make = (parent: string, type: string, name: string): Promise<Response> => {
  const body = JSON.stringify({ 'entity-type': 'document', type, name, properties: { 'dc:source': '0' } })
  return call(`path${parent}`, { method: 'POST', body, headers: JSON_TYPE, expected: 201 })
}

type Status = { commandId: string; state: string; processed: number; errorCount: number }

const statusOf = async (commandId: string): Promise<Status> =>
  (await call(`bulk/${commandId}`, { expected: 200 })).json() as Promise<Status>

test(`a bulk command over ${DOCUMENTS} documents does each once, with little memory and a short history`, async () => {
  await make('/', 'Folder', 'many')
  await make('/many', 'File', 'file-0')
  await sql`
    INSERT INTO documents SELECT (jsonb_populate_record(d, jsonb_build_object(
      'id', gen_random_uuid(), 'name', 'file-' || n, 'path', '/many/file-' || n))).*
    FROM documents d, generate_series(1, ${DOCUMENTS - 1}::int) AS n WHERE d.path = '/many/file-0'`
  await sql`ANALYZE documents`
  let worker = await startWorker()
  let peakMiB = 0
  const query = encodeURIComponent("SELECT * FROM File WHERE ecm:path STARTSWITH '/many'")
  const given = await call(`search/bulk/setProperties?query=${query}`, {
    method: 'POST',
    body: JSON.stringify({ 'dc:source': '1' }),
    headers: JSON_TYPE,
    expected: 202,
  })
  const { commandId } = (await given.json()) as Status

  const reached = (processed: number): Promise<Status> =>
    vi.waitFor(
      async () => {
        peakMiB = Math.max(peakMiB, residentMiB(worker.pid))
        const status = await statusOf(commandId)
        expect(status.processed).toBeGreaterThanOrEqual(processed)
        return status
      },
      { timeout: 600_000, interval: 100 },
    )
  for (const part of KILLS) {
    await reached(Math.floor(part * DOCUMENTS))
    process.kill(worker.pid, 'SIGKILL')
    await worker.exited
    worker = await startWorker()
  }
  await reached(DOCUMENTS)
  const status = await soon(async () => {
    const found = await statusOf(commandId)
    expect(found.state).toBe('COMPLETED')
    return found
  })
  expect(status).toMatchObject({ processed: DOCUMENTS, errorCount: 0 })

  const [written] = await sql`
    SELECT count(*)::int AS count FROM documents WHERE path LIKE '/many/%' AND properties ->> 'dc:source' = '1'`
  expect(written?.count).toBe(DOCUMENTS)
  const [told] = await sql`
    SELECT count(*)::int AS count, count(DISTINCT document_id)::int AS documents FROM outbox
    WHERE event = 'documentModified'`
  expect(told).toEqual({ count: DOCUMENTS, documents: DOCUMENTS })

  const run = await new Client({ connection }).workflow.getHandle(`bulk-${commandId}`).describe()
  process.stdout.write(
    `${DOCUMENTS} documents: worker ${Math.round(peakMiB)} MiB, ${run.historyLength} events, ${run.historySize} bytes\n`,
  )
  expect(peakMiB).toBeLessThan(MAX_MIB)
  expect(run.historyLength).toBeLessThan(MAX_EVENTS)
  expect(run.historySize ?? 0).toBeLessThan(MAX_HISTORY_BYTES)
})

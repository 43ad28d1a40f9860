import { Client, Connection } from '@temporalio/client'
import postgres from 'postgres'
import { afterAll, expect, inject, test, vi } from 'vitest'
import { sized } from '../support/size.js'
import { soon } from '../support/soon.js'
import { openOwnServers } from './own-servers.js'
import { residentMiB } from './resident-memory.js'

/** Enough for many buckets; bench/README.md has the figures for 100,000. */
const DOCUMENTS = sized({ full: 100_000, sample: 10_000 })
const MAX_MIB = 400
const MAX_EVENTS = 10_000
const MAX_HISTORY_BYTES = 10 * 1024 * 1024
/** Of all documents, before the worker is killed. */
const KILLS = [0.25, 0.6]
/** Documents that fail, by their names. */
const REFUSED = [1, Math.floor(DOCUMENTS / 2), DOCUMENTS - 1].map((number) => `file-${number}`)
/** A busy machine does forty documents a second. */
const LONGEST_MS = 600_000 + 25 * DOCUMENTS

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

type Failure = { position: number; id: string }
type Status = {
  commandId: string
  state: string
  processed: number
  errorCount: number
  failures: Failure[]
}

/** How often each document was modified: all that the outbox says of it. */
const modified = async () => {
  const [reported] = await sql`
    SELECT count(*)::int AS count, count(DISTINCT document_id)::int AS documents FROM outbox
    WHERE event = 'documentModified'`
  return reported
}

const refuse = async (): Promise<void> => {
  await sql`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = 'invalid_parameter_value'; END $$`
  const names = REFUSED.map((name) => `'${name}'`).join(', ')
  await sql.unsafe(
    `CREATE TRIGGER refuse BEFORE UPDATE ON documents FOR EACH ROW WHEN (NEW.name IN (${names}))
     EXECUTE FUNCTION refuse()`,
  )
}

const statusOf = async (commandId: string): Promise<Status> =>
  (await call(`bulk/${commandId}`, { expected: 200 })).json() as Promise<Status>

test(`a bulk command over ${DOCUMENTS} documents does each once, with little memory and a short history`, {
  timeout: 2 * LONGEST_MS,
}, async () => {
  await make('/', 'Folder', 'many')
  await make('/many', 'File', 'file-0')
  await sql`
    INSERT INTO documents SELECT (jsonb_populate_record(d, jsonb_build_object(
      'id', gen_random_uuid(), 'name', 'file-' || n, 'path', '/many/file-' || n))).*
    FROM documents d, generate_series(1, ${DOCUMENTS - 1}::int) AS n WHERE d.path = '/many/file-0'`
  await sql`ANALYZE documents`
  await refuse()
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
      { timeout: LONGEST_MS, interval: 100 },
    )
  const begun = performance.now()
  for (const part of KILLS) {
    await reached(Math.floor(part * DOCUMENTS))
    process.kill(worker.pid, 'SIGKILL')
    await worker.exited
    worker = await startWorker()
  }
  await reached(DOCUMENTS)
  const seconds = (performance.now() - begun) / 1_000
  const completed = (id: string): Promise<Status> =>
    soon(async () => {
      const found = await statusOf(id)
      expect(found.state).toBe('COMPLETED')
      return found
    })
  const { processed, failures } = await completed(commandId)
  expect([processed, failures.length]).toEqual([DOCUMENTS, REFUSED.length])
  const done = DOCUMENTS - REFUSED.length
  expect(await modified()).toEqual({ count: done, documents: done })

  // One that failed is done again alone, then the others.
  await sql`DROP TRIGGER refuse ON documents`
  const again = async (positions: readonly number[]): Promise<void> => {
    const asked = await call(`automation/runs/bulk-${commandId}/items/retry`, {
      method: 'POST',
      body: JSON.stringify({ positions }),
      headers: JSON_TYPE,
      expected: 202,
    })
    const { workflowId } = (await asked.json()) as { workflowId: string }
    expect(await completed(workflowId.slice('bulk-'.length))).toMatchObject({
      processed: positions.length,
      errorCount: 0,
    })
  }
  const [first, ...others] = failures.map(({ position }) => position)
  await again([first!])
  expect(await modified()).toEqual({ count: done + 1, documents: done + 1 })
  await again(others)
  expect(await statusOf(commandId)).toMatchObject({ errorCount: 0, failures: [] })

  const [written] = await sql`
    SELECT count(*)::int AS count FROM documents WHERE path LIKE '/many/%' AND properties ->> 'dc:source' = '1'`
  expect(written?.count).toBe(DOCUMENTS)
  expect(await modified()).toEqual({ count: DOCUMENTS, documents: DOCUMENTS })

  const run = await new Client({ connection }).workflow.getHandle(`bulk-${commandId}`).describe()
  process.stdout.write(
    `${DOCUMENTS} documents in ${Math.round(seconds)} s: worker ${Math.round(peakMiB)} MiB, ` +
      `${run.historyLength} events, ${run.historySize} bytes\n`,
  )
  expect(peakMiB).toBeLessThan(MAX_MIB)
  expect(run.historyLength).toBeLessThan(MAX_EVENTS)
  expect(run.historySize ?? 0).toBeLessThan(MAX_HISTORY_BYTES)
})

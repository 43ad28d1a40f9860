import { Client, Connection } from '@temporalio/client'
import { NativeConnection } from '@temporalio/worker'
import { afterAll, expect, inject } from 'vitest'
import { createEngine } from '../../../api/engine.js'
import { createDocument } from '../../../core/content/documents/index.js'
import { ensureSearchAttributes } from '../../../engine/index.js'
import { createAutomationRuntime } from '../../../runtime/index.js'
import { startBulkOnDemand } from '../../../worker/on-demand/bulk.js'
import { soon } from '../../support/soon.js'
import { startTestWorker } from '../../support/start-worker.js'
import { uniqueName } from '../../support/template.js'
import { ADMINISTRATOR } from './operations-support.js'
import { addUser, type Call, createClient, type Entity } from './rest-client.js'
import { createTestPlatform } from './rest-support.js'

export const API = '/api/v1'

const COUNTING = `
- Document.SetProperty:
    xpath: dc:source
    value: 'expr:String(Number(Document["dc:source"]) + 1)'
`

/** What counts up `dc:source` of each document. */
export const counting = { operationId: 'count-up', parameters: {} }

/** The notes of a folder. */
export const inside = (folder: string): string => `SELECT * FROM Note WHERE ecm:path STARTSWITH '/${folder}'`

/** The API with a worker that also starts bulk commands, and what their tests ask of it. */
export const createBulkBench = async () => {
  const address = inject('temporalAddress')
  const platform = await createTestPlatform({
    TEMPORAL_ADDRESS: address,
    ARCHIVOLT_TASK_QUEUE: uniqueName('queue'),
  })
  const { settings } = platform
  const { sql } = platform.database
  const runtime = await createAutomationRuntime(platform)
  const engine = await createEngine(platform)
  const call = createClient(platform, engine)
  await addUser(platform, 'ann')
  await addUser(platform, 'bob')
  const connection = await NativeConnection.connect({ address })
  await ensureSearchAttributes(connection, settings.temporal.namespace)
  const client = new Client({ connection: await Connection.connect({ address }) })
  const stopListening = await startBulkOnDemand({ connection, platform })

  const startWorker = () => startTestWorker({ connection, settings, platform, runtime })
  let stopping = await startWorker()

  afterAll(async () => {
    await stopping()
    await stopListening()
    await client.connection.close()
    await engine.close()
    await runtime.close()
    await connection.close()
  })

  const fill = async (folder: string, count: number): Promise<void> => {
    await platform.withSession(ADMINISTRATOR, async (session) => {
      await createDocument(session, { parent: '/', type: 'Folder', name: folder, properties: {} })
      for (let index = 0; index < count; index++)
        await createDocument(session, {
          parent: `/${folder}`,
          type: 'Note',
          name: `note-${index}`,
          properties: { 'dc:source': '0' },
        })
    })
  }

  const give = (action: string, query: Record<string, string>, json: object = {}, more: Call = {}) =>
    call('POST', `${API}/search/bulk/${action}?${new URLSearchParams(query)}`, { json, ...more })

  const statusOf = async (id: string, more: Call = {}): Promise<Entity> =>
    (await call('GET', `${API}/bulk/${id}`, more)).json

  const ended = (id: string): Promise<Entity> =>
    soon(async () => {
      const status = await statusOf(id)
      expect(['COMPLETED', 'ABORTED']).toContain(status.state)
      return status
    })

  /** Gives a command and waits for its end. */
  const done = async (...given: Parameters<typeof give>): Promise<Entity> => {
    const answer = await give(...given)
    expect(answer.status, answer.text).toBe(202)
    expect(answer.json).toMatchObject({ 'entity-type': 'bulkStatus', state: 'SCHEDULED', processed: 0 })
    return ended(answer.json.commandId)
  }

  /** How many notes of a folder have each value of a property. */
  const values = async (folder: string, property = 'dc:source'): Promise<Record<string, number>> => {
    const rows = await sql<{ value: string; count: number }[]>`
      SELECT coalesce(properties ->> ${property}, '') AS value, count(*)::int AS count FROM documents
      WHERE path LIKE ${`/${folder}/%`} GROUP BY 1`
    return Object.fromEntries(rows.map(({ value, count }) => [value, count]))
  }

  const deploy = async (id: string, body: string): Promise<void> => {
    const headers = { 'Content-Type': 'application/yaml' }
    const answer = await call('PUT', `${API}/contributions/chains/${id}`, { body, headers })
    expect(answer.status, answer.text).toBeLessThan(300)
  }
  await deploy('count-up', COUNTING)

  return {
    platform,
    client,
    call,
    sql,
    fill,
    give,
    statusOf,
    ended,
    done,
    values,
    deploy,
    startWorker: async () => {
      stopping = await startWorker()
    },
    stopWorker: async () => {
      await stopping()
      stopping = async () => undefined
    },
  }
}

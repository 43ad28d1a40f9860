import { NativeConnection } from '@temporalio/worker'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { createDocument, getDocument, updateDocument } from '../../../../core/content/documents/index.js'
import { createOutboxRelay } from '../../../../storage/postgres/index.js'
import { startEventRelay } from '../../../../worker/events/relay.js'
import { createWorkerMetrics } from '../../../../worker/metrics.js'
import { startBulkOnDemand } from '../../../../worker/on-demand/bulk.js'
import { createTestAutomation } from '../../../support/automation.js'
import { ADMINISTRATOR, deployerOf } from '../../support/operations-support.js'

const DEPTH = 3

const { platform, runtime, define } = await createTestAutomation({
  ARCHIVOLT_EVENT_DEPTH: String(DEPTH),
  ARCHIVOLT_NODE: 'test',
})
const connection = await NativeConnection.connect({ address: inject('temporalAddress') })
const metrics = createWorkerMetrics(platform.metrics.extended())
const deploy = deployerOf(runtime)
const { sql } = platform.database
const logged = vi.spyOn(platform.logger, 'error')

const FETCH = 'Context.FetchDocument'
const MARK = 'expr:@{Document["dc:description"] == null ? "" : Document["dc:description"]}+'
const BY_ID = 'expr:@{"SELECT * FROM File WHERE ecm:uuid = \'" + Document.id + "\'"}'

const stops: (() => Promise<void>)[] = []
beforeAll(async () => {
  const mark = { xpath: 'dc:description', value: MARK }
  await deploy('chains', 'mark', { operations: [FETCH, { 'Document.SetProperty': mark }] })
  // What activities look up by name is what the test defines.
  define({
    id: 'mark',
    aliases: [],
    params: [],
    steps: [
      { operation: FETCH, params: {} },
      { operation: 'Document.SetProperty', params: mark },
    ],
  })
  await deploy('chains', 'mark-apart', { operations: [{ RunInNewTransaction: { id: 'mark' } }] })
  await deploy('chains', 'mark-in-a-child', { operations: [{ RunOperation: { id: 'mark-apart' } }] })
  await deploy('chains', 'mark-in-a-loop', {
    operations: [
      FETCH,
      { 'Context.SetInputAsVar': { name: 'file' } },
      { 'Repository.Query': { query: BY_ID } },
      { 'Context.SetInputAsVar': { name: 'all' } },
      { 'Context.RestoreDocumentInput': { name: 'file' } },
      { RunOperationOnListInNewTx: { id: 'mark', list: 'all' } },
    ],
  })
  await deploy('chains', 'mark-in-bulk', {
    operations: [
      FETCH,
      {
        'Bulk.RunAction': {
          action: 'automationUi',
          query: BY_ID,
          parameters: { operationId: 'mark' },
        },
      },
    ],
  })
  await createOutboxRelay(platform.database, 'event-handlers').skip(async () => true)
  await runtime.chains.current()
  stops.push(startEventRelay({ connection, platform, runtime, metrics }))
  stops.push(await startBulkOnDemand({ connection, platform }))
})
afterAll(async () => {
  await Promise.all(stops.map((stop) => stop()))
  await connection.close()
})

const modifiedFile = async (name: string): Promise<string> => {
  const { id } = await platform.withSession(ADMINISTRATOR, (session) =>
    createDocument(session, { parent: '/', name, type: 'File' }),
  )
  await platform.withSession(ADMINISTRATOR, async (session) =>
    updateDocument(session, await getDocument(session, id), { 'dc:title': 'changed' }),
  )
  return id
}

test.each([
  ['itself', 'mark'],
  ['in a run of its own', 'mark-in-a-child'],
  ['in a loop', 'mark-in-a-loop'],
  ['by a bulk command', 'mark-in-bulk'],
])('a chain that changes its document %s is started again no deeper than is allowed', async (_, chain) => {
  const name = `on-${chain}`
  const condition = `Document.name == "${chain}"`
  await deploy('eventHandlers', name, { events: ['documentModified'], chain, postCommit: true, condition })
  const id = await modifiedFile(chain)
  const stopped = async (): Promise<number | undefined> => {
    const text = await metrics.registry.getSingleMetricAsString('archivolt_event_chains_stopped_total')
    return Number(text.split(`{handler="${name}",node="test"} `)[1]?.split('\n')[0] ?? 0)
  }
  await vi.waitFor(async () => expect(await stopped()).toBe(1), { timeout: 50_000, interval: 100 })
  const { properties } = await getDocument(platform.readSession(ADMINISTRATOR), id)
  expect(properties['dc:description']).toBe('+'.repeat(DEPTH))
  const reported = await sql<{ depth: number }[]>`
    SELECT depth FROM outbox WHERE document_id = ${id} AND event = 'documentModified' ORDER BY id`
  expect(reported.map(({ depth }) => depth)).toEqual([0, 1, 2, 3])
  expect(logged).toHaveBeenCalledWith(
    expect.objectContaining({ handler: name, chain, documentId: id, depth: DEPTH }),
    expect.stringContaining('ARCHIVOLT_EVENT_DEPTH'),
  )
})

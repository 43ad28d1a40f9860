import { NativeConnection } from '@temporalio/worker'
import { afterAll, expect, inject, test, vi } from 'vitest'
import { createDocument, type DocumentRecord, getDocument } from '../../core/documents/index.js'
import { createOutboxRelay } from '../../storage/postgres/index.js'
import { startEventRelay } from '../../worker/event-relay.js'
import { createTestAutomation } from '../support/automation.js'
import { ADMINISTRATOR } from './operations-support.js'

const { platform, runtime, client } = await createTestAutomation()
const connection = await NativeConnection.connect({ address: inject('temporalAddress') })
afterAll(() => connection.close())

const deploy = (point: string, name: string, content: object) =>
  runtime.deployments.deploy({
    principal: ADMINISTRATOR,
    point,
    name,
    text: JSON.stringify(content),
    format: 'json',
    precondition: {},
  })

let made = 0
const newFile = (): Promise<DocumentRecord> =>
  platform.withSession(ADMINISTRATOR, (session) =>
    createDocument(session, { parent: '/', name: `file${made++}`, type: 'File' }),
  )
const descriptionOf = async ({ id }: DocumentRecord) =>
  (await getDocument(platform.readSession(ADMINISTRATOR), id)).properties['dc:description'] ?? null

const { sql } = platform.database
const eventOf = async ({ id }: DocumentRecord): Promise<number> => {
  const [row] = await sql<{ id: number }[]>`
    SELECT id::int FROM outbox WHERE document_id = ${id} AND event = 'documentCreated'`
  return row!.id
}

test('a handler runs after the commit, once for each event, whatever dies in between', {
  timeout: 60_000,
}, async () => {
  await createOutboxRelay(platform.database, 'event-handlers').skip()
  const description = 'expr:@{Document["dc:description"] == null ? "" : Document["dc:description"]}+'
  await deploy('chains', 'append', {
    operations: [
      'Context.FetchDocument',
      { 'Document.SetProperty': { xpath: 'dc:description', value: description } },
    ],
  })
  await deploy('eventHandlers', 'appending', {
    events: ['documentCreated'],
    chain: 'append',
    postCommit: true,
    doctype: 'File',
  })
  await runtime.chains.current()
  const files = [await newFile(), await newFile(), await newFile()]
  expect(await Promise.all(files.map(descriptionOf))).toEqual([null, null, null])

  const relays = [0, 1].map(() => startEventRelay({ connection, platform, runtime }))
  try {
    await vi.waitFor(
      async () => expect(await Promise.all(files.map(descriptionOf))).toEqual(['+', '+', '+']),
      { timeout: 30_000, interval: 200 },
    )
    // What a relay does that died before its cursor was moved is done again by the next.
    await sql`UPDATE outbox_cursors SET transaction_id = 0, event_id = 0`
    const last = await newFile()
    await vi.waitFor(async () => expect(await descriptionOf(last)).toBe('+'), {
      timeout: 30_000,
      interval: 200,
    })
    expect(await Promise.all(files.map(descriptionOf))).toEqual(['+', '+', '+'])
    const workflowId = `event-${await eventOf(last)}-appending`
    const { status, memo } = await client.workflow.getHandle(workflowId).describe()
    expect([status.name, memo?.principal]).toEqual(['COMPLETED', 'Administrator'])
  } finally {
    await Promise.all(relays.map((stop) => stop()))
  }
})

test('events are read in the order of commits, and none is passed over that commits late', async () => {
  const relay = createOutboxRelay(platform.database, 'test')
  await relay.skip()
  const read: string[] = []
  const next = () => relay.next(10, async (events) => void read.push(...events.map(({ event }) => event)))
  const write = (event: string) => sql`
    INSERT INTO outbox (event, principal, payload) VALUES (${event}, 'Administrator', '{}')`
  await sql.begin(async (tx) => {
    await tx`INSERT INTO outbox (event, principal, payload) VALUES ('late', 'Administrator', '{}')`
    await write('early')
    await next()
    expect(read).toEqual([])
  })
  await next()
  expect(read).toEqual(['late', 'early'])
  const failing = relay.next(10, async () => {
    throw new Error('lost')
  })
  await expect(failing).resolves.toBe(0)
  await write('again')
  await expect(
    relay.next(10, async () => {
      throw new Error('lost')
    }),
  ).rejects.toThrow('lost')
  await next()
  expect(read).toEqual(['late', 'early', 'again'])
})

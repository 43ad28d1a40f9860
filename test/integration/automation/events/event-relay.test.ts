import { NativeConnection } from '@temporalio/worker'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createRuns } from '../../../../core/automation/runs/index.js'
import { createDocument, getDocument, type Session } from '../../../../core/content/documents/index.js'
import type { DocumentRecord } from '../../../../core/model/properties/index.js'
import { statusOf, temporalOn } from '../../../../engine/index.js'
import { listWorkflows } from '../../../../engine/list/index.js'
import { migrate } from '../../../../schema/index.js'
import { createHousekeeping, createOutboxRelay } from '../../../../storage/postgres/index.js'
import { createAwaitedListeners, startEventRelay } from '../../../../worker/events/index.js'
import { createTestAutomation } from '../../../support/automation.js'
import { soon } from '../../../support/soon.js'
import { ADMINISTRATOR, deployerOf } from '../../support/operations-support.js'
import { untilReadable } from '../../support/outbox-support.js'

const { platform, runtime, client, runs, registry } = await createTestAutomation()
const connection = await NativeConnection.connect({ address: inject('temporalAddress') })
afterAll(() => connection.close())

const deploy = deployerOf(runtime)

let made = 0
const newFileIn = (session: Session): Promise<DocumentRecord> =>
  createDocument(session, { parent: '/', name: `file${made++}`, type: 'File' })
const newFile = (): Promise<DocumentRecord> => platform.withSession(ADMINISTRATOR, newFileIn)
const descriptionOf = async ({ id }: DocumentRecord) =>
  (await getDocument(platform.readSession(ADMINISTRATOR), id)).properties['dc:description'] ?? null

const { sql } = platform.database
const eventOf = async ({ id }: DocumentRecord): Promise<number> => {
  const [row] = await sql<{ id: number }[]>`
    SELECT id::int FROM outbox WHERE document_id = ${id} AND event = 'documentCreated'`
  return row!.id
}
const settled = () => untilReadable(sql)

test('a handler runs after the commit, once for each event, whatever dies in between', async () => {
  await createOutboxRelay(platform.database, 'event-handlers').skip(async () => true)
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
    await soon(async () => expect(await Promise.all(files.map(descriptionOf))).toEqual(['+', '+', '+']))
    // What a relay does that died before its cursor was moved is done again by the next.
    await sql`UPDATE outbox_cursors SET transaction_id = 0, event_id = 0`
    const last = await newFile()
    await soon(async () => expect(await descriptionOf(last)).toBe('+'))
    expect(await Promise.all(files.map(descriptionOf))).toEqual(['+', '+', '+'])
    // What is read by itself is a workflow by itself.
    const alone = await newFile()
    await soon(async () => expect(await descriptionOf(alone)).toBe('+'))
    const workflowId = `event-${await eventOf(alone)}-appending`
    const run = client.workflow.getHandle(workflowId)
    // What it has done is there before it has ended.
    await run.result()
    const { status, memo } = await run.describe()
    expect([status.name, memo?.principal]).toEqual(['COMPLETED', 'Administrator'])
  } finally {
    await Promise.all(relays.map((stop) => stop()))
  }
})

test('events that are read together are one workflow, in which each is a run that is found by event and document', async () => {
  const relay = createOutboxRelay(platform.database, 'event-handlers')
  await settled()
  await relay.skip(async () => true)
  const again = 'expr:@{Document["dc:source"] == null ? "" : Document["dc:source"]}+'
  const refused = 'expr:@{Document["dc:title"] == "refused" ? "/no/such" : Document.path}'
  await deploy('chains', 'together', {
    operations: [
      'Context.FetchDocument',
      { 'Document.SetProperty': { xpath: 'dc:source', value: again } },
      { 'Repository.GetDocument': { value: refused } },
    ],
  })
  const file = (title: string) =>
    platform.withSession(ADMINISTRATOR, (session) =>
      createDocument(session, {
        ...{ parent: '/', name: `file${made++}`, type: 'File' },
        properties: { 'dc:title': title },
      }),
    )
  const handler = {
    events: ['documentCreated'],
    chain: 'together',
    postCommit: true,
    pathStartsWith: '/file',
  }
  await deploy('eventHandlers', 'together', { ...handler, doctype: 'File' })
  await runtime.chains.current()
  const good = [await file('good'), await file('good'), await file('good')]
  const bad = await file('refused')
  await settled()
  const sourceOf = async ({ id }: DocumentRecord) =>
    (await getDocument(platform.readSession(ADMINISTRATOR), id)).properties['dc:source'] ?? null
  const idOf = async (each: DocumentRecord) => `event-${await eventOf(each)}-together`
  const { list, report } = createRuns({
    workflows: runs,
    units: platform.units,
    current: async () => ({ registry: registry(), segments: runtime.segments() }),
    principal: platform.authenticator.principal,
  })
  const found = async (document: DocumentRecord) => {
    const { entries } = await list({ event: 'documentCreated', document: document.id }, ADMINISTRATOR, {
      pageSize: 10,
    })
    return entries
      .filter(({ chainId }) => chainId === 'together')
      .map(({ workflowId, status, execution }) => [workflowId, status, execution])
  }
  const stop = startEventRelay({ connection, platform, runtime })
  try {
    await soon(async () => expect(await found(bad)).toEqual([[await idOf(bad), 'FAILED', 'workflow']]))
    for (const each of good) expect(await found(each)).toEqual([[await idOf(each), 'COMPLETED', 'inline']])
    expect(await report(await idOf(good[0]!), ADMINISTRATOR)).toMatchObject({
      event: 'documentCreated',
      status: 'COMPLETED',
    })
    expect(
      await list({ event: 'documentRemoved', document: good[0]!.id }, ADMINISTRATOR, { pageSize: 10 }),
    ).toMatchObject({
      entries: [],
    })
    const page = client.workflow.getHandle(`events/${await idOf(good[0]!)}..${await idOf(bad)}`)
    expect(await page.result()).toEqual({ done: 3, apart: 1 })
    // Read again with one more, they make another page, in which nothing is done twice.
    const more = await file('good')
    await sql`UPDATE outbox_cursors SET transaction_id = 0, event_id = 0 WHERE name = 'event-handlers'`
    await soon(async () => expect(await sourceOf(more)).toBe('+'))
    expect(await Promise.all([...good, bad].map(sourceOf))).toEqual(['+', '+', '+', null])
    // Where none fails, they may share transactions.
    const fine = await platform.withSession(ADMINISTRATOR, async (session) => {
      const made = [await newFileIn(session), await newFileIn(session), await newFileIn(session)]
      return made
    })
    await soon(async () => expect(await Promise.all(fine.map(sourceOf))).toEqual(['+', '+', '+']))
    for (const each of fine) expect(await found(each)).toEqual([[await idOf(each), 'COMPLETED', 'inline']])
  } finally {
    await stop()
    const deployed = { point: 'eventHandlers', name: 'together', precondition: {} }
    await runtime.deployments.remove({ principal: ADMINISTRATOR, ...deployed })
  }
})

describe('a listener after the commit', () => {
  const propertiesOf = async ({ id }: DocumentRecord) =>
    (await getDocument(platform.readSession(ADMINISTRATOR), id)).properties
  const removeListener = (name: string) =>
    runtime.deployments.remove({ principal: ADMINISTRATOR, point: 'listeners', name, precondition: {} })
  /** Deploys a listener to new documents, makes some in one transaction, and relays their events until all is done. */
  const heard = async (listener: object, { count, done }: { count: number; done: RegExp | null }) => {
    await createOutboxRelay(platform.database, 'event-handlers').skip(async () => true)
    await deploy('listeners', 'listening', { events: ['documentCreated'], ...listener })
    const files = await platform.withSession(ADMINISTRATOR, async (session) => {
      const made: DocumentRecord[] = []
      for (let index = 0; index < count; index++) made.push(await newFileIn(session))
      return made
    })
    const stop = startEventRelay({ connection, platform, runtime })
    const workflowId = `event-${await eventOf(files[0]!)}-listening@listeners`
    try {
      await soon(async () => expect(await statusOf(client, workflowId)).toMatch(done ?? /COMPLETED/))
      return { files, workflowId }
    } finally {
      await stop()
      await removeListener('listening')
    }
  }
  const setSource = (value: string) => ({
    'Document.SetProperty': { xpath: 'dc:source', value },
  })

  test('is a run that is found by event and document', async () => {
    const operation = { operation: 'Document.SetProperty', params: { xpath: 'dc:source', value: 'heard' } }
    const { files, workflowId } = await heard({ ...operation, async: true }, { count: 1, done: null })
    expect((await propertiesOf(files[0]!))['dc:source']).toBe('heard')
    const listed = async (event: string) => {
      const filter = { event, documentIds: [files[0]!.id] }
      const place = { client, taskQueue: platform.settings.temporal.taskQueue }
      return listWorkflows(place, { filter, isRunning: false, limit: 10 })
    }
    await soon(async () =>
      expect(await listed('documentCreated')).toContainEqual(
        expect.objectContaining({ workflowId, event: 'documentCreated', documentId: files[0]!.id }),
      ),
    )
    expect(await listed('documentRemoved')).toEqual([])
  })

  test('takes the events of a transaction together', async () => {
    const count = { 'Document.SetProperty': { xpath: 'dc:source', value: 'expr:@{Events.size()}' } }
    await deploy('chains', 'counting', { operations: ['Context.FetchDocument', count] })
    const bulk = { chain: 'counting', postCommit: true, bulk: true }
    const { files } = await heard(bulk, { count: 3, done: null })
    const sources = await Promise.all(files.map(propertiesOf))
    expect(sources.map((properties) => properties['dc:source'])).toEqual(['3', '3', '3'])
  })

  test('is tried again as often as it says', async () => {
    const failing = { operation: 'Repository.GetDocument', params: { value: '/no/such' } }
    const { workflowId } = await heard(
      { ...failing, async: true, retryCount: 1 },
      { count: 1, done: /FAILED/ },
    )
    const { events } = await client.workflow.getHandle(workflowId).fetchHistory()
    expect(events?.filter(({ timerStartedEventAttributes }) => timerStartedEventAttributes)).toHaveLength(1)
  })

  const long = { before: 'long-before', work: 'long-work', after: 'long-after', async: true }
  beforeAll(async () => {
    const set = (name: string, value: unknown) => ({ 'Context.SetVar': { name, value } })
    await deploy('chains', 'long-before', { operations: [set('map', 'expr:["title": Document.title]')] })
    await deploy('chains', 'long-work', {
      operations: [set('map', 'expr:["title": map.title, "event": Event.name, "document": This]')],
    })
    await deploy('chains', 'long-after', {
      operations: [
        'Context.FetchDocument',
        setSource('expr:@{map.title} @{map.event} @{map.document == null}'),
      ],
    })
    await deploy('scripts', 'Demo.Stops', {
      outputType: 'boolean',
      script: 'function run() { return false }',
    })
    await deploy('scripts', 'Demo.Writes', {
      script:
        'function run() { return Document.Create(Session.getRootDocument(), { type: "File", name: "x" }) }',
    })
  })

  test('works long between two transactions, with a map that they share', async () => {
    const { files } = await heard(long, { count: 1, done: null })
    expect((await propertiesOf(files[0]!))['dc:source']).toBe(`${files[0]!.name} documentCreated true`)
  })

  test.each(['before', 'work'])('ends when %s comes to false', async (step) => {
    const { files } = await heard({ ...long, [step]: 'Demo.Stops' }, { count: 1, done: null })
    expect((await propertiesOf(files[0]!))['dc:source'] ?? null).toBeNull()
  })

  test('writes nothing while it works long', async () => {
    const { workflowId } = await heard(
      { ...long, work: 'Demo.Writes', retryCount: 0 },
      { count: 1, done: /FAILED/ },
    )
    await expect(client.workflow.getHandle(workflowId).result()).rejects.toMatchObject({
      cause: { cause: { message: expect.stringContaining('Document.Create needs a transaction') } },
    })
  })

  test('that is not asynchronous is waited for, and runs once', async () => {
    await createOutboxRelay(platform.database, 'event-handlers').skip(async () => true)
    const adding = {
      operation: 'Document.SetProperty',
      params: {
        xpath: 'dc:source',
        value: 'expr:@{Document["dc:source"] == null ? "" : Document["dc:source"]}+',
      },
    }
    await deploy('listeners', 'awaited', { events: ['documentCreated'], postCommit: true, ...adding })
    const temporal = temporalOn(connection, platform)
    platform.afterCommit.run = createAwaitedListeners({ temporal, platform, runtime })
    try {
      const file = await newFile()
      expect((await propertiesOf(file))['dc:source']).toBe('+')
      delete platform.afterCommit.run
      const stop = startEventRelay({ connection, platform, runtime })
      const last = await newFile()
      await soon(async () => expect((await propertiesOf(last))['dc:source']).toBe('+'))
      await stop()
      expect((await propertiesOf(file))['dc:source']).toBe('+')
    } finally {
      delete platform.afterCommit.run
      await removeListener('awaited')
    }
  })
})

test('a handler is notified of what begins after it was deployed: nothing earlier, and nothing is lost', async () => {
  await createOutboxRelay(platform.database, 'event-handlers').skip(async () => true)
  const source = { 'Document.SetProperty': { xpath: 'dc:source', value: 'told' } }
  await deploy('chains', 'tell', { operations: ['Context.FetchDocument', source] })
  const handler = { events: ['documentCreated'], chain: 'tell', postCommit: true }
  await deploy('eventHandlers', 'telling', { ...handler, doctype: 'File' })
  await runtime.deployments.remove({
    principal: ADMINISTRATOR,
    point: 'eventHandlers',
    name: 'telling',
    precondition: {},
  })
  const earlier = await newFile()
  const underWay = await platform.withSession(ADMINISTRATOR, async (session) => {
    const begun = await createDocument(session, { parent: '/', name: `file${made++}`, type: 'File' })
    await deploy('eventHandlers', 'telling', { ...handler, doctype: 'Note' })
    return begun
  })
  const later = await newFile()
  // Filters count as they are when it is notified; what it has not been notified of yet is not lost by changing them.
  await deploy('eventHandlers', 'telling', { ...handler, doctype: 'File' })
  const last = await newFile()
  const stop = startEventRelay({ connection, platform, runtime })
  const sourceOf = async ({ id }: DocumentRecord) =>
    (await getDocument(platform.readSession(ADMINISTRATOR), id)).properties['dc:source'] ?? null
  try {
    // Each is handled by a run of its own, of which a later one may end before.
    await soon(async () => expect(await Promise.all([later, last].map(sourceOf))).toEqual(['told', 'told']))
    expect(await Promise.all([earlier, underWay].map(sourceOf))).toEqual([null, null])
  } finally {
    await stop()
  }
})

test('events that all have passed are removed when they are old', async () => {
  const write = (event: string, days: number) => sql`
    INSERT INTO outbox (event, principal, payload, created_at)
    VALUES (${event}, 'Administrator', '{}', now() - make_interval(days => ${days}))`
  const left = async () => {
    const rows = await sql<{ event: string }[]>`SELECT event FROM outbox WHERE event ~ '^age' ORDER BY id`
    return rows.map(({ event }) => event)
  }
  const housekeeping = createHousekeeping([platform.database])
  const slow = createOutboxRelay(platform.database, 'slow')
  await settled()
  await slow.skip(async () => true)
  await write('age 40', 40)
  await write('age 20', 20)
  expect((await housekeeping.removeExpired()).events).toBe(0)
  expect(await left()).toEqual(['age 40', 'age 20'])
  await sql`UPDATE outbox_cursors SET transaction_id = pg_snapshot_xmax(pg_current_snapshot())::text::bigint`
  expect((await housekeeping.removeExpired()).events).toBe(1)
  expect(await left()).toEqual(['age 20'])
})

test('after a restore into another server each reader goes on with the event after its last one', async () => {
  const write = (event: string, transaction: number) => sql`
    INSERT INTO outbox (event, principal, payload, transaction_id)
    VALUES (${event}, 'Administrator', '{}', ${String(transaction)})`
  await settled()
  await sql`DELETE FROM outbox`
  await sql`DELETE FROM outbox_cursors`
  const later = 4_000_000_000
  await write('second', later + 2)
  await write('first', later + 1)
  await write('third', later + 3)
  const [second] = await sql<{ id: number }[]>`SELECT id::int FROM outbox WHERE event = 'second'`
  await sql`
    INSERT INTO outbox_cursors (name, transaction_id, event_id)
    VALUES ('behind', ${later + 1}, 0), ('ahead', ${later + 2}, ${second!.id})`
  await migrate(platform.settings.databaseUrl)
  await write('new', Number((await sql`SELECT pg_current_xact_id()::text AS id`)[0]!.id))
  await settled()
  const readBy = async (name: string): Promise<string[]> => {
    const read: string[] = []
    await createOutboxRelay(platform.database, name).next(10, async (events) => {
      read.push(...events.map(({ event }) => event))
      return events.length
    })
    return read
  }
  // Between two positions of readers events are read in the order of their ids.
  expect(await readBy('behind')).toEqual(['second', 'first', 'third', 'new'])
  expect(await readBy('ahead')).toEqual(['third', 'new'])
})

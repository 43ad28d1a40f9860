import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { NativeConnection } from '@temporalio/worker'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createApp } from '../../../../api/app.js'
import { startServer } from '../../../../api/server.js'
import {
  createDocument,
  getDocument,
  moveDocument,
  removeDocument,
} from '../../../../core/content/documents/index.js'
import type { DocumentRecord } from '../../../../core/model/properties/index.js'
import { temporalOn } from '../../../../engine/index.js'
import { startWebhookRelay } from '../../../../worker/events/index.js'
import { soon } from '../../../support/soon.js'
import { documentTools } from '../../support/document-support.js'
import { ADMINISTRATOR, deployerOf } from '../../support/operations-support.js'
import type { Entity } from '../../support/rest-client.js'
import { ADMIN_PASSWORD } from '../../support/rest-support.js'
import { createRunsBench } from '../../support/runs-support.js'

const { platform, engine, call } = await createRunsBench({
  ARCHIVOLT_HTTP_ALLOW: '127.0.0.1',
  ARCHIVOLT_EVENT_STREAMS: '2',
})
const connection = await NativeConnection.connect({ address: inject('temporalAddress') })
const { grant } = documentTools({ platform })
const deploy = deployerOf(engine.runtime)

type Received = { headers: IncomingHttpHeaders; body: string; event: Entity }
const received: Received[] = []
/** What the receiver answers, by the title of the document. */
let statusOf = (_: Received): number => 204
const receiver = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString('utf8')
    const delivery = { headers: request.headers, body, event: JSON.parse(body) }
    received.push(delivery)
    response.writeHead(statusOf(delivery)).end()
  })
})
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
const SECRET = 'a secret of some length'

/** Starts of deliveries that wait for Temporal, and the most that ever did at once. */
const starting = { now: 0, most: 0 }
const temporal = temporalOn(connection, platform)
const { workflow } = temporal.client
const startWorkflow = workflow.start.bind(workflow)
workflow.start = (async (...started: Parameters<typeof startWorkflow>) => {
  starting.now += 1
  starting.most = Math.max(starting.most, starting.now)
  try {
    return await startWorkflow(...started)
  } finally {
    starting.now -= 1
  }
}) as typeof workflow.start

let stopRelay: () => Promise<void>
beforeAll(() => {
  stopRelay = startWebhookRelay(platform, temporal)
})
afterAll(async () => {
  await stopRelay()
  await connection.close()
  await new Promise((resolve) => receiver.close(resolve))
})

let made = 0
const newDocument = (type = 'File', title = 'plain', parent = '/default-domain'): Promise<DocumentRecord> =>
  platform.withSession(ADMINISTRATOR, (session) =>
    createDocument(session, {
      parent,
      name: `hooked${made++}`,
      type,
      properties: { 'dc:title': title },
    }),
  )
const receivedOf = ({ id }: DocumentRecord): Received[] =>
  received.filter(({ event }) => event.subject === id)
const deliveriesOf = async (query: Record<string, string>): Promise<Entity[]> =>
  (await call('GET', `/api/v1/webhooks/deliveries?${new URLSearchParams(query)}`)).json.entries

describe('a webhook', () => {
  beforeAll(async () => {
    await deploy('webhooks', 'bus', {
      ...{ url, secret: SECRET, events: ['documentCreated'], types: ['File'], path: '/default-domain' },
      condition: "dc:title LIKE 'p%'",
    })
  })

  test('receives the events that it has chosen, signed, and each once', async () => {
    const others = [await newDocument('Note'), await newDocument('File', 'other')]
    const file = await newDocument()
    await soon(async () => expect(receivedOf(file)).toHaveLength(1))
    const [{ headers, body, event }] = receivedOf(file) as [Received]
    expect(event).toMatchObject({ specversion: '1.0', type: 'documentCreated', data: { path: file.path } })
    const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signature } = headers
    expect(signature).toBe(
      `v1,${createHmac('sha256', SECRET).update(`${id}.${time}.${body}`).digest('base64')}`,
    )
    // What is read again after a crash of the relay is not delivered again.
    await platform.database.sql`
      UPDATE outbox_cursors SET transaction_id = transaction_id - 10 WHERE name = 'webhooks'`
    const last = await newDocument()
    await soon(async () => expect(receivedOf(last)).toHaveLength(1))
    expect(receivedOf(file)).toHaveLength(1)
    expect(others.flatMap(receivedOf)).toEqual([])
  })

  test('has the deliveries of events that are read together begun beside each other, each once', async () => {
    starting.most = 0
    const files = await platform.withSession(ADMINISTRATOR, async (session) => {
      const many: DocumentRecord[] = []
      for (let count = 0; count < 40; count++)
        many.push(
          await createDocument(session, {
            ...{ parent: '/default-domain', name: `hooked${made++}`, type: 'File' },
            properties: { 'dc:title': 'plain' },
          }),
        )
      return many
    })
    await soon(async () => expect(files.map((file) => receivedOf(file).length)).toEqual(files.map(() => 1)))
    expect(starting.most).toBeGreaterThan(1)
    expect(starting.most).toBeLessThanOrEqual(16)
  })

  test('receives again what it could not take', async () => {
    statusOf = (delivery) =>
      receivedOf({ id: delivery.event.subject } as DocumentRecord).length < 2 ? 503 : 204
    const file = await newDocument()
    await soon(async () =>
      expect(await deliveriesOf({ webhook: 'bus', state: 'running' })).toMatchObject([
        {
          documentId: file.id,
          attempts: 1,
          failure: expect.stringContaining('503'),
          nextAttemptAt: expect.stringMatching(/^\d{4}-.*Z$/),
        },
      ]),
    )
    await soon(async () => expect(receivedOf(file)).toHaveLength(2))
    const ids = receivedOf(file).map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids).size).toBe(1)
    statusOf = () => 204
  })

  test('that wants no more leaves a list of what was given up, which is delivered again when asked', async () => {
    statusOf = () => 410
    const file = await newDocument()
    const id = await soon(async () => {
      const failed = await deliveriesOf({ webhook: 'bus', state: 'failed' })
      const found = failed.find(({ documentId }) => documentId === file.id)
      expect(found).toMatchObject({
        event: 'documentCreated',
        failure: expect.stringContaining('status 410'),
      })
      return found!.id as string
    })
    statusOf = () => 204
    expect(await call('POST', '/api/v1/webhooks/bus/redeliver')).toMatchObject({
      status: 202,
      json: { 'entity-type': 'redelivery', ids: [id] },
    })
    await soon(async () => expect(receivedOf(file)).toHaveLength(2))
    // It has not failed any more, so that nothing is left to be delivered again.
    await soon(async () => {
      const [delivery, ...older] = await deliveriesOf({ webhook: 'bus', event: 'documentCreated' })
      expect(delivery).toMatchObject({ id, state: 'COMPLETED' })
      expect(older.map((each) => each.id)).not.toContain(id)
    })
    expect(await deliveriesOf({ webhook: 'bus', state: 'failed' })).toEqual([])
    expect((await call('POST', '/api/v1/webhooks/bus/redeliver')).json.ids).toEqual([])
    await soon(async () => {
      const again = await call('POST', `/api/v1/webhooks/deliveries/${id}/redeliver`)
      expect(again.status, again.text).toBe(202)
    })
    await soon(async () => expect(receivedOf(file)).toHaveLength(3))
    expect(new Set(receivedOf(file).map(({ headers }) => headers['webhook-id']))).toEqual(new Set([id]))
  })

  test('at a private address is not called', async () => {
    await deploy('webhooks', 'inside', { url: 'http://169.254.169.254/', events: ['documentLocked'] })
    await platform.database.sql`
      INSERT INTO outbox (event, principal, payload) VALUES ('documentLocked', 'Administrator', '{}')`
    await soon(async () =>
      expect(await deliveriesOf({ webhook: 'inside' })).toEqual([
        expect.objectContaining({
          state: 'FAILED',
          failure: expect.stringContaining('ARCHIVOLT_HTTP_ALLOW'),
        }),
      ]),
    )
  })

  test('is listed without its secret, for administrators', async () => {
    const { json, text } = await call('GET', '/api/v1/webhooks')
    expect(json.entries).toContainEqual(expect.objectContaining({ id: 'bus', url, isSigned: true }))
    expect(text).not.toContain(SECRET)
    expect((await call('GET', '/api/v1/webhooks', { user: 'ann' })).status).toBe(403)
    expect((await call('POST', '/api/v1/webhooks/none/redeliver')).status).toBe(404)
    expect((await call('POST', '/api/v1/webhooks/deliveries/none/redeliver')).status).toBe(404)
  })
})

describe('a stream of events', () => {
  const EVENTS = '/api/v1/events?seconds=0'
  const read = async (user: string, after: string, more = '') => {
    const answer = await call('GET', `${EVENTS}${more}`, { user, headers: { 'Last-Event-ID': after } })
    expect(answer.status, answer.text).toBe(200)
    const blocks = answer.text.split('\n\n').filter((block) => block.includes('data: '))
    return blocks.map((block) => ({
      id: /^id: (.+)$/m.exec(block)?.[1] ?? '',
      data: JSON.parse(/^data: (.+)$/m.exec(block)?.[1] ?? '') as Entity,
    }))
  }
  const begin = async (): Promise<string> => {
    const { text, headers } = await call('GET', EVENTS)
    expect(headers.get('content-type')).toBe('text/event-stream')
    return /^id: (.+)$/m.exec(text)?.[1] ?? ''
  }

  test('goes on behind the last event, with those of documents that its reader may read', async () => {
    const start = await begin()
    const newFolder = () => newDocument('Folder', 'streamed', '/')
    const [hidden, shown] = [await newFolder(), await newFolder()]
    await grant(hidden.id, 'bob', ['Read'], true)
    await grant(shown.id, 'ann', ['Read'])
    const subjects = async (user: string, after: string, more?: string) =>
      (await read(user, after, more)).map(({ data }) => `${data.type} ${data.subject}`)
    const created = ({ id }: DocumentRecord) => `documentCreated ${id}`
    await soon(async () =>
      expect(await subjects('Administrator', start)).toEqual(
        expect.arrayContaining([created(hidden), created(shown)]),
      ),
    )
    await soon(async () =>
      expect(await subjects('ann', start)).toEqual([created(shown), `documentSecurityUpdated ${shown.id}`]),
    )
    const [first] = await read('ann', start)
    expect(await subjects('ann', first!.id)).toEqual([`documentSecurityUpdated ${shown.id}`])
    expect(await subjects('ann', start, '&events=documentCreated&types=Folder,File')).toEqual([
      created(shown),
    ])
    expect(await subjects('ann', start, '&path=/elsewhere')).toEqual([])
    await platform.withSession(ADMINISTRATOR, async (session) =>
      removeDocument(session, await getDocument(session, shown.id)),
    )
    expect(await subjects('ann', start)).toEqual([])
  })

  test('goes on behind documents that are too large to be read together, and sends what is shown of them', async () => {
    const start = await begin()
    const large = await Promise.all(Array.from({ length: 6 }, () => newDocument('Folder', 'large', '/')))
    const ids = large.map(({ id }) => id)
    const { sql } = platform.database
    await sql`UPDATE documents SET properties = properties || jsonb_build_object('dc:source', repeat(chr(1), 2500000))
      WHERE id = ANY (${ids})`
    await grant(ids[0]!, 'bob', ['Read'], true)
    const after = await newDocument('Folder', 'after', '/')
    await soon(async () => {
      const created = (await read('ann', start)).filter(({ data }) => data.type === 'documentCreated')
      expect(created.map(({ data }) => data.subject).sort()).toEqual([...ids.slice(1), after.id].sort())
    })
    await sql`UPDATE documents SET properties = properties - 'dc:source' WHERE id = ANY (${ids})`
  })

  test('sends many events whole, in their order', async () => {
    const start = await begin()
    const made: DocumentRecord[] = []
    for (let count = 0; count < 45; count++) made.push(await newDocument('Folder', `many ${count}`, '/'))
    await soon(async () => {
      const sent = (await read('Administrator', start)).map(({ data }) => data)
      const own = sent.filter(({ subject }) => made.some(({ id }) => id === subject))
      expect(own.map(({ data }) => data.path)).toEqual(made.map(({ path }) => path))
    })
  })

  test('says nothing of places where a document was before', async () => {
    const start = await begin()
    const [hidden, shown] = [
      await newDocument('Folder', 'unseen', '/'),
      await newDocument('Folder', 'seen', '/'),
    ]
    await grant(hidden.id, 'bob', ['Read'], true)
    await grant(shown.id, 'ann', ['Read'])
    const moved = await newDocument('File', 'moved', hidden.path ?? '')
    await platform.withSession(ADMINISTRATOR, async (session) =>
      moveDocument(session, await getDocument(session, moved.id), { target: shown.id }),
    )
    await soon(async () => {
      const own = (await read('ann', start)).filter(({ data }) => data.subject === moved.id)
      expect(own.map(({ data }) => data.type)).toContain('documentMoved')
      expect(JSON.stringify(own)).not.toContain(`${hidden.path}/`)
      expect(JSON.stringify(own)).not.toContain(hidden.id)
      expect(JSON.stringify(own)).toContain(`${shown.path}/${moved.name}`)
    })
  })

  test('is one of a few that a user may have open, and none for pages of other sites', async () => {
    const server = await startServer(createApp(platform, engine), { host: '127.0.0.1', port: 0 })
    const authorization = `Basic ${Buffer.from(`Administrator:${ADMIN_PASSWORD}`).toString('base64')}`
    const opened = new AbortController()
    const open = (init: RequestInit = {}) =>
      fetch(`http://127.0.0.1:${server.port}/api/v1/events`, {
        signal: opened.signal,
        ...init,
        headers: { authorization, ...init.headers },
      })
    try {
      for (let asked = 0; asked < 3; asked++) expect((await open({ method: 'HEAD' })).status).toBe(200)
      expect([(await open()).status, (await open()).status]).toEqual([200, 200])
      const refused = await open()
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30'])
      opened.abort()
      await soon(async () => {
        const { status, body } = await open({ signal: null })
        await body?.cancel()
        expect(status).toBe(200)
      })
      const headers = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors' }
      expect((await call('GET', EVENTS, { headers })).status).toBe(403)
    } finally {
      await server.stop(100)
    }
  })

  test('lasts while somebody reads it', async () => {
    const server = await startServer(createApp(platform, engine), { host: '127.0.0.1', port: 0 })
    try {
      const authorization = `Basic ${Buffer.from(`Administrator:${ADMIN_PASSWORD}`).toString('base64')}`
      const { body } = await fetch(`http://127.0.0.1:${server.port}/api/v1/events`, {
        headers: { authorization },
      })
      const reader = body!.pipeThrough(new TextDecoderStream()).getReader()
      let text = ''
      const until = async (part: string): Promise<void> => {
        while (!text.includes(part)) text += (await reader.read()).value
      }
      await until('retry: ')
      const file = await newDocument()
      await until(`"subject":"${file.id}"`)
      await reader.cancel()
    } finally {
      await server.stop(100)
    }
  })

  test.each([
    ['?seconds=3601', {}],
    ['?path=x', {}],
    ['?seconds=0', { 'Last-Event-ID': 'nonsense' }],
  ])('%s with %j is refused', async (query, headers) => {
    expect((await call('GET', `/api/v1/events${query}`, { headers })).status).toBe(400)
  })
})

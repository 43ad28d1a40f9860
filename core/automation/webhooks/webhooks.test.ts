import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { mergeContributions } from '../../platform/contributions/index.js'
import { fail } from '../../platform/errors/index.js'
import { createHttpRules, type HttpClient, type HttpRequest } from '../../platform/http/index.js'
import { namesOfYaml } from '../lint/names.fixture.js'
import { deliveryHeaders } from './deliver.js'
import {
  cloudEventOf,
  deliver,
  isChosen,
  unknownInWebhook,
  unreachable,
  webhooksPoint,
  webhooksRegistry,
} from './index.js'

const CREATED = {
  id: 7,
  event: 'documentCreated',
  documentId: 'd-1',
  principal: 'ann',
  createdAt: new Date('2026-01-02T03:04:05Z'),
  payload: { type: 'File', path: '/ws/a', parentId: 'd-0', systemToken: 1, secret: 'x', comment: null },
}
const EVENT = cloudEventOf(CREATED, { repository: 'default', base: 'https://docs.example.org' })

test('an event is a CloudEvent with what readers of its document may know', () => {
  expect(EVENT).toEqual({
    specversion: '1.0',
    id: 'default-7',
    source: 'https://docs.example.org/default',
    type: 'documentCreated',
    subject: 'd-1',
    time: '2026-01-02T03:04:05.000Z',
    datacontenttype: 'application/json',
    data: {
      ...{ repository: 'default', principal: 'ann', documentId: 'd-1' },
      ...{ type: 'File', path: '/ws/a', parentId: 'd-0' },
    },
  })
  const login = { ...CREATED, documentId: null, payload: {} }
  expect(cloudEventOf(login, { repository: 'archive' })).toMatchObject({
    source: 'urn:archivolt:archive',
    data: { repository: 'archive', principal: 'ann' },
  })
})

test('what callers write of an event is sent as far as 4,000 characters', () => {
  const payload = {
    ...CREATED.payload,
    comment: `${'x'.repeat(3_999)}😀 and more`,
    from: ['y'.repeat(5_000)],
  }
  const { data } = cloudEventOf({ ...CREATED, payload }, { repository: 'default' })
  expect(data.comment).toBe('x'.repeat(3_999))
  expect(data).not.toHaveProperty('from')
})

test.each([
  [{}, true],
  [{ events: ['documentModified', 'documentCreated'] }, true],
  [{ events: ['documentModified'] }, false],
  [{ types: ['File'] }, true],
  [{ types: ['Note'] }, false],
  [{ path: '/ws' }, true],
  [{ path: '/ws/a' }, true],
  [{ path: '/w' }, false],
  [{ path: '/' }, true],
  [{ path: '/ws', types: ['Note'] }, false],
])('%j chooses it: %s', (choice, expected) => {
  expect(isChosen({ events: [], types: [], ...choice }, CREATED)).toBe(expected)
})

test('a delivery is signed as Standard Webhooks are', () => {
  const now = new Date('2026-01-02T03:04:05Z')
  const secret = 'a secret of some length'
  const headers = deliveryHeaders({ id: 'webhook-7-bus', body: '{"ä":1}', secret }, now)
  const signed = createHmac('sha256', secret).update('webhook-7-bus.1767323045.{"ä":1}').digest('base64')
  expect(headers).toEqual({
    'content-type': 'application/cloudevents+json; charset=UTF-8',
    'content-length': '8',
    'webhook-id': 'webhook-7-bus',
    'webhook-timestamp': '1767323045',
    'webhook-signature': `v1,${signed}`,
  })
  expect(deliveryHeaders({ id: 'a', body: '', secret: undefined }, now)).not.toHaveProperty(
    'webhook-signature',
  )
})

describe('a server that', () => {
  const answering = (status: number): HttpClient => {
    return async (_: HttpRequest, read) => read({ status, headers: {}, body: undefined as never })
  }
  const failing = (error: Error): HttpClient => {
    return async () => {
      throw error
    }
  }
  const delivered = (http: HttpClient, signal = new AbortController().signal) =>
    deliver(http, { url: 'https://bus.example.org/x' }, { id: 'a', event: EVENT, signal })

  test('accepts it has it', async () => {
    expect(await delivered(answering(204))).toEqual({ status: 204 })
  })

  test.each<[string, HttpClient, object]>([
    ['answers 500', answering(500), { retryable: true, message: expect.stringContaining('status 500') }],
    ['answers 404', answering(404), { retryable: true }],
    ['redirects', answering(302), { retryable: true, message: expect.stringContaining('status 302') }],
    ['wants no more', answering(410), { retryable: false, code: 'gone' }],
    ['does not answer', failing(fail('operationFailed', 'refused')), { retryable: true, message: 'refused' }],
    ['may not be reached', failing(fail('badRequest', 'private')), { retryable: false, message: 'private' }],
  ])('%s is asked again, or not', async (_, http, error) => {
    await expect(delivered(http)).rejects.toMatchObject(error)
  })

  test('takes too long is asked again', async () => {
    const late = failing(new Error('aborted'))
    await expect(delivered(late, AbortSignal.abort())).rejects.toMatchObject({
      code: 'timeout',
      retryable: true,
    })
  })
})

const merged = (text: string) => mergeContributions([{ file: 'a.yaml', text }], [webhooksPoint])

test('one that is disabled is not in force', () => {
  const webhooks = webhooksRegistry.build(
    merged('webhooks: { a: { url: "https://x.org" }, b: { url: "https://y.org", enabled: false } }'),
    {
      get: () => {
        throw new Error('it asks for no other registry')
      },
    },
  )
  expect([...webhooks.keys()]).toEqual(['a'])
})

test.each([
  ['{}', /url is missing|url: is missing/],
  ['{ url: "ftp://x.org" }', /no http or https URL/],
  ['{ url: "https://x.org", secret: short }', /shorter than 16/],
  ['{ url: "https://x.org", condition: "dc:title =" }', /condition/],
  ['{ url: "https://x.org", path: ws }', /path/],
])('%s is refused', (text, message) => {
  expect(() => merged(`webhooks: { a: ${text} }`)).toThrow(message)
})

test('types and properties that nothing configured has are reported', () => {
  const names = namesOfYaml(`
schemas: { dublincore: { prefix: dc, fields: { title: string } } }
types: { Document: { abstract: true, lifecycle: default }, File: { schemas: [dublincore] } }
lifecycles: { default: { initial: project, states: { project: [] } } }
`)
  expect(unknownInWebhook({ types: ['File'], condition: "dc:title LIKE 'a%'" }, names)).toEqual([])
  expect(unknownInWebhook({ types: ['Fil'], condition: "dc:titel = 'a'" }, names)).toEqual([
    { path: ['types'], message: 'there is no document type "Fil", did you mean "File"?' },
    { path: ['condition'], message: 'no schema has the property "dc:titel", did you mean "dc:title"?' },
  ])
})

test('an address that no call may reach is reported', () => {
  const rules = createHttpRules('*, localhost')
  expect(unreachable({ url: 'https://bus.example.org/' }, rules)).toEqual([])
  expect(unreachable({ url: 'http://localhost:9/' }, rules)).toEqual([])
  expect(unreachable({ url: 'http://127.0.0.1:9/' }, rules)).toEqual([
    {
      path: ['url'],
      message:
        '127.0.0.1 is a private address, which ARCHIVOLT_HTTP_ALLOW does not name; nothing is delivered',
    },
  ])
  for (const host of ['localhost', 'LOCALHOST.', 'a.localhost'])
    expect(unreachable({ url: `http://${host}:9/` }, createHttpRules('*')), host).toMatchObject([
      { path: ['url'], message: expect.stringContaining('is a private address') },
    ])
  expect(unreachable({ url: 'http://other.org/' }, createHttpRules('example.org'))).toHaveLength(1)
})

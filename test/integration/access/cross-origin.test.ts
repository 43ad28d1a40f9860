import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createEngine } from '../../../api/engine.js'
import { uniqueName } from '../../support/template.js'
import { addUser, type Call, createClient, type Entity } from '../support/rest-client.js'
import { createTestPlatform } from '../support/rest-support.js'

const platform = await createTestPlatform({
  ARCHIVOLT_PUBLIC_URL: 'https://docs.example.org/nuxeo',
  TEMPORAL_ADDRESS: inject('temporalAddress'),
  ARCHIVOLT_TASK_QUEUE: uniqueName('queue'),
})
const engine = await createEngine(platform)
afterAll(() => engine.close())
const call = createClient(platform, engine)

const API = '/api/v1'
const EVIL = 'https://evil.example'
const APP = 'https://app.example.com'
const HOST = 'archive.internal:8080'
const TO_ADMINISTRATORS = `${API}/user/mallory/group/administrators`

const contribute = (path: string, json: unknown): Promise<Entity> =>
  call('PUT', `${API}/contributions/${path}`, { json })

const groupsOf = async (name: string): Promise<string[]> =>
  (await call('GET', `${API}/user/${name}`)).json.extendedGroups.map((group: Entity) => group.name)

beforeAll(async () => {
  await addUser(platform, 'mallory')
  const rules: [string, object][] = [
    [
      'app',
      {
        pattern: '/nuxeo/api/v1/(path|user|id|automation).*',
        allowOrigin: `${APP} https://partner.example:8443`,
        allowSubdomains: true,
        supportedMethods: 'GET,POST,PUT',
        supportedHeaders: ['Authorization', 'Content-Type', 'Properties'],
        exposedHeaders: ['Archivolt-Workflow-Id', 'X-Request-Id'],
        maxAge: 600,
      },
    ],
    ['open', { pattern: '/nuxeo/api/v1/.*', allowOrigin: '*', supportsCredentials: false }],
    ['strict', { pattern: '/site/api/v1/path/', allowOrigin: [APP], allowGenericHttpRequests: false }],
  ]
  for (const [name, rule] of rules) {
    const { status, text } = await contribute(`corsConfig/${name}`, rule)
    expect([status, text]).toEqual([201, expect.any(String)])
  }
})

describe('an unsafe call from another site', () => {
  const form = new URLSearchParams({
    jsondata: JSON.stringify({ params: { username: 'mallory', groups: 'administrators' } }),
  })
  const multipart = new FormData()
  multipart.set('jsondata', form.get('jsondata')!)
  const operation = `${API}/automation/User.CreateOrUpdate`
  const urlencoded = { 'Content-Type': 'application/x-www-form-urlencoded' }

  const bodies: [string, string, Call][] = [
    ['without a body', TO_ADMINISTRATORS, {}],
    ['by a form', operation, { body: form.toString(), headers: urlencoded }],
    ['by a multipart form', operation, { body: multipart }],
    ['without a type', operation, { body: new TextEncoder().encode(form.get('jsondata')!) }],
  ]
  const origins: [string, Record<string, string>][] = [
    ['a page without an origin of its own, at a host with a port', { Origin: 'null', Host: HOST }],
    ['another origin', { Origin: EVIL }],
    ['another port', { Origin: 'http://localhost:9999' }],
    ['another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['another host of the site', { 'Sec-Fetch-Site': 'same-site' }],
    ['an opaque origin', { Origin: 'null' }],
    ['a page that it names as referrer', { Referer: `${EVIL}/page?x` }],
    [
      'an own origin over an insecure connection',
      { Origin: 'http://localhost', 'Sec-Fetch-Site': 'cross-site' },
    ],
  ]
  test.each(
    bodies.flatMap(([body, path, request]) =>
      origins.map(([origin, headers]) => [body, origin, path, request, headers] as const),
    ),
  )('%s, from %s, is refused and without effect', async (_body, _origin, path, request, headers) => {
    const answer = await call('POST', path, { ...request, headers: { ...request.headers, ...headers } })
    expect(answer.json).toMatchObject({
      'entity-type': 'exception',
      status: 403,
      code: 'forbidden',
      message: expect.stringMatching(/^CSRF check failure: POST from .* is refused/),
    })
    expect(await groupsOf('mallory')).not.toContain('administrators')
  })

  test('is refused to each unsafe method, and before anything else', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'])
      for (const path of [`${API}/path/`, '/site/automation/Log', '/health/ready', '/nowhere'])
        expect(await call(method, path, { user: null, headers: { Origin: EVIL } })).toMatchObject({
          status: 403,
        })
  })
})

test.each<[string, Record<string, string>]>([
  ['of a client that is no browser', {}],
  ['from the host that was asked', { Origin: `http://${HOST}`, Host: HOST }],
  [
    'from the host that was asked, behind TLS',
    { Origin: 'https://archive.internal', Host: 'archive.internal' },
  ],
  ['from the public address', { Origin: 'https://docs.example.org', 'Sec-Fetch-Site': 'same-origin' }],
  ['from a page of ours', { 'Sec-Fetch-Site': 'same-origin', Referer: 'https://docs.example.org/x' }],
  ['of somebody at the address bar', { 'Sec-Fetch-Site': 'none' }],
])('an unsafe call %s goes on', async (_case, headers) => {
  const { status } = await call('POST', `${API}/automation/Repository.Query`, {
    json: { params: { query: 'SELECT * FROM Domain' } },
    headers,
  })
  expect(status).toBe(200)
})

test('a page without an origin may call where the deployment says so', async () => {
  const query = () =>
    call('POST', `${API}/automation/Repository.Query`, {
      json: { params: { query: 'SELECT * FROM Domain' } },
      headers: { Origin: 'null' },
    })
  expect((await query()).status).toBe(403)
  await contribute('configuration/nuxeo.cors.allowNullOrigin', { value: true })
  expect((await query()).status).toBe(200)
  await call('DELETE', `${API}/contributions/configuration/nuxeo.cors.allowNullOrigin`)
})

test('reading is allowed from everywhere, but no script of another origin sees the answer', async () => {
  const { status, headers } = await call('GET', `${API}/path/`, {
    headers: { Origin: EVIL, 'Sec-Fetch-Site': 'cross-site' },
  })
  expect([status, headers.get('Access-Control-Allow-Origin')]).toEqual([200, null])
})

describe('reading what costs work', () => {
  const foreign = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors' }
  const navigation = { ...foreign, 'Sec-Fetch-Mode': 'navigate' }
  const app = { ...foreign, Origin: APP, 'Sec-Fetch-Mode': 'cors' }
  const CONVERT = `${API}/path/@convert`
  const EXPORT = `${API}/path/default-domain/templates/@rendition/zipTreeExport`

  test.each([
    ['by a picture of a page', CONVERT, foreign],
    ['by a picture of a page', EXPORT, foreign],
    ['by a picture of a page', `${API}/audit/export`, foreign],
    ['by a page that it names', EXPORT, { ...foreign, Referer: `${EVIL}/page` }],
    ['by a frame of a page', EXPORT, { ...navigation, 'Sec-Fetch-Dest': 'iframe' }],
    ['by a page that no rule allows', `/nuxeo${EXPORT}`, { ...foreign, Referer: `${EVIL}/page` }],
  ])('is refused %s of another site, %s', async (_case, path, headers) => {
    const { status, json } = await call('GET', path, { headers })
    expect([status, json.message]).toEqual([
      403,
      expect.stringMatching(/^CSRF check failure: GET from .* is refused/),
    ])
  })

  test.each<[string, string, Record<string, string>]>([
    ['of a client that is no browser', EXPORT, {}],
    ['of a page of ours', EXPORT, { 'Sec-Fetch-Site': 'same-origin' }],
    ['that somebody follows a link to', EXPORT, { ...navigation, 'Sec-Fetch-Dest': 'document' }],
    ['of an allowed page', `/nuxeo${EXPORT}`, app],
  ])('goes on %s', async (_case, path, headers) => {
    expect((await call('GET', path, { headers })).status).toBe(200)
  })
})

describe('a contribution to corsConfig', () => {
  const preflight = (origin: string, method: string, headers = '', path = `/nuxeo${API}/path/`) =>
    call('OPTIONS', path, {
      user: null,
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': method,
        ...(headers && { 'Access-Control-Request-Headers': headers }),
      },
    })

  test('answers the preflight of an allowed origin without a login', async () => {
    const { status, headers, text } = await preflight(APP, 'PUT', 'authorization, content-type')
    expect([status, text]).toEqual([200, ''])
    expect(Object.fromEntries(headers)).toMatchObject({
      'access-control-allow-origin': APP,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'GET, POST, PUT',
      'access-control-allow-headers': 'authorization, content-type',
      'access-control-max-age': '600',
      vary: 'Origin',
    })
  })

  test.each([
    ['another origin', EVIL, 'GET', ''],
    ['an origin that begins alike', `${APP}.evil.example`, 'GET', ''],
    ['an origin that ends alike', 'https://evilapp.example.com', 'GET', ''],
    ['another scheme', 'http://app.example.com', 'GET', ''],
    ['another port', `${APP}:8443`, 'GET', ''],
    ['another method', APP, 'DELETE', ''],
    ['another header', APP, 'GET', 'Properties, X-Batch-Id'],
  ])('refuses the preflight of %s', async (_case, origin, method, asked) => {
    const { status, headers, json } = await preflight(origin, method, asked)
    expect([status, json.code, headers.get('Access-Control-Allow-Origin')]).toEqual([403, 'forbidden', null])
    expect(json.message).toMatch(/^CORS: the (origin|method|header) .* is not allowed by corsConfig app$/)
  })

  test.each([APP, 'https://eu.app.example.com', 'https://partner.example:8443'])(
    'lets pages of %s call and read the answer',
    async (Origin) => {
      const { status, headers } = await call('POST', `/nuxeo${API}/automation/Repository.Query`, {
        json: { params: { query: 'SELECT * FROM Domain' } },
        headers: { Origin, 'Sec-Fetch-Site': 'cross-site' },
      })
      expect(status).toBe(200)
      expect(Object.fromEntries(headers)).toMatchObject({
        'access-control-allow-origin': Origin,
        'access-control-allow-credentials': 'true',
        'access-control-expose-headers': 'Archivolt-Workflow-Id, X-Request-Id',
        vary: expect.stringContaining('Origin'),
      })
    },
  )

  test('lets them read errors, too', async () => {
    for (const [user, status] of [
      [null, 401],
      ['Administrator', 404],
    ] as const) {
      const answer = await call('GET', `/nuxeo${API}/path/nothing`, { user, headers: { Origin: APP } })
      expect([answer.status, answer.headers.get('Access-Control-Allow-Origin')]).toEqual([status, APP])
    }
  })

  test('is about the whole path with the context path, and the first one counts', async () => {
    const other = await preflight(APP, 'PUT', '', `${API}/path/`)
    expect([other.status, other.headers.get('Access-Control-Allow-Origin')]).toEqual([200, null])
    const second = await preflight(EVIL, 'GET', 'x-anything', `/nuxeo${API}/directory/continent`)
    expect(second.headers.get('Access-Control-Allow-Origin')).toBe(EVIL)
    expect(second.headers.get('Access-Control-Allow-Credentials')).toBe(null)
    expect(second.headers.get('Access-Control-Max-Age')).toBe(null)
  })

  test('without credentials lets nobody act as who is logged in', async () => {
    const post = (headers: Record<string, string>, user: string | null) =>
      call('POST', `/nuxeo${API}/directory/continent`, {
        user,
        headers: { Origin: EVIL, ...headers },
        json: {},
      })
    expect((await post({}, 'Administrator')).json.message).toMatch(/does not support credentials/)
    expect((await post({ Cookie: 'JSESSIONID=1' }, null)).status).toBe(403)
    expect((await post({}, null)).status).toBe(401)
    expect((await post({ Authorization: 'Bearer x' }, null)).status).toBe(401)
  })

  test('may refuse all other callers of its paths', async () => {
    const path = `/site${API}/path/`
    expect((await call('GET', path)).json.message).toBe(
      'CORS: the origin (none) is not allowed by corsConfig strict',
    )
    expect((await call('GET', path, { headers: { Origin: APP } })).status).toBe(200)
    expect((await call('GET', `${API}/path/`)).status).toBe(200)
  })

  test.each([
    ['without origins', { pattern: '/.*' }, 'allowOrigin'],
    ['without paths', { allowOrigin: APP }, 'pattern'],
    ['with an address for an origin', { pattern: '/.*', allowOrigin: `${APP}/page` }, 'allowOrigin'],
    ['with all origins and credentials', { pattern: '/.*', allowOrigin: '*' }, 'allowOrigin'],
    ['with a broken pattern', { pattern: '(', allowOrigin: APP }, 'pattern'],
  ])('%s is refused when it is deployed', async (_case, rule, field) => {
    const { status, json } = await contribute('corsConfig/wrong', rule)
    expect([status, json.details[0].field]).toEqual([422, field])
  })

  test('with a pattern that backtracks holds nothing up', async () => {
    expect(
      (await contribute('corsConfig/0-slow', { pattern: '(/a|/aa|/a*)+!', allowOrigin: APP })).status,
    ).toBe(201)
    const path = `/${'a/'.repeat(2_000)}`
    const { status, json } = await call('GET', path, { headers: { Origin: APP } })
    expect([status, json.message]).toEqual([400, expect.stringContaining('take longer than')])
    await call('DELETE', `${API}/contributions/corsConfig/0-slow`)
  })
})

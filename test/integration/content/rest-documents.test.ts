import { expect, test } from 'vitest'
import { createClient } from '../support/rest-client.js'
import { createTestPlatform } from '../support/rest-support.js'

const platform = await createTestPlatform()
const call = createClient(platform)

const create = async (name: string, extra: object = {}, headers: Record<string, string> = {}) =>
  call('POST', '/api/v1/path/default-domain/workspaces', {
    json: { 'entity-type': 'document', name, type: 'File', ...extra },
    headers,
  })

test('a document entity has its keys in the order of the reference', async () => {
  const { status, headers, json } = await create(
    'keys',
    { properties: { 'dc:title': 'Keys' } },
    { properties: '*' },
  )
  expect(status).toBe(201)
  expect(headers.get('content-type')).toBe('application/json; nuxeo-entity=document')
  expect(Object.keys(json)).toEqual([
    'entity-type',
    'repository',
    'uid',
    'path',
    'type',
    'state',
    'parentRef',
    'isCheckedOut',
    'isRecord',
    'retainUntil',
    'hasLegalHold',
    'isUnderRetentionOrLegalHold',
    'isVersion',
    'isProxy',
    'changeToken',
    'isTrashed',
    'title',
    'lastModified',
    'properties',
    'facets',
    'schemas',
  ])
  expect(json).toMatchObject({
    'entity-type': 'document',
    repository: 'default',
    path: '/default-domain/workspaces/keys',
    type: 'File',
    state: 'project',
    isCheckedOut: true,
    changeToken: '0-0',
    title: 'Keys',
    properties: {
      'dc:title': 'Keys',
      'dc:creator': 'Administrator',
      'dc:subjects': [],
      'file:content': null,
    },
  })
})

test('a document is read, changed and removed by id and by path, under every root', async () => {
  const { json: made } = await create('tour')
  for (const root of ['/api/v1', '/site/api/v1', '/site/api', '/nuxeo/api/v1', '/nuxeo/site/api/v1']) {
    for (const place of [`/id/${made.uid}`, `/path${made.path}`, `/repo/default/path${made.path}/`]) {
      const { status, json } = await call('GET', `${root}${place}`)
      const properties = root.endsWith('/site/api')
        ? expect.objectContaining({ 'dc:creator': 'Administrator' })
        : undefined
      expect([status, json.uid, json.properties]).toEqual([200, made.uid, properties])
    }
  }
  const changed = await call('PUT', `/api/v1/id/${made.uid}`, {
    json: { 'entity-type': 'document', uid: made.uid, properties: { 'dc:title': 'Tour', 'no:such': 1 } },
    headers: { 'X-NXproperties': 'dublincore' },
  })
  expect(changed).toMatchObject({ status: 200, json: { title: 'Tour', changeToken: '1-1' } })
  expect(Object.keys(changed.json.properties).every((key) => key.startsWith('dc:'))).toBe(true)
  const removed = await call('DELETE', `/api/v1/path${made.path}`)
  expect([removed.status, removed.text]).toEqual([204, ''])
  expect((await call('DELETE', `/api/v1/path${made.path}`)).status).toBe(404)
  expect((await call('GET', `/api/v1/id/${made.uid}`)).json).toEqual({
    'entity-type': 'exception',
    code: 'notFound',
    status: 404,
    message: made.uid,
  })
})

test('HEAD and OPTIONS', async () => {
  const head = await call('HEAD', '/api/v1/path/default-domain')
  expect([head.status, head.text, head.headers.get('content-type')]).toEqual([
    200,
    '',
    'application/json; nuxeo-entity=document',
  ])
  const options = await call('OPTIONS', '/api/v1/path/default-domain', { user: null })
  expect([options.status, options.headers.get('allow')]).toEqual([
    200,
    'GET, HEAD, POST, PUT, DELETE, OPTIONS',
  ])
})

test('a name that is taken gives way', async () => {
  const [first, second] = [await create('twin'), await create('twin')]
  expect(first.json.path).toBe('/default-domain/workspaces/twin')
  expect(second.json.path).toMatch(/^\/default-domain\/workspaces\/twin\.\d{13}$/)
})

test('slashes of a name become dashes, other characters are kept', async () => {
  const { json } = await create('a/b é+%?#@x')
  expect(json.path).toBe('/default-domain/workspaces/a-b é+%?#@x')
  const read = await call(
    'GET',
    `/api/v1/path/default-domain/workspaces/${encodeURIComponent('a-b é+%?#@x').replaceAll('%2B', '+').replaceAll('%40', '@')}`,
  )
  expect(read.json.uid).toBe(json.uid)
})

test('versions: POST answers the live document, PUT the version', async () => {
  const made = await create(
    'versioned',
    {},
    { 'X-Versioning-Option': 'minor', 'fetch-document': 'versionLabel' },
  )
  expect(made.json).toMatchObject({ isVersion: false, isCheckedOut: false, versionLabel: '0.1' })
  const version = await call('PUT', `/api/v1/id/${made.json.uid}`, {
    json: { 'entity-type': 'document', properties: { 'dc:title': 'Second' } },
    headers: { 'X-Versioning-Option': 'MAJOR', 'X-NXfetch.document': 'versionLabel' },
  })
  expect(version.json).toMatchObject({
    isVersion: true,
    versionLabel: '1.0',
    title: 'Second',
    versionableId: made.json.uid,
    parentRef: null,
  })
  expect(version.json.uid).not.toBe(made.json.uid)
  const change = { 'entity-type': 'document', properties: { 'dc:title': 'Third' } }
  const live = await call('PUT', `/api/v1/id/${made.json.uid}?fetch-document=versionLabel`, { json: change })
  expect(live.json).toMatchObject({ isVersion: false, isCheckedOut: true, versionLabel: '1.0+' })
  expect((await call('PUT', `/api/v1/id/${version.json.uid}`, { json: change })).status).toBe(400)
  expect((await call('GET', `/api/v1/id/${version.json.uid}`)).json.title).toBe('Second')
})

test('a stale or malformed change token is refused, half of it is compared', async () => {
  const { json: made } = await create('token')
  const put = (changeToken: unknown) =>
    call('PUT', `/api/v1/id/${made.uid}`, {
      json: { 'entity-type': 'document', changeToken, properties: { 'dc:title': 't' } },
    })
  expect((await put('99-0')).json.changeToken).toBe('1-1')
  for (const token of ['0-0', '1-2', '1', 'x', '-1']) {
    const { status, json } = await put(token)
    expect([status, json.message]).toEqual([409, 'Invalid change token'])
  }
  expect((await put(null)).status).toBe(200)
  expect((await put('')).json.changeToken).toBe('3-3')
})

test('of many writers with one change token one wins', async () => {
  const { json: made } = await create('race')
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, writer) =>
      call('PUT', `/api/v1/id/${made.uid}`, {
        json: { 'entity-type': 'document', changeToken: '0-0', properties: { 'dc:title': `by ${writer}` } },
      }),
    ),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(11).fill(409)])
})

test('integers of 64 bits keep all their digits, on the wire and in queries', async () => {
  const send = (digits: string) =>
    call('POST', '/api/v1/path/default-domain/workspaces', {
      body: `{"entity-type":"document","name":"long","type":"File","properties":{"common:size":${digits}}}`,
      headers: { 'Content-Type': 'application/json', properties: '*' },
    })
  const { status, text } = await send('9007199254740993')
  expect(status).toBe(201)
  // Node 20 cannot write such a number: there it is text.
  const written = 'rawJSON' in JSON ? '9007199254740993' : '"9007199254740993"'
  expect(text).toContain(`"common:size":${written}`)
  const count = async (condition: string): Promise<number> => {
    const query = encodeURIComponent(`SELECT * FROM File WHERE common:size ${condition}`)
    return (await call('GET', `/api/v1/search/lang/NXQL/execute?query=${query}`)).json.resultsCount
  }
  expect(await count('= 9007199254740993')).toBe(1)
  expect(await count('= 9007199254740992')).toBe(0)
  expect(await count('> 9007199254740992')).toBe(1)
  expect(await count('< 9007199254740993')).toBe(0)
  expect((await send('9223372036854775808')).status).toBe(400)
})

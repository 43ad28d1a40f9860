import { beforeAll, expect, test } from 'vitest'
import { type Ace, SYSTEM } from '../../../core/access/security/index.js'
import { getDocument, setAcls } from '../../../core/content/documents/index.js'
import { soon } from '../../support/soon.js'
import { addUser, type Call, createClient, type Entity } from '../support/rest-client.js'
import { createTestPlatform } from '../support/rest-support.js'

const platform = await createTestPlatform()
const call = createClient(platform)
const FOLDER = '/default-domain/workspaces/closed'

const grant = (username: string, permission: string): Ace => ({ username, permission, granted: true })

const users = ['nobody', 'reader', 'writer', 'boss'] as const
let file: Entity

beforeAll(async () => {
  for (const user of users) await addUser(platform, user)
  await call('POST', '/api/v1/path/default-domain/workspaces', {
    json: { 'entity-type': 'document', name: 'closed', type: 'Folder' },
  })
  await platform.withSession(SYSTEM, async (session) =>
    setAcls(session, await getDocument(session, FOLDER), [
      {
        name: 'local',
        aces: [
          grant('reader', 'Read'),
          grant('writer', 'ReadWrite'),
          grant('boss', 'Everything'),
          { username: 'Everyone', permission: 'Everything', granted: false },
        ],
      },
    ]),
  )
  const made = await call('POST', `/api/v1/path${FOLDER}`, {
    json: {
      'entity-type': 'document',
      name: 'file',
      type: 'File',
      properties: { 'dc:title': 'secret', 'file:content': { name: 's.txt', data: 'secret' } },
    },
  })
  file = made.json
})

const upload = (): Call => {
  const body = new FormData()
  body.append('f', new Blob(['new'], { type: 'text/plain' }), 'f.txt')
  return { body }
}
const change: Call = { json: { 'entity-type': 'document', properties: { 'dc:title': 'changed' } } }
const child: Call = { json: { 'entity-type': 'document', name: 'child', type: 'File' } }
const steal: Call = {
  json: {
    'entity-type': 'document',
    name: 'copy',
    type: 'File',
    properties: { 'file:content': { data: 'http://localhost/nxfile/default/ID/file:content' } },
  },
}

/** Statuses for nobody, reader, writer and boss, in this order; each route is called with good input. */
const routes: [string, string, () => Call, [number, number, number, number]][] = [
  ['GET', `/api/v1/path${FOLDER}`, () => ({}), [404, 200, 200, 200]],
  ['GET', '/api/v1/id/ID', () => ({}), [404, 200, 200, 200]],
  ['HEAD', '/api/v1/id/ID', () => ({}), [404, 200, 200, 200]],
  ['GET', `/api/v1/path${FOLDER}/@children`, () => ({}), [404, 200, 200, 200]],
  ['GET', '/api/v1/id/ID/@acl', () => ({}), [404, 200, 200, 200]],
  ['GET', '/api/v1/id/ID/@preview', () => ({}), [404, 303, 303, 303]],
  ['GET', '/api/v1/id/ID/@emptyWithDefault?type=File', () => ({}), [404, 200, 200, 200]],
  ['GET', `/api/v1/path${FOLDER}/@search?fullText=secret`, () => ({}), [404, 200, 200, 200]],
  ['GET', '/api/v1/id/ID/@blob/file:content', () => ({}), [404, 200, 200, 200]],
  ['GET', '/nxfile/default/ID/file:content', () => ({}), [404, 200, 200, 200]],
  ['GET', '/nxbigfile/default/ID', () => ({}), [404, 200, 200, 200]],
  ['PUT', '/api/v1/id/ID', () => change, [404, 403, 200, 200]],
  ['PUT', '/api/v1/id/ID/@blob/file:content', upload, [404, 403, 200, 200]],
  ['POST', `/api/v1/path${FOLDER}`, () => child, [404, 403, 201, 201]],
  ['POST', `/api/v1/path${FOLDER}`, () => steal, [404, 403, 201, 201]],
  ['DELETE', '/api/v1/id/ID/@blob/file:content', () => ({}), [404, 403, 204, 404]],
  ['DELETE', '/api/v1/id/ID', () => ({}), [404, 403, 204, 404]],
]

test.each(routes)('%s %s', async (method, path, request, statuses) => {
  const found: number[] = []
  for (const user of users) {
    const { json } = request()
    const filled =
      json === undefined ? request() : { json: JSON.parse(JSON.stringify(json).replace('ID', file.uid)) }
    const answer = await call(method, path.replace('ID', file.uid), { ...filled, user })
    found.push(answer.status)
    if (answer.status === 403)
      expect(answer.json.message).toMatch(new RegExp(`^Privilege '\\w+' is not granted to '${user}' on `))
    if (answer.status === 404)
      expect(answer.text).not.toMatch(/secret|default-domain\/workspaces\/closed\/file/)
  }
  expect(found).toEqual(statuses)
})

test('queries and lists show only what the caller may browse', async () => {
  const query = `/api/v1/query?query=${encodeURIComponent(`SELECT * FROM Document WHERE ecm:path STARTSWITH '${FOLDER}'`)}`
  const counts = []
  for (const user of users) counts.push((await call('GET', query, { user })).json.resultsCount)
  expect(counts[0]).toBe(0)
  expect(counts[1]).toBeGreaterThan(0)
  expect(new Set(counts.slice(1)).size).toBe(1)
})

test('a stranger may not take the blob of a document that it cannot read', async () => {
  const secret = await call('POST', `/api/v1/path${FOLDER}`, {
    json: {
      'entity-type': 'document',
      name: 's',
      type: 'File',
      properties: { 'file:content': { data: 'secret' } },
    },
  })
  await platform.withSession(SYSTEM, async (session) =>
    setAcls(session, await getDocument(session, '/default-domain/sections'), [
      { name: 'local', aces: [grant('nobody', 'ReadWrite')] },
    ]),
  )
  const json = {
    ...(steal.json as object),
    properties: {
      'file:content': { data: `http://localhost/nxfile/default/${secret.json.uid}/file:content` },
    },
  }
  const taken = await call('POST', '/api/v1/path/default-domain/sections', { json, user: 'nobody' })
  expect(taken.status).toBe(404)
})

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`

test.each([
  ['no credentials', {}, true],
  ['a wrong password', { Authorization: basic('reader:wrong') }, true],
  ['an unknown user', { Authorization: basic('stranger:pass') }, true],
  ['an empty password', { Authorization: basic('reader:') }, true],
  ['a NUL in the name', { Authorization: basic('rea\0der:pass') }, true],
  ['another scheme', { Authorization: 'Bearer abc' }, true],
  ['a token client', { 'X-Authentication-Token': 'x' }, false],
  ['a client that wants no dialog', { 'X-No-Basic-Header': 'true' }, false],
  ['a browser with cookies', { Cookie: 'a=b' }, false],
])('401 for %s', async (_case, headers, isChallenged) => {
  for (const path of ['/api/v1/path/', '/nxfile/default/x', '/api/v1/nothing', '/', '/ui/']) {
    const answer = await call('GET', path, { user: null, headers: headers as Record<string, string> })
    expect([answer.status, answer.json['entity-type']]).toEqual([401, 'exception'])
    expect(answer.headers.get('www-authenticate')).toBe(
      isChallenged ? 'Basic realm="Nuxeo Automation"' : null,
    )
  }
})

test('the dialog of a browser names this product', async () => {
  const answer = await call('GET', '/', { user: null, headers: { Accept: 'text/html,*/*;q=0.8' } })
  expect(answer.headers.get('www-authenticate')).toBe('Basic realm="Archivolt"')
})

test.each(['/health/live', '/health/ready', '/metrics'])('%s is open', async (path) => {
  // A process that stood still while it was asked is not ready.
  const answer = await soon(async () => {
    const given = await call('GET', path, { user: null })
    expect(given.status).toBe(200)
    return given
  })
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
})

test('metrics name routes by template, not by document', async () => {
  await call('GET', '/api/v1/path/default-domain/@children')
  const { text } = await call('GET', '/metrics')
  expect(text).toContain('route="/api/v1/path/:path/@children"')
  expect(text).not.toContain('default-domain')
})

test('readiness names what it depends on', async () => {
  await expect
    .poll(async () => (await call('GET', '/health/ready')).json)
    .toMatchObject({
      state: 'up',
      dependencies: [
        { name: 'database', state: 'up', latencyMs: expect.any(Number) },
        { name: 'notifications', state: 'up', latencyMs: expect.any(Number) },
        { name: 'blobs', state: 'up', latencyMs: expect.any(Number) },
      ],
    })
})

test('a document that somebody else locked is not written', async () => {
  const made = await call('POST', `/api/v1/path${FOLDER}`, child)
  await platform.database
    .sql`UPDATE documents SET lock_owner = 'boss', locked_at = now() WHERE id = ${made.json.uid}`
  expect((await call('PUT', `/api/v1/id/${made.json.uid}`, { ...change, user: 'writer' })).status).toBe(403)
  const read = await call('GET', `/api/v1/id/${made.json.uid}?fetch-document=lock`, { user: 'writer' })
  expect(read.json).toMatchObject({ lockOwner: 'boss', lockCreated: expect.stringMatching(/^\d{4}-.*Z$/) })
  expect((await call('PUT', `/api/v1/id/${made.json.uid}`, { ...change, user: 'boss' })).status).toBe(200)
})

test('a change of a document that somebody else has locked names the lock, and no other refusal does', async () => {
  const { json: made } = await call('POST', `/api/v1/path${FOLDER}`, child)
  await platform.database
    .sql`UPDATE documents SET lock_owner = 'boss', locked_at = now() WHERE id = ${made.uid}`
  const messageFor = async (user: string) =>
    (await call('PUT', `/api/v1/id/${made.uid}`, { ...change, user })).json.message
  const named = (user: string) => `Privilege 'WriteProperties' is not granted to '${user}' on ${made.path}`
  expect(await messageFor('writer')).toBe(`${named('writer')}, which boss has locked`)
  expect(await messageFor('reader')).toBe(named('reader'))
})

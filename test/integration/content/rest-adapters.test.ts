import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEngine } from '../../../api/engine.js'
import { addUser, createClient, type Entity } from '../support/rest-client.js'
import { createTestPlatform } from '../support/rest-support.js'

const platform = await createTestPlatform({ TEMPORAL_ADDRESS: '127.0.0.1:1' })
const engine = await createEngine(platform)
afterAll(() => engine.close())
const call = createClient(platform, engine)
await addUser(platform, 'ann', ['members'])

const WORKSPACES = '/api/v1/path/default-domain/workspaces'
const FOLDER = `${WORKSPACES}/adapters`

const create = async (at: string, name: string, type: string, properties: object = {}): Promise<Entity> =>
  (await call('POST', at, { json: { 'entity-type': 'document', name, type, properties } })).json

const names = ({ json }: Entity): string[] => json.entries.map(({ path }: Entity) => path.split('/').at(-1))

let folder: Entity
beforeAll(async () => {
  folder = await create(WORKSPACES, 'adapters', 'Folder', { 'dc:title': 'Adapters' })
  await create(FOLDER, 'contract', 'File', { 'dc:title': 'A contract about elephants' })
  await create(FOLDER, 'letter', 'Note', {
    'dc:title': 'B letter',
    'note:note': '<b>elephants</b>',
    'note:mime_type': 'text/html',
  })
  await create(WORKSPACES, 'elsewhere', 'File', { 'dc:title': 'elephants elsewhere' })
})

test('@search looks for words in the folder, or in that of a file', async () => {
  const found = await call('GET', `${FOLDER}/@search?fullText=elephants&orderBy=dc:title`)
  expect(names(found)).toEqual(['contract', 'letter'])
  expect(names(await call('GET', `${FOLDER}/contract/@search?fullText=elephants&orderBy=dc:title`))).toEqual([
    'contract',
    'letter',
  ])
  const last = await call('GET', `${FOLDER}/@search?fullText=elephants&maxResults=1&sortBy=dc:title`)
  expect([names(last), last.json.resultsCount]).toEqual([['letter', 'contract'], -2])
  expect((await call('GET', `${FOLDER}/@search?fullText=it's "quoted`)).status).toBeLessThan(500)
})

test('@search runs a query that the folder does not limit', async () => {
  const query = encodeURIComponent("SELECT * FROM File WHERE dc:title LIKE '%elephants%' ORDER BY dc:title")
  const found = await call('GET', `${FOLDER}/@search?query=${query}&pageSize=1`)
  expect([found.json.resultsCount, names(found)]).toEqual([2, ['contract']])
})

test.each([
  ['@search', 400, /query or fullText/],
  ['@search?query=SELECT', 400, /./],
  ['@search?fullText=x&orderBy=dc:title%20DESC;', 400, /^orderBy:/],
  ['@search?fullText=x&pageSize=ten', 400, /^pageSize:/],
  ['@children?currentPageIndex=x', 400, /^currentPageIndex:/],
  ['@nothing', 404, /No such adapter: @nothing/],
  ['@acl/@children', 404, /No such adapter/],
  ['@children/@acl', 404, /No such adapter/],
  ['@children/@children/@op/Document.Fetch', 404, /No such adapter/],
  ['@emptyWithDefault', 400, /^type:/],
  ['@emptyWithDefault?type=Nothing', 400, /Type: Nothing does not exist/],
  ['@rendition', 404, /no rendition ''/],
  ['@rendition/nothing', 404, /no rendition 'nothing'/],
  ['@preview', 404, /no preview/],
  ['@preview/x', 404, /No such part/],
  ['@blob/file:content', 404, /No blob/],
  ['@blob/', 404, /No blob/],
])('%s is answered with %i', async (path, status, message) => {
  const { json, ...answer } = await call('GET', `${FOLDER}/${path}`)
  expect([answer.status, json['entity-type'], json.status]).toEqual([status, 'exception', status])
  expect(json.message).toMatch(message)
})

test('verbs that an adapter does not know are reported with those that it knows', async () => {
  const { status, headers } = await call('PUT', `${FOLDER}/@children`, { json: {} })
  expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  const options = await call('OPTIONS', `${FOLDER}/@blob/file:content`)
  expect([options.status, options.headers.get('allow')]).toEqual([200, 'GET, HEAD, PUT, DELETE, OPTIONS'])
  expect((await call('HEAD', `${FOLDER}/@children`)).text).toBe('')
})

test('a document as it would begin is shown, and not saved', async () => {
  const { json } = await call('GET', `${FOLDER}/@emptyWithDefault?type=Note&name=new`, {
    headers: { properties: '*' },
  })
  expect(json).toMatchObject({
    uid: null,
    type: 'Note',
    path: `${folder.path}/new`,
    state: 'project',
    title: 'new',
  })
  expect(json.properties['common:size'] ?? null).toBeNull()
  expect((await call('GET', `${FOLDER}/new`)).status).toBe(404)
})

test('a note is previewed without its scripts, a picture where it is', async () => {
  const note = await call('GET', `${FOLDER}/letter/@preview`)
  expect(note.headers.get('content-type')).toBe('text/html; charset=UTF-8')
  expect(note.headers.get('content-security-policy')).toMatch(/^sandbox;/)
  expect(note.text).toContain('<b>elephants</b>')
  await create(FOLDER, 'plain', 'Note', { 'note:note': '<script>', 'note:mime_type': 'text/plain' })
  expect((await call('GET', `${FOLDER}/plain/@preview/`)).text).toContain('&lt;script&gt;')
  const text = await create(FOLDER, 'text', 'File', { 'file:content': { data: 'x', name: 'a.txt' } })
  const { status, headers } = await call('GET', `/api/v1/id/${text.uid}/@preview`)
  expect([status, headers.get('location')]).toEqual([
    303,
    expect.stringMatching(/file%3Acontent\?inline=true$/),
  ])
})

test('renditions: the file itself, and a picture made small', async () => {
  const { default: sharp } = await import('sharp')
  const picture = await sharp({ create: { width: 400, height: 200, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const made = await create(FOLDER, 'picture', 'File')
  const body = new FormData()
  body.append('file', new Blob([picture], { type: 'image/png' }), 'red.png')
  expect((await call('PUT', `/api/v1/id/${made.uid}/@blob/file:content`, { body })).status).toBe(200)
  const main = await call('GET', `/api/v1/id/${made.uid}/@rendition/mainBlob`)
  expect([main.status, main.headers.get('content-type')]).toEqual([200, 'image/png'])
  const small = await call('GET', `/api/v1/id/${made.uid}/@rendition/thumbnail`)
  expect([small.status, small.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  const same = await call('GET', `/api/v1/id/${made.uid}/@rendition/thumbnail`, {
    headers: { 'If-None-Match': small.headers.get('etag') ?? '' },
  })
  expect(same.status).toBe(304)
  const { json } = await call('GET', `/api/v1/id/${made.uid}`, {
    headers: { 'enrichers-document': 'renditions' },
  })
  const listed = json.contextParameters.renditions
  expect(listed.map(({ name }: Entity) => name)).toEqual([
    'thumbnail',
    'mainBlob',
    'pdf',
    'xmlExport',
    'zipExport',
  ])
  expect((await call('GET', new URL(listed[0].url).pathname)).status).toBe(200)
  const broken = new FormData()
  broken.append('file', new Blob(['no picture'], { type: 'image/jpeg' }), 'broken.jpg')
  const file = await create(FOLDER, 'broken', 'File')
  expect((await call('PUT', `/api/v1/id/${file.uid}/@blob/file:content`, { body: broken })).status).toBe(200)
  for (const at of [FOLDER, `/api/v1/id/${file.uid}`]) {
    const icon = await call('GET', `${at}/@rendition/thumbnail`)
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
  }
})

test('a PUT that names its source answers with the last version, or the live document', async () => {
  const made = await create(FOLDER, 'sourced', 'File')
  const json = { 'entity-type': 'document', properties: { 'dc:title': 'x' } }
  const put = (headers: Record<string, string>) => call('PUT', `/api/v1/id/${made.uid}`, { json, headers })
  expect((await put({ source: 'drive' })).json.uid).toBe(made.uid)
  const version = (await put({ 'X-Versioning-Option': 'MINOR', source: 'drive' })).json
  expect(version.isVersion).toBe(true)
  expect((await put({ source: 'drive' })).json.uid).toBe(version.uid)
  expect((await put({ 'X-Batch-No-Drop': 'true' })).json.uid).toBe(made.uid)
  const events = await platform.database.sql<{ source: string | null }[]>`
    SELECT payload->>'source' AS source FROM outbox WHERE document_id = ${made.uid} AND event = 'documentModified' ORDER BY id`
  expect(events.map(({ source }) => source)).toEqual(['drive', null, 'drive', null])
  expect((await put({ source: 'x'.repeat(4_001) })).json.message).toBe('source: longer than 4000 characters')
})

test('the comment of an update is part of its event', async () => {
  const made = await create(FOLDER, 'commented', 'File')
  await call('PUT', `/api/v1/id/${made.uid}`, {
    json: { 'entity-type': 'document', properties: { 'dc:title': 'x' } },
    headers: { 'Update-Comment': 'because' },
  })
  const events = await platform.database.sql<{ comment: string }[]>`
    SELECT payload->>'comment' AS comment FROM outbox WHERE document_id = ${made.uid} AND event = 'documentModified'`
  expect(events.map(({ comment }) => comment)).toEqual(['because'])
})

test('empty texts are kept, and null for the older reader', async () => {
  const legacy = { 'X-NXDocumentJsonLegacy': 'true', properties: 'dublincore' }
  const json = {
    'entity-type': 'document',
    name: 'empty',
    type: 'File',
    properties: { 'dc:description': '' },
  }
  const now = await call('POST', FOLDER, { json, headers: { properties: 'dublincore' } })
  const then = await call('POST', FOLDER, { json, headers: legacy })
  expect([now.json.properties['dc:description'], then.json.properties['dc:description']]).toEqual(['', null])
})

test('JSON is taken and given under each of its names', async () => {
  for (const type of [
    'application/json',
    'application/json+nxentity',
    'application/json; nuxeo-entity=document',
    'application/json+esentity',
  ]) {
    const body = JSON.stringify({ 'entity-type': 'document', name: 'typed', type: 'File' })
    const { status, headers } = await call('POST', FOLDER, {
      body,
      headers: { 'Content-Type': type, Accept: type },
    })
    expect([type, status, headers.get('content-type')]).toEqual([
      type,
      201,
      'application/json; nuxeo-entity=document',
    ])
  }
})

test('paths with doubled slashes, plus signs and at signs name what they say', async () => {
  const { json } = await call('POST', FOLDER, {
    json: { 'entity-type': 'document', name: 'a+b@c é', type: 'Folder' },
  })
  const encoded = `${FOLDER}/a+b@c%20%C3%A9`
  for (const path of [encoded, `${encoded}/`, encoded.replace('/adapters/', '//adapters//')])
    expect((await call('GET', path)).json.uid, path).toBe(json.uid)
  expect((await call('GET', `${encoded}/@children`)).json.entries).toEqual([])
  expect((await call('GET', '/api/v1/path/@children')).json.entries[0].path).toBe('/default-domain')
  for (const root of ['/api/v1/path', '/api/v1/path/', '/api/v1/repo/default/path//'])
    expect((await call('GET', root)).json.path).toBe('/')
})

test('preconditions of HTTP are not looked at for documents', async () => {
  const made = await create(FOLDER, 'unconditional', 'File')
  const json = { 'entity-type': 'document', properties: { 'dc:title': 'written' } }
  const { status } = await call('PUT', `/api/v1/id/${made.uid}`, { json, headers: { 'If-Match': '"other"' } })
  expect(status).toBe(200)
})

test('the uid of a body must exist, and does not redirect the write', async () => {
  const [one, other] = [await create(FOLDER, 'one', 'File'), await create(FOLDER, 'other', 'File')]
  const put = (uid: string) =>
    call('PUT', `/api/v1/id/${one.uid}`, {
      json: { 'entity-type': 'document', uid, properties: { 'dc:title': `for ${uid}` } },
    })
  expect((await put(other.uid)).json.uid).toBe(one.uid)
  expect((await call('GET', `/api/v1/id/${other.uid}`)).json.title).toBe('other')
  const unknown = await put('00000000-0000-4000-8000-000000000000')
  expect([unknown.status, unknown.json.message]).toEqual([404, '00000000-0000-4000-8000-000000000000'])
})

test('@pp hands its page to operations', async () => {
  const made = await create(WORKSPACES, 'paged', 'Folder')
  await create(`${WORKSPACES}/paged`, 'one', 'File')
  await create(`${WORKSPACES}/paged`, 'two', 'Note')
  const address = `/api/v1/id/${made.uid}/@pp/CURRENT_DOC_CHILDREN/@op/Document.SetProperty`
  const answer = await call('POST', address, { json: { params: { xpath: 'dc:rights', value: 'ours' } } })
  expect(answer.status).toBe(200)
  const children = await call('GET', `${WORKSPACES}/paged/@children?properties=dublincore`)
  expect(children.json.entries.map(({ properties }: Entity) => properties['dc:rights'])).toEqual([
    'ours',
    'ours',
  ])
})

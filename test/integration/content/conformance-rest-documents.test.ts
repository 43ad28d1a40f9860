import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEngine } from '../../../api/engine.js'
import { addUser, createClient, type Entity } from '../support/rest-client.js'
import { createTestPlatform } from '../support/rest-support.js'

// What docs/conformance/rest-documents.md names and no test beside a feature shows.

const config = mkdtempSync(join(tmpdir(), 'archivolt-conformance-'))
afterAll(() => rmSync(config, { recursive: true, force: true }))
writeFileSync(
  join(config, 'model.yaml'),
  `
schemas:
  sample:
    prefix: my
    fields:
      bytes: binary
      count: long
      ratio: double
      flag: boolean
      owner: { type: string, resolver: { user: user } }
types:
  Sample: { extends: File, schemas: [sample] }
`,
)
const platform = await createTestPlatform({ ARCHIVOLT_CONFIG: config, TEMPORAL_ADDRESS: '127.0.0.1:1' })
const engine = await createEngine(platform)
afterAll(() => engine.close())
const call = createClient(platform, engine)
await addUser(platform, 'ann', ['members'])

const PLACE = '/default-domain/workspaces/conformance'
const at = (path = '') => `/api/v1/path${PLACE}${path}`

const create = async (
  name: string,
  type = 'File',
  properties: object = {},
  parent = at(),
): Promise<Entity> => {
  const json = { 'entity-type': 'document', name, type, properties }
  const { status, json: made } = await call('POST', parent, { json, headers: { properties: '*' } })
  expect([status, made.message]).toEqual([201, undefined])
  return made
}
const get = async (path: string, headers: Record<string, string> = {}): Promise<Entity> =>
  (await call('GET', path, { headers })).json
const put = (uid: string, extra: object, headers: Record<string, string> = {}) =>
  call('PUT', `/api/v1/id/${uid}`, {
    json: { 'entity-type': 'document', ...extra },
    headers: { properties: '*', ...headers },
  })
const operate = (operation: string, input: string, params: object = {}, headers = {}) =>
  call('POST', `/api/v1/automation/${operation}`, { json: { input, params }, headers })

beforeAll(async () => {
  await create('conformance', 'Workspace', {}, '/api/v1/path/default-domain/workspaces')
})

describe('the document entity', () => {
  test('has its title, parent and modification where there are such', async () => {
    const root = await get('/api/v1/path/')
    expect([root.parentRef, root.title, root.path]).toEqual(['/', '', '/'])
    const untitled = await create('untitled')
    expect(untitled.title).toBe('untitled')
    expect(untitled.lastModified).toBe(untitled.properties['dc:modified'])
    const bare = await create('bare', 'Relation')
    expect(bare).not.toHaveProperty('lastModified')
    expect(untitled.schemas).toContainEqual({ name: 'file', prefix: 'file' })
    expect(untitled.schemas).toContainEqual({ name: 'dublincore', prefix: 'dc' })
    expect(untitled).not.toHaveProperty('name')
  })

  test('reports label and lock when they are fetched, the lock only of what is locked', async () => {
    const fetch = { 'fetch-document': 'versionLabel,lock' }
    const file = await create('locked')
    const folder = await create('unversioned', 'Folder')
    expect((await get(`/api/v1/id/${file.uid}`, fetch)).versionLabel).toBe('0.0')
    expect((await get(`/api/v1/id/${folder.uid}`, fetch)).versionLabel).toBe('')
    expect(await get(`/api/v1/id/${file.uid}`, fetch)).not.toHaveProperty('lockOwner')
    expect((await operate('Document.Lock', file.uid)).status).toBe(200)
    expect(await get(`/api/v1/id/${file.uid}`, fetch)).toMatchObject({
      lockOwner: 'Administrator',
      lockCreated: expect.stringMatching(/Z$/),
    })
    const plain = await get(`/api/v1/id/${file.uid}`)
    for (const field of ['lockOwner', 'lockCreated', 'versionLabel']) expect(plain).not.toHaveProperty(field)
  })

  test('of an unpaged list is one of its entries, and nothing else is in the list', async () => {
    const { contextParameters } = await get(at(), { 'enrichers-document': 'children,breadcrumb' })
    for (const list of [contextParameters.children, contextParameters.breadcrumb])
      expect([Object.keys(list), list['entity-type']]).toEqual([['entity-type', 'entries'], 'documents'])
  })
})

describe('creating, changing and removing', () => {
  test('POST takes the document of its address as the parent, by id too, and returns no location', async () => {
    const folder = await create('parent', 'Folder')
    const json = { 'entity-type': 'document', name: 'child', type: 'Note' }
    const { status, headers, json: made } = await call('POST', `/api/v1/id/${folder.uid}`, { json })
    expect([status, headers.get('location'), made.parentRef]).toEqual([201, null, folder.uid])
  })

  test('PUT changes listed properties and nothing else, whatever else is sent', async () => {
    const file = await create('fixed', 'File', { 'dc:title': 'T', 'dc:source': 'S' })
    const { status, json } = await put(file.uid, {
      ...{ name: 'other', type: 'Note', path: '/other', state: 'approved', facets: ['Folderish'] },
      ...{ repository: 'default', title: 'other', properties: { 'dc:source': 'new' } },
    })
    expect(status).toBe(200)
    const { path, type, state, facets, title } = file
    expect(json).toMatchObject({ path, type, state, facets, title })
    expect(json.properties).toMatchObject({ 'dc:title': 'T', 'dc:source': 'new' })
  })

  test('DELETE takes everything below, without a body or a type of one', async () => {
    const folder = await create('tree', 'Folder')
    const leaf = await create('leaf', 'File', {}, `/api/v1/id/${folder.uid}`)
    const removed = await call('DELETE', `/api/v1/id/${folder.uid}`)
    expect([removed.status, removed.text, removed.headers.get('content-type')]).toEqual([204, '', null])
    expect((await call('GET', `/api/v1/id/${leaf.uid}`)).status).toBe(404)
  })

  test('a name that is taken gives way to a move, too; no name becomes a number', async () => {
    const target = await create('target', 'Folder')
    await create('same', 'File', {}, `/api/v1/id/${target.uid}`)
    const moving = await create('same')
    const moved = await operate('Document.Move', moving.uid, { target: target.uid })
    expect(moved.json.path).toMatch(/\/target\/same\.\d{13}$/)
    const nameless = await operate('Document.Create', target.uid, { type: 'File', name: '' })
    expect(nameless.json.path).toMatch(/\/target\/\d+$/)
  })

  test('titles may repeat, and types that a folder does not offer may be made', async () => {
    const first = await create('title-1', 'File', { 'dc:title': 'Again' })
    const second = await create('title-2', 'File', { 'dc:title': 'Again' })
    expect(first.title).toBe(second.title)
    expect((await create('section', 'Section')).type).toBe('Section')
  })
})

describe('property values', () => {
  test.each([
    ['my:count', 12, 12],
    ['my:count', '12', 12],
    ['my:count', '', null],
    ['my:count', 9_007_199_254_740_991, 9_007_199_254_740_991],
    ['my:ratio', 1.5, 1.5],
    ['my:ratio', '2.25', 2.25],
    ['my:flag', 'TRUE', true],
    ['my:flag', 'yes', false],
    ['my:flag', 0, false],
    ['my:flag', 2, true],
    ['my:bytes', 'AAEC/w==', 'AAEC/w=='],
    ['my:owner', { 'entity-type': 'user', id: 'ann' }, 'ann'],
    ['dc:creator', { 'entity-type': 'user', id: 'ann', properties: { username: 'ann' } }, 'ann'],
    [
      'dc:coverage',
      { 'entity-type': 'directoryEntry', directoryName: 'l10ncoverage', id: 'europe' },
      'europe',
    ],
    ['dc:issued', '2015', '2015-01-01T00:00:00.000Z'],
    ['dc:issued', '2015-07', '2015-07-01T00:00:00.000Z'],
    ['dc:issued', '2015-07-01T08:30', '2015-07-01T08:30:00.000Z'],
    ['dc:issued', '2015-07-01T08:30:15-01:00', '2015-07-01T09:30:15.000Z'],
    ['file:content', null, null],
    ['files:files', null, []],
  ])('%s: %j is kept as %j', async (name, sent, expected) => {
    const { uid } = await create('value', 'Sample')
    const { status, json } = await put(uid, { properties: { [name]: sent } })
    expect([status, json.properties?.[name]]).toEqual([200, expected])
  })

  test.each([
    ['my:count', 1.5],
    ['my:count', {}],
    ['my:ratio', 'many'],
    ['dc:title', { id: 'x' }],
    ['dc:subjects', { id: 'x' }],
    ['files:files', [1]],
    ['file:content', [1]],
    ['dc:issued', 1_400_000_000_000],
  ])('%s: %j is refused by name, and nothing is changed', async (name, sent) => {
    const { uid } = await create('refused', 'Sample', { 'dc:title': 'before' })
    const { status, json } = await put(uid, { properties: { 'dc:title': 'changed', [name]: sent } })
    expect([status, json.message]).toEqual([
      400,
      expect.stringContaining(`Unable to deserialize property: ${name}`),
    ])
    expect((await get(`/api/v1/id/${uid}`)).title).toBe('before')
  })

  test('lists are replaced whole, unknown parts of a complex value ignored', async () => {
    const { uid } = await create('lists', 'Video', {
      'dc:subjects': ['a', 'b'],
      'vid:storyboard': [{ comment: 'one' }, { comment: 'two', timecode: 3 }],
    })
    const { json } = await put(uid, {
      properties: { 'dc:subjects': ['c'], 'vid:storyboard': [{ comment: 'three', unknown: 1 }] },
    })
    expect(json.properties['dc:subjects']).toEqual(['c'])
    expect(json.properties['vid:storyboard']).toEqual([{ content: null, timecode: null, comment: 'three' }])
  })

  test.each([
    [
      { data: 'x', name: 'a.txt' },
      { name: 'a.txt', 'mime-type': 'text/plain', encoding: 'UTF-8', length: '1' },
    ],
    [
      { content: 'xy', filename: 'b.html', 'mime-type': 'text/html' },
      { name: 'b.html', 'mime-type': 'text/html' },
    ],
    [
      { data: 'é', encoding: 'ISO-8859-1' },
      { name: null, encoding: 'ISO-8859-1', length: '1' },
    ],
  ])('the file %j is written as %j', async (sent, expected) => {
    const { properties } = await create('inline', 'File', { 'file:content': sent })
    expect(properties['file:content']).toMatchObject(expected)
  })

  test('the name of a file is reported beside it, as clients of 7.4 read it', async () => {
    const { properties } = await create('named', 'File', {
      'file:content': { data: 'x', name: 'a.txt' },
      'files:files': [{ file: { data: 'y', name: 'b.txt' } }],
    })
    expect(properties['file:filename']).toBe('a.txt')
    expect(properties['files:files'][0].filename).toBe('b.txt')
  })

  test('a file of a batch that is not there is a mistake, and creates nothing', async () => {
    const content = { 'upload-batch': 'batchId-none', 'upload-fileId': '0' }
    const json = {
      'entity-type': 'document',
      name: 'no-batch',
      type: 'File',
      properties: { 'file:content': content },
    }
    const answer = await call('POST', '/api/v1/path/default-domain/workspaces', { json })
    expect([answer.status, answer.json.message]).toEqual([400, expect.stringContaining('batchId-none')])
  })

  test('the enricher of blobs is no part of what may be sent back', async () => {
    const { uid, properties } = await create('back', 'File', { 'file:content': { data: 'x', name: 'a.txt' } })
    const content = { ...properties['file:content'], appLinks: [], preview: null }
    const { json } = await put(uid, { properties: { 'file:content': content } })
    expect(json.properties['file:content']).toEqual(properties['file:content'])
  })

  test('a counter is a plain number', async () => {
    const { uid } = await create('counter', 'Sample', { 'my:count': 1 })
    await operate('Document.Increment', uid, { xpath: 'my:count', delta: 2 })
    const read = (await get(`/api/v1/id/${uid}`, { properties: 'sample' })).properties['my:count']
    expect(typeof read).toBe('number')
  })
})

describe('rendering controls', () => {
  test.each(['fetch-document', 'fetch.document', 'X-NXfetch.document', 'X-NXfetch-document'])(
    'fetch is asked for by %s, in a header or the query',
    async (name) => {
      const expected = { versionLabel: '' }
      expect(await get(at(), { [name]: 'versionLabel' })).toMatchObject(expected)
      expect(await get(`${at()}?${name}=versionLabel`)).toMatchObject(expected)
    },
  )

  test.each([
    'translate-directoryEntry',
    'translate.directoryEntry',
    'X-NXtranslate.directoryEntry',
    'X-NXtranslate-directoryEntry',
  ])('labels are translated by %s', async (name) => {
    const { properties } = await get('/api/v1/directory/l10nsubjects/cinema', {
      [name]: 'label',
      'Accept-Language': 'fr',
    })
    expect(properties.label).toBe('Cinéma')
  })
})

describe('enrichers', () => {
  test('children are all there are, in the trash and hidden ones too', async () => {
    const folder = await create('all-children', 'Folder')
    await create('shown', 'File', {}, `/api/v1/id/${folder.uid}`)
    await create('hidden', 'Relation', {}, `/api/v1/id/${folder.uid}`)
    const trashed = await create('trashed', 'File', {}, `/api/v1/id/${folder.uid}`)
    await operate('Document.Trash', trashed.uid)
    const path = `/api/v1/id/${folder.uid}`
    const names = ({ entries }: Entity) => entries.map((entry: Entity) => entry.path.split('/').at(-1)).sort()
    const { contextParameters } = await get(path, { 'enrichers-document': 'children' })
    expect(names(contextParameters.children)).toEqual([
      'hidden',
      'shown',
      expect.stringMatching(/^trashed\b/),
    ])
    expect(names(await get(`${path}/@children`))).toEqual(['shown'])
  })

  test('an address for people, and what may be made', async () => {
    const { uid, contextParameters } = await get(at(), { 'enrichers-document': 'documentURL,subtypes' })
    expect(contextParameters.documentURL).toContain(uid)
    expect(contextParameters.subtypes).toContainEqual({
      type: 'Note',
      facets: expect.arrayContaining(['Versionable']),
    })
  })
})

describe('adapters', () => {
  test.each(['collections', 'permissions', 'versions', 'tags'])('@%s is none', async (name) => {
    expect((await call('GET', at(`/@${name}`))).status).toBe(404)
  })

  test.each(['@children', '@search?fullText=x'])('%s behind its end is an empty page', async (adapter) => {
    const path = at(`/${adapter}${adapter.includes('?') ? '&' : '?'}currentPageIndex=99`)
    expect(await get(path)).toMatchObject({ currentPageIndex: 99, entries: [], currentPageSize: 0 })
  })

  test('@op answers as the call itself would', async () => {
    const file = await create('operated')
    const params = { xpath: 'dc:title', value: 'Operated' }
    const answer = await call('POST', `/api/v1/id/${file.uid}/@op/Document.SetProperty`, {
      json: { params, context: {} },
      headers: { properties: 'dublincore' },
    })
    const direct = await operate('Document.SetProperty', file.uid, params, { properties: 'dublincore' })
    expect(answer.headers.get('content-type')).toBe(direct.headers.get('content-type'))
    expect([answer.status, Object.keys(answer.json)]).toEqual([200, Object.keys(direct.json)])
  })
})

describe('queries', () => {
  const names = ({ entries }: Entity) => entries.map(({ path }: Entity) => path.split('/').at(-1))
  const search = async (query: string, more = '') =>
    get(`/api/v1/search/execute?query=${encodeURIComponent(query)}${more}`)

  test('find what is in the trash, and versions, unless asked not to', async () => {
    const file = await create('lost', 'File', { 'dc:source': 'lost' })
    await put(file.uid, { properties: {} }, { 'X-Versioning-Option': 'MINOR' })
    await operate('Document.Trash', file.uid)
    expect((await search("SELECT * FROM File WHERE dc:source = 'lost'")).resultsCount).toBe(2)
    const narrowed = "SELECT * FROM File WHERE dc:source = 'lost' AND ecm:isTrashed = 0 AND ecm:isVersion = 0"
    expect((await search(narrowed)).resultsCount).toBe(0)
  })

  test('begin at the offset rather than the page, and give no more than the most', async () => {
    const folder = await create('paged', 'Folder')
    for (const name of ['a', 'b', 'c']) await create(name, 'File', {}, `/api/v1/id/${folder.uid}`)
    const query = `SELECT * FROM File WHERE ecm:parentId = '${folder.uid}' ORDER BY ecm:name`
    expect(names(await search(query, '&pageSize=2&currentPageIndex=0&offset=1'))).toEqual(['b', 'c'])
    expect(await search(query, '&pageSize=5000')).toMatchObject({ maxPageSize: 1000, currentPageSize: 3 })
    expect(await search(query)).toMatchObject({ pageSize: 0, currentPageSize: 3, numberOfPages: 1 })
    expect(await search(query, '&pageSize=&currentPageIndex=&maxResults=')).toMatchObject({ resultsCount: 3 })
  })

  test('ask for all documents when they ask for nothing', async () => {
    const all = await get('/api/v1/search/execute?pageSize=1')
    expect(all.resultsCount).toBe((await search('SELECT * FROM Document', '&pageSize=1')).resultsCount)
  })

  test('a query beside a provider takes its place', async () => {
    await create('beside', 'File', { 'dc:source': 'beside' })
    const query = encodeURIComponent("SELECT * FROM File WHERE dc:source = 'beside'")
    expect(names(await get(`/api/v1/query/document_content?query=${query}`))).toEqual(['beside'])
  })

  test('take values with commas by place, and know the caller and the repository', async () => {
    await create('commas', 'File', { 'dc:source': 'a,b' })
    expect(names(await search('SELECT * FROM File WHERE dc:source = ?', '&queryParams=a,b'))).toEqual([
      'commas',
    ])
    const named = 'SELECT * FROM File WHERE dc:source = :s AND dc:creator = :me'
    expect(names(await search(named, '&s=a,b&me=$currentUser'))).toEqual(['commas'])
    await create('of-repository', 'File', { 'dc:source': 'default' })
    const filled = await search(named, '&s=$currentRepository&me=$currentUser')
    expect(names(filled)).toEqual(['of-repository'])
  })
})

test('who may not read gets 404, who may not write 403 with what is missing and who', async () => {
  const file = await create('rights')
  for (const [method, path, json] of [
    ['PUT', `/api/v1/id/${file.uid}`, { 'entity-type': 'document', properties: { 'dc:title': 'x' } }],
    ['POST', at(), { 'entity-type': 'document', name: 'x', type: 'File' }],
    ['DELETE', `/api/v1/id/${file.uid}`, undefined],
  ] as const) {
    const { status, json: answer } = await call(method, path, { user: 'ann', json })
    expect([status, answer.message]).toEqual([
      403,
      expect.stringMatching(
        /(WriteProperties|AddChildren|Remove).*ann|ann.*(WriteProperties|AddChildren|Remove)/,
      ),
    ])
  }
})

import { beforeAll, describe, expect, test } from 'vitest'
import { addUser, createClient, type Entity } from '../support/rest-client.js'
import { createTestPlatform } from '../support/rest-support.js'

const platform = await createTestPlatform({ ARCHIVOLT_COUNT_LIMIT: '3' })
const call = createClient(platform)
const FOLDER = '/api/v1/path/default-domain/workspaces/list'

beforeAll(async () => {
  await call('POST', '/api/v1/path/default-domain/workspaces', {
    json: { 'entity-type': 'document', name: 'list', type: 'Folder' },
  })
  for (const [name, title] of [
    ['b', 'Beta'],
    ['a', 'alpha'],
    ['c', "Gam'ma"],
  ]) {
    const json = { 'entity-type': 'document', name, type: 'File', properties: { 'dc:title': title } }
    await call('POST', FOLDER, { json })
  }
  await addUser(platform, 'ann', ['powerusers'])
})

const titles = (list: Entity): string[] => list.entries.map((entry: Entity) => entry.title)

test('children come in pages with all paging fields in order', async () => {
  const { status, headers, json } = await call('GET', `${FOLDER}/@children?pageSize=2`)
  expect([status, headers.get('content-type')]).toEqual([200, 'application/json; nuxeo-entity=documents'])
  expect({ ...json, entries: titles(json) }).toEqual({
    'entity-type': 'documents',
    isPaginable: true,
    resultsCount: 3,
    pageSize: 2,
    maxPageSize: 1000,
    resultsCountLimit: 0,
    currentPageSize: 2,
    currentPageIndex: 0,
    currentPageOffset: 0,
    numberOfPages: 2,
    isPreviousPageAvailable: false,
    isNextPageAvailable: true,
    isLastPageAvailable: true,
    isSortable: true,
    hasError: false,
    errorMessage: null,
    totalSize: 3,
    pageIndex: 0,
    pageCount: 2,
    entries: ['Beta', "Gam'ma"],
  })
  expect(Object.keys(json).at(-1)).toBe('entries')
})

test.each([
  ['?pageSize=2&currentPageIndex=1', ['alpha']],
  ['?pageSize=2&currentPageIndex=9', []],
  ['?sortBy=dc:title', ['alpha', "Gam'ma", 'Beta']],
  ['?sortBy=dc:title&sortOrder=ASC', ['Beta', "Gam'ma", 'alpha']],
  ['?sortBy=ecm:name&sortOrder=asc', ['alpha', 'Beta', "Gam'ma"]],
  ['?pageSize=&offset=1', ["Gam'ma", 'alpha']],
])('@children%s', async (parameters, expected) => {
  const { json } = await call('GET', `${FOLDER}/@children${parameters}`)
  expect(titles(json)).toEqual(expected)
})

const FILES = "SELECT * FROM File WHERE ecm:path STARTSWITH '/default-domain/workspaces/list'"
const query = (nxql: string, parameters = '') => `?query=${encodeURIComponent(nxql)}${parameters}`

test.each([
  [`/query${query(`${FILES} ORDER BY ecm:name`)}`, ['alpha', 'Beta', "Gam'ma"]],
  [`/query/NXQL${query(`${FILES} ORDER BY ecm:name`, '&pageSize=1&currentPageIndex=1')}`, ['Beta']],
  [`/search/execute${query(`${FILES} ORDER BY ecm:name`, '&maxResults=2')}`, ['alpha', 'Beta', "Gam'ma"]],
  [
    `/search/lang/NXQL/execute${query(`${FILES} ORDER BY ecm:name`, '&sortBy=ecm:name')}`,
    ["Gam'ma", 'Beta', 'alpha'],
  ],
  [`/query${query(`${FILES} AND dc:title = ?`, "&queryParams=Gam'ma")}`, ["Gam'ma"]],
  [`/query${query(`${FILES} AND dc:title = ?`, "&queryParams=x' OR '1'='1")}`, []],
  [`/query${query(`${FILES} AND dc:title = :t`, '&t=Beta')}`, ['Beta']],
  [`/query${query(`${FILES} AND dc:creator = :me AND ecm:name = 'a'`, '&me=$currentUser')}`, ['alpha']],
  [
    `/query${query(`${FILES} AND ecm:name IN (:n)`, '&n=a&n=b&sortBy=ecm:name&sortOrder=asc')}`,
    ['alpha', 'Beta'],
  ],
])('%s', async (path, expected) => {
  const { status, json } = await call('GET', `/api/v1${path}`)
  expect(status).toBe(200)
  expect(titles(json)).toEqual(expected)
})

test('enrichers fill contextParameters; documents inside are bare unless depth says more', async () => {
  const enrichers = 'acls, permissions,breadcrumb,children,documentURL,AllowedPermissions,unknown'
  const { json } = await call('GET', FOLDER, {
    headers: { 'enrichers-document': enrichers, properties: 'dublincore' },
  })
  const { contextParameters } = json
  expect(Object.keys(contextParameters)).toEqual([
    'acls',
    'permissions',
    'breadcrumb',
    'children',
    'documentURL',
    'AllowedPermissions',
  ])
  expect(contextParameters.permissions).toContain('Everything')
  expect(contextParameters.breadcrumb.entries.map((entry: Entity) => entry.path)).toEqual([
    '/default-domain',
    '/default-domain/workspaces',
    '/default-domain/workspaces/list',
  ])
  expect(titles(contextParameters.children)).toEqual(['alpha', 'Beta', "Gam'ma"])
  expect(contextParameters.children.entries[0]).not.toHaveProperty('properties')
  const deep = await call('GET', `${FOLDER}?depth=children&enrichers.document=children&properties=dublincore`)
  const [inner] = deep.json.contextParameters.children.entries
  expect(inner.properties['dc:title']).toBe('alpha')
  expect(inner.contextParameters.children.entries).toEqual([])
  expect((await call('GET', `${FOLDER}?enrichers-document=unknown`)).json).not.toHaveProperty(
    'contextParameters',
  )
})

test('the ACLs of the root are reported by @acl and by the enricher, in their own forms', async () => {
  const ace = {
    id: 'administrators:Everything:true:::',
    username: 'administrators',
    permission: 'Everything',
    granted: true,
    creator: null,
    begin: null,
    end: null,
    status: 'effective',
  }
  const { json } = await call('GET', '/api/v1/path/@acl')
  expect(json).toMatchObject({ 'entity-type': 'acls', acl: [{ name: 'local', ace: [ace, {}, {}] }] })
  const enriched = await call('GET', '/api/v1/path/?enrichers-document=acls')
  const [acl] = enriched.json.contextParameters.acls
  expect(acl.aces[0]).toEqual({ ...ace, externalUser: false })
  expect(acl.ace).toEqual(acl.aces)
})

test('the selections of every spelling are merged', async () => {
  const { json } = await call('GET', `${FOLDER}?properties=common&PROPERTIES=nothing`, {
    headers: { 'X-NXDocumentProperties': 'dublincore , unknown' },
  })
  const prefixes = new Set(Object.keys(json.properties).map((key) => key.split(':')[0]))
  expect([...prefixes].sort()).toEqual(['common', 'dc'])
})

test('who am I, and who is somebody else', async () => {
  const me = await call('GET', '/nuxeo/site/api/v1/me', { user: 'ann' })
  expect(me.json).toMatchObject({
    'entity-type': 'user',
    id: 'ann',
    properties: { username: 'ann', groups: ['powerusers'] },
    extendedGroups: [{ name: 'powerusers', url: 'group/powerusers' }, {}],
    isAdministrator: false,
  })
  expect(me.text).not.toContain('scrypt')
  expect((await call('GET', '/api/v1/user/Administrator', { user: 'ann' })).json.isAdministrator).toBe(true)
})

test('clients learn whom they talk to', async () => {
  const { json } = await call('GET', '/nuxeo/json/cmis')
  expect(json.default.productVersion).toBe('2021.57')
  expect((await call('GET', '/api/v1/capabilities')).json).toEqual({
    server: {
      distributionName: 'archivolt',
      distributionVersion: '2021.57',
      distributionServer: 'Archivolt',
    },
    cluster: { enabled: true, nodeId: platform.settings.node },
    repository: { default: { queryBlobKeys: false } },
  })
})

test('maxResults says how many are counted, not how many are given', async () => {
  const files = encodeURIComponent(
    "SELECT * FROM File WHERE ecm:path STARTSWITH '/default-domain/workspaces/list'",
  )
  const counted = async (maxResults: number) =>
    (await call('GET', `/api/v1/query?query=${files}&maxResults=${maxResults}`)).json.resultsCount
  expect([await counted(2), await counted(3), await counted(-1)]).toEqual([-2, 3, 3])
})

describe('a list longer than what is counted', () => {
  const MANY = '/api/v1/path/default-domain/workspaces/many'
  const names = ['d1', 'd2', 'd3', 'd4', 'd5', 'd6']
  const below =
    "SELECT * FROM File WHERE ecm:path STARTSWITH '/default-domain/workspaces/many' ORDER BY ecm:name"
  let folderId = ''

  beforeAll(async () => {
    const entity = (type: string, name: string) => ({
      json: { 'entity-type': 'document', name, type, properties: { 'dc:title': name } },
    })
    const folder = await call('POST', '/api/v1/path/default-domain/workspaces', entity('Folder', 'many'))
    folderId = folder.json.uid
    for (const name of names) await call('POST', MANY, entity('File', name))
  })

  const lists: [kind: string, address: () => string][] = [
    ['children', () => `${MANY}/@children?`],
    ['@search', () => `${MANY}/@search${query(below)}&`],
    ['a query', () => `/api/v1/search/execute${query(below)}&`],
    ['a page provider', () => `/api/v1/search/pp/document_content/execute?queryParams=${folderId}&`],
  ]

  test.each(lists)('%s: every page is found by isNextPageAvailable', async (_, address) => {
    const found: string[] = []
    const counts: number[] = []
    for (let page = 0, isMore = true; isMore && page < 10; page++) {
      const { json } = await call('GET', `${address()}pageSize=2&currentPageIndex=${page}`)
      found.push(...titles(json))
      counts.push(json.resultsCount)
      isMore = json.isNextPageAvailable
    }
    expect(found).toEqual(names)
    expect(counts.slice(0, 3)).toEqual([-2, -2, -2])
  })

  test.each(lists)('%s: a call may ask for the whole number, or for another limit', async (_, address) => {
    const count = async (maxResults: number) =>
      (await call('GET', `${address()}pageSize=2&maxResults=${maxResults}`)).json.resultsCount
    expect([await count(0), await count(6), await count(5)]).toEqual([6, 6, -2])
  })
})

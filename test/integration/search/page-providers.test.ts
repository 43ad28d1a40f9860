import { beforeAll, describe, expect, test } from 'vitest'
import { EVERYONE, EVERYTHING, SYSTEM } from '../../../core/access/security/index.js'
import { getDocument, setAcls } from '../../../core/content/documents/index.js'
import { addUser, createClient, type Entity } from '../support/rest-client.js'
import { createTestPlatform } from '../support/rest-support.js'

const platform = await createTestPlatform()
const call = createClient(platform)
const FOLDER = '/default-domain/workspaces/providers'

const FILES = [
  { name: 'a', nature: 'report', subjects: ['art/comics', 'law'], size: 5, state: 'project' },
  { name: 'b', nature: 'report', subjects: ['art/music'], size: 200_000, state: 'approved' },
  { name: 'c', nature: 'memo', subjects: [], size: null, state: 'project' },
  { name: 'd', nature: null, subjects: ['law', 'law'], size: 9, state: 'project' },
]

const BLOCK = { username: EVERYONE, permission: EVERYTHING, granted: false }

let folderId = ''

beforeAll(async () => {
  const json = (name: string, type: string, properties: object = {}) => ({
    json: { 'entity-type': 'document', name, type, properties },
  })
  const folder = await call('POST', '/api/v1/path/default-domain/workspaces', json('providers', 'Folder'))
  folderId = folder.json.uid
  for (const { name, nature, subjects, size, state } of FILES) {
    const content = size === null ? null : { name: `${name}.txt`, content: 'x'.repeat(size) }
    const properties = {
      'dc:title': name,
      'dc:nature': nature,
      'dc:subjects': subjects,
      'file:content': content,
    }
    await call('POST', `/api/v1/path${FOLDER}`, json(name, 'File', properties))
    if (state === 'approved')
      await platform.database
        .sql`UPDATE documents SET lifecycle_state = 'approved' WHERE path = ${`${FOLDER}/${name}`}`
  }
  await call('POST', `/api/v1/path${FOLDER}`, json('z', 'Folder', { 'dc:title': 'z' }))
  await addUser(platform, 'eve')
  await platform.withSession(SYSTEM, async (session) => {
    const blocked = await getDocument(session, FOLDER)
    await setAcls(session, blocked, [{ name: 'local', aces: [BLOCK] }])
  })
})

const titles = (list: Entity): string[] => list.entries.map((entry: Entity) => entry.title)
const search = (parameters: string, options = {}) =>
  call(
    'GET',
    `/api/v1/search/pp/default_search/execute?ecm_path=${FOLDER}&sortBy=dc:title&sortOrder=asc${parameters}`,
    options,
  )
const buckets = (aggregate: Entity) => aggregate.buckets.map(({ key, docCount }: Entity) => [key, docCount])

describe('CURRENT_DOC_CHILDREN', () => {
  test.each([
    () => `/api/v1/search/pp/CURRENT_DOC_CHILDREN/execute?queryParams=${folderId}`,
    () => `/api/v1/query/CURRENT_DOC_CHILDREN?queryParams=${folderId}`,
    () => `/api/v1/id/${folderId}/@pp/CURRENT_DOC_CHILDREN`,
    () => `/api/v1/path${FOLDER}/@pp/CURRENT_DOC_CHILDREN`,
  ])('by %o', async (address) => {
    const { status, json } = await call('GET', address())
    expect([status, titles(json), json.pageSize]).toEqual([200, ['a', 'b', 'c', 'd', 'z'], 50])
  })

  test.each([
    [0, { resultsCount: -2, currentPageSize: 2, numberOfPages: 0, isNextPageAvailable: true }],
    [2, { resultsCount: -2, currentPageSize: 1, isNextPageAvailable: false, isLastPageAvailable: false }],
    [3, { resultsCount: -2, currentPageSize: 0, isNextPageAvailable: false, isPreviousPageAvailable: true }],
  ])('counts one page: page %i', async (index, expected) => {
    const address = `/api/v1/id/${folderId}/@pp/CURRENT_DOC_CHILDREN?pageSize=2&currentPageIndex=${index}`
    expect((await call('GET', address)).json).toMatchObject(expected)
  })

  test('sorts as the caller asks, and descending when no order is named', async () => {
    const { json } = await call('GET', `/api/v1/id/${folderId}/@pp/CURRENT_DOC_CHILDREN?sortBy=dc:title`)
    expect(titles(json)).toEqual(['z', 'd', 'c', 'b', 'a'])
  })

  test('shows nobody what may not be browsed', async () => {
    const { json } = await call(
      'GET',
      `/api/v1/search/pp/CURRENT_DOC_CHILDREN/execute?queryParams=${folderId}`,
      {
        user: 'eve',
      },
    )
    expect(json.entries).toEqual([])
    expect(
      (await call('GET', `/api/v1/id/${folderId}/@pp/CURRENT_DOC_CHILDREN`, { user: 'eve' })).status,
    ).toBe(404)
  })
})

describe('default_search', () => {
  test('finds everything under a path, with aggregates and quick filters', async () => {
    const { status, json } = await search('')
    expect(status).toBe(200)
    expect(titles(json)).toEqual(['a', 'b', 'c', 'd', 'z'])
    expect(json.quickFilters).toEqual([
      { name: 'noFolder', active: false },
      { name: 'mostRecent', active: false },
      { name: 'onlyValidated', active: false },
    ])
    expect(json.aggregations.dc_nature_agg).toEqual({
      'entity-type': 'aggregate',
      id: 'dc_nature_agg',
      field: 'dc:nature',
      properties: { size: '10' },
      ranges: [],
      selection: [],
      type: 'terms',
      buckets: [
        { key: 'report', docCount: 2 },
        { key: 'memo', docCount: 1 },
      ],
      extendedBuckets: [
        { key: 'report', docCount: 2 },
        { key: 'memo', docCount: 1 },
      ],
    })
    expect(buckets(json.aggregations.dc_subjects_agg)).toEqual([
      ['law', 2],
      ['art/comics', 1],
      ['art/music', 1],
    ])
    expect(buckets(json.aggregations.common_size_agg)).toEqual([
      ['tiny', 2],
      ['small', 1],
      ['medium', 0],
      ['big', 0],
      ['huge', 0],
    ])
    expect(json.aggregations.dc_modified_agg.buckets[0]).toMatchObject({
      key: 'last24h',
      docCount: 5,
      to: null,
    })
  })

  test('an aggregate ignores its own selection, and the results do not', async () => {
    const { json } = await search(`&dc_nature_agg=${encodeURIComponent('["memo","gone"]')}`)
    expect(titles(json)).toEqual(['c'])
    const { dc_nature_agg: natures, common_size_agg: sizes } = json.aggregations
    expect(buckets(natures)).toEqual([
      ['report', 2],
      ['memo', 1],
    ])
    expect(natures.selection).toEqual(['memo', 'gone'])
    expect(natures.extendedBuckets[0]).toEqual({ key: 'gone', docCount: 0 })
    expect(buckets(sizes).every(([, count]: [string, number]) => count === 0)).toBe(true)
  })

  test('a selection of ranges takes any of them', async () => {
    const { json } = await search(`&common_size_agg=${encodeURIComponent('["small","huge"]')}`)
    expect(titles(json)).toEqual(['b'])
  })

  test('computes only aggregates with a selection when asked to', async () => {
    const headers = { skipAggregates: 'true' }
    expect((await search('', { headers })).json.aggregations).toBeUndefined()
    const { json } = await search('&dc_nature_agg=memo', { headers })
    expect(Object.keys(json.aggregations)).toEqual(['dc_nature_agg'])
  })

  test.each([
    ['&quickFilters=noFolder', ['a', 'b', 'c', 'd']],
    ['&quickFilters=noFolder,onlyValidated', ['b']],
    ['&quickFilters=nonesuch', ['a', 'b', 'c', 'd', 'z']],
    ['&dc_nature=report', ['a', 'b']],
    ['&default_search:dc_nature=memo', ['c']],
    [`&dc_nature=${encodeURIComponent('["memo","report"]')}`, ['a', 'b', 'c']],
    ['&dc_subjects=art', ['a', 'b']],
    ['&dc_created_min=2100-01-01', []],
    ['&dc_created_max=2100-01-01&dc_nature=', ['a', 'b', 'c', 'd', 'z']],
    ['&dc_creator=$currentUser&dc_nature=memo', ['c']],
    [`&dc_nature=${encodeURIComponent("x') OR ('1'='1")}`, []],
  ])('%s', async (parameters, expected) => {
    const { status, json } = await search(parameters)
    expect([status, titles(json)]).toEqual([200, expected])
  })

  test('quick filters bring their order', async () => {
    const { json } = await call(
      'GET',
      `/api/v1/search/pp/default_search/execute?ecm_path=${FOLDER}&quickFilters=mostRecent,noFolder`,
    )
    expect(titles(json)).toEqual(['d', 'c', 'b', 'a'])
    expect(json.quickFilters.filter(({ active }: Entity) => active)).toHaveLength(2)
  })
})

describe('what is refused', () => {
  test.each([
    ['/search/pp/nonesuch/execute', 404, "Could not resolve page provider with name 'nonesuch'"],
    ['/query/nonesuch', 404, "Could not resolve page provider with name 'nonesuch'"],
    ['/search/pp/defalt_search/execute', 404, 'default_search'],
    ['/search/pp/nonesuch', 404, 'nonesuch'],
    ['/path/@pp/nonesuch', 404, 'nonesuch'],
    ['/path/nowhere/@pp/CURRENT_DOC_CHILDREN', 404, '/nowhere'],
    ['/search/pp/CURRENT_DOC_CHILDREN/execute', 400, 'parameter 1'],
    ['/search/pp/CURRENT_DOC_CHILDREN/execute?queryParams=a&queryParams=b', 400, '2 parameters'],
    ['/search/pp/CURRENT_DOC_CHILDREN/execute?queryParams=a&pageSize=many', 400, 'pageSize'],
    ['/search/pp/CURRENT_DOC_CHILDREN/execute?queryParams=a&sortBy=dc:title)', 400, 'sortBy'],
    ['/search/pp/default_search/execute?dc_created_min=yesterday', 400, 'dc_created_min'],
    ['/search/pp/default_search/execute?dc_nature=%5B%22a', 400, 'dc_nature'],
    ['/search/pp/nxql_search/execute?queryParams=SELECT', 400, 'Syntax error'],
    ['/search/pp/nxql_search/execute?queryParams=', 400, 'queryParams'],
  ])('%s', async (address, status, message) => {
    const answer = await call('GET', `/api/v1${address}`)
    expect([answer.status, answer.json['entity-type']]).toEqual([status, 'exception'])
    expect(answer.json.message).toContain(message)
  })
})

test('a provider shows its definition', async () => {
  const { json } = await call('GET', '/api/v1/search/pp/CURRENT_DOC_CHILDREN')
  expect(json).toMatchObject({
    name: 'CURRENT_DOC_CHILDREN',
    pageSize: 50,
    sortInfos: [{ sortColumn: 'dc:title', sortAscending: true }],
  })
})

test('maxResults says that there are more without counting them', async () => {
  const query = encodeURIComponent(`SELECT * FROM File WHERE ecm:path STARTSWITH '${FOLDER}'`)
  const { json } = await call('GET', `/api/v1/search/execute?query=${query}&pageSize=2&maxResults=3`)
  expect(json).toMatchObject({
    resultsCount: -2,
    numberOfPages: 0,
    isNextPageAvailable: true,
    isLastPageAvailable: false,
  })
  expect(json.entries).toHaveLength(2)
})

test('every provider of the product runs with what it asks for', async () => {
  const names = [
    'document_content',
    'section_content',
    'orderable_document_content',
    'document_trash_content',
    'tree_children',
    'domain_documents',
    'DEFAULT_DOCUMENT_SUGGESTION',
  ]
  for (const name of [
    ...names,
    'all_collections',
    'default_content_collection',
    'default_document_suggestion',
  ]) {
    const { status, text } = await call('GET', `/api/v1/search/pp/${name}/execute?queryParams=${folderId}`)
    expect([name, status, status === 200 ? '' : text]).toEqual([name, 200, ''])
  }
  const free = [
    ['simple_search', '?ecm_fulltext=a'],
    ['expired_search', ''],
    ['default_trash_search', ''],
    ['document_picker', '?ecm_fulltext=a'],
    ['advanced_document_content', '?title=a&ecm_trashed=false'],
  ]
  for (const [name, values] of free) {
    const { status, text } = await call('GET', `/api/v1/search/pp/${name}/execute${values}`)
    expect([name, status, status === 200 ? '' : text]).toEqual([name, 200, ''])
  }
})

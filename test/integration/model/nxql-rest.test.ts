import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createEngine } from '../../../api/engine.js'
import { uniqueName } from '../../support/template.js'
import { addUser, createClient, type Entity } from '../support/rest-client.js'
import { createTestPlatform } from '../support/rest-support.js'

const platform = await createTestPlatform({
  TEMPORAL_ADDRESS: inject('temporalAddress'),
  ARCHIVOLT_TASK_QUEUE: uniqueName('queue'),
})
const engine = await createEngine(platform)
afterAll(() => engine.close())
const call = createClient(platform, engine)

const WORKSPACES = '/default-domain/workspaces'
const path = (...names: string[]) => `/api/v1/path${[WORKSPACES, ...names].join('/')}`
const search = (query: string, more = '', user?: string) =>
  call('GET', `/api/v1/search/execute?query=${encodeURIComponent(query)}${more}`, user ? { user } : {})
const namesOf = (list: Entity): string[] =>
  list.entries.map(({ path: place }: { path: string }) => place.split('/').at(-1))
const words = async (text: string, user?: string): Promise<string[]> =>
  namesOf((await search(`SELECT * FROM Document WHERE ecm:fulltext = '${text}'`, '', user)).json).toSorted()

const create = async (parent: string, name: string, type: string, properties = {}): Promise<Entity> => {
  const { status, json } = await call('POST', parent, {
    json: { 'entity-type': 'document', name, type, properties },
  })
  expect(status).toBe(201)
  return json
}

beforeAll(async () => {
  await addUser(platform, 'ann', ['powerusers'])
  await addUser(platform, 'eve')
  await create(path(), 'box', 'Folder')
  await create(path('box'), 'one', 'File', { 'dc:title': 'Crème brûlée', 'dc:subjects': ['art', 'food'] })
  await create(path('box'), 'two', 'Note', { 'dc:title': 'Plain', 'note:note': '<p>Burnt <b>cream</b></p>' })
  const input = `${WORKSPACES}/box`
  const params = { username: 'ann', permission: 'Read' }
  await call('POST', '/api/v1/automation/Document.BlockPermissionInheritance', { json: { input } })
  await call('POST', '/api/v1/automation/Document.AddPermission', { json: { input, params } })
})

describe('words', () => {
  test('follow documents from their making to their end', async () => {
    expect(await words('creme')).toEqual(['one'])
    expect(await words('"burnt cream"')).toEqual(['two'])
    await call('PUT', path('box', 'one'), {
      json: { 'entity-type': 'document', properties: { 'dc:title': 'Flan' } },
    })
    expect([await words('creme'), await words('flan')]).toEqual([[], ['one']])
    await call('POST', '/api/v1/automation/Document.Copy', {
      json: { input: `${WORKSPACES}/box/one`, params: { target: `${WORKSPACES}/box`, name: 'copy' } },
    })
    expect(await words('flan')).toEqual(['copy', 'one'])
    expect((await call('DELETE', path('box', 'copy'))).status).toBe(204)
    expect(await words('flan')).toEqual(['one'])
    const rows = await platform.database.sql`
      SELECT FROM document_texts t WHERE NOT EXISTS (SELECT FROM documents d WHERE d.id = t.document_id)`
    expect(rows).toHaveLength(0)
  })

  test('are found by nobody who may not read the document', async () => {
    expect(await words('flan', 'ann')).toEqual(['one'])
    expect(await words('flan', 'eve')).toEqual([])
  })

  test.each(['"open', 'a OR', '- a', 'a"b'])('%s is refused', async (text) => {
    const { status, json } = await search(`SELECT * FROM Document WHERE ecm:fulltext = '${text}'`)
    expect([status, json['entity-type']]).toEqual([400, 'exception'])
    expect(json.message).toContain('Invalid fulltext query')
  })
})

describe('rows for automation', () => {
  const ask = (params: object, user?: string, operation = 'Repository.ResultSetQuery') =>
    call('POST', `/api/v1/automation/${operation}`, { json: { params }, ...(user && { user }) })
  const in_box = `WHERE ecm:path STARTSWITH '${WORKSPACES}/box'`

  test('come as a record set with its paging fields', async () => {
    const query = `SELECT dc:title, dc:subjects/* FROM File ${in_box} ORDER BY dc:title`
    const { status, headers, json } = await ask({ query, pageSize: 1, currentPageIndex: 1 })
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; nuxeo-entity=recordSet'])
    expect(json).toEqual({
      'entity-type': 'recordSet',
      isPaginable: true,
      resultsCount: 2,
      pageSize: 1,
      maxPageSize: 1000,
      currentPageSize: 1,
      currentPageIndex: 1,
      numberOfPages: 2,
      isPreviousPageAvailable: true,
      isNextPageAvailable: false,
      isLastPageAvailable: false,
      isSortable: true,
      hasError: false,
      errorMessage: null,
      entries: [{ 'dc:title': 'Flan', 'dc:subjects/*': 'food' }],
    })
  })

  test('aggregate in one row, over what the caller may read', async () => {
    const query = `SELECT COUNT(ecm:uuid), MAX(dc:title) FROM Document ${in_box} AND ecm:name <> ?`
    const params = { query, queryParams: 'nobody' }
    const whole = [{ 'COUNT(ecm:uuid)': 2, 'MAX(dc:title)': 'Plain' }]
    expect((await ask(params)).json.entries).toEqual(whole)
    expect((await ask(params, undefined, 'ResultSet.PaginatedQuery')).json.entries).toEqual(whole)
    expect((await ask(params, 'eve')).json.entries).toEqual([{ 'COUNT(ecm:uuid)': 0, 'MAX(dc:title)': null }])
  })

  test('come from page providers too, which say what is selected', async () => {
    const provider = {
      pattern: `SELECT dc:title FROM Document WHERE ecm:path STARTSWITH ? AND dc:title LIKE :like`,
      pageSize: 1,
      sort: [{ column: 'dc:title' }],
    }
    const deployed = await call('PUT', '/api/v1/contributions/pageProviders/titles', { json: provider })
    expect(deployed.status).toBe(201)
    const params = {
      providerName: 'titles',
      queryParams: `${WORKSPACES}/box`,
      namedParameters: { like: '%la%' },
    }
    const fetch = (more: object, user?: string) =>
      ask({ ...params, ...more }, user, 'Repository.ResultSetPageProvider')
    const { json } = await fetch({})
    expect(json).toMatchObject({ 'entity-type': 'recordSet', resultsCount: 2, pageSize: 1, numberOfPages: 2 })
    expect(json).not.toHaveProperty('resultsCountLimit')
    expect(json.entries).toEqual([{ 'dc:title': 'Flan' }])
    expect((await fetch({ page: 1 })).json.entries).toEqual([{ 'dc:title': 'Plain' }])
    expect((await fetch({ sortBy: 'dc:title' })).json.entries).toEqual([{ 'dc:title': 'Plain' }])
    expect((await fetch({ sortInfo: 'dc:title false' })).json.entries).toEqual([{ 'dc:title': 'Plain' }])
    expect((await fetch({ maxResults: 1 })).json.resultsCount).toBe(-2)
    expect((await fetch({}, 'eve')).json.entries).toEqual([])
    const query = `SELECT COUNT(ecm:uuid) FROM Document ${in_box}`
    const counted = await ask({ query }, undefined, 'Resultset.PageProvider')
    expect(counted.json.entries).toEqual([{ 'COUNT(ecm:uuid)': 2 }])
    expect((await fetch({ providerName: 'nonesuch' })).status).toBe(404)
    expect((await fetch({ language: 'CMISQL' })).json.message).toContain("language: 'CMISQL' is not NXQL")
  })

  test('are counted no further than they are asked to be', async () => {
    const { json } = await ask({ query: 'SELECT ecm:uuid FROM Document', pageSize: 1, maxResults: 2 })
    expect(json).toMatchObject({ resultsCount: -2, numberOfPages: 0, isNextPageAvailable: true })
  })

  test.each([
    ['SELECT COUNT(*) FROM Document', 'Syntax error: Invalid token <*> at offset 13'],
    ['SELECT dc:nope FROM Document', 'No such property: dc:nope at offset 7'],
    ['SELECT ecm:uuid FROM Document ORDER BY ecm:path', 'ecm:path'],
  ])('%s is refused', async (query, message) => {
    const { status, json } = await ask({ query })
    expect(status).toBe(400)
    expect(json.message).toContain(message)
  })
})

describe('explanations', () => {
  const query = "SELECT * FROM Document WHERE dc:title = 'hidden value' ORDER BY dc:modified"

  test('give the tree, the statement with its values and the plan, and run nothing', async () => {
    for (const route of ['/search/execute', '/search/lang/NXQL/execute', '/query']) {
      const { status, json } = await call(
        'GET',
        `/api/v1${route}?explain=true&query=${encodeURIComponent(query)}`,
      )
      expect(status).toBe(200)
      expect(json.query.where).toMatchObject({ kind: 'comparison', operator: '=' })
      expect(json.sql).toMatch(/^SELECT\s+d\./)
      expect(json.sql).not.toContain('hidden')
      expect(json.parameters).toContainEqual('{"dc:title":"hidden value"}')
      expect(json.plan.join('\n')).toContain('documents')
    }
  })

  test('explain aggregates too', async () => {
    const { json } = await search('SELECT COUNT(ecm:uuid) FROM Document', '&explain=true')
    expect(json.plan.join('\n')).toContain('Aggregate')
  })

  test('are for administrators', async () => {
    expect((await search(query, '&explain=true', 'ann')).status).toBe(403)
    expect((await search(query, '&explain=false', 'ann')).status).toBe(200)
  })
})

test.each(['backend', 'queryEngine'])('%s chooses what answers, and nothing else is one', async (name) => {
  const query = 'SELECT * FROM Workspace'
  const [own, any] = await Promise.all([search(query, `&${name}=database`), search(query)])
  expect(namesOf(own.json)).toEqual(namesOf(any.json))
  const { status, json } = await search(query, `&${name}=cobol`)
  expect([status, json.message]).toEqual([400, expect.stringContaining(name)])
})

test('functions are for rows alone', async () => {
  const { status, json } = await search('SELECT COUNT(ecm:uuid) FROM Document')
  expect([status, json.message]).toEqual([
    400,
    'NXQL: SELECT takes properties, functions only where rows are asked for, at offset 7',
  ])
})

describe('parameters of a query', () => {
  test.each<[string, string, string[] | number]>([
    ['file:content/length IS NULL AND dc:created > ?', '2020-01-01', ['one', 'two']],
    ['dc:created < ?', '2020-01-01T00:00:00Z', []],
    ['ecm:isVersion = ?', 'false', ['one', 'two']],
    ['ecm:isTrashed = ?', '1', []],
    ['ecm:pos IS NULL OR ecm:pos >= ?', '0', ['one', 'two']],
    ['ecm:pos > ?', 'many', 400],
  ])('%s takes the text %s', async (condition, value, expected) => {
    const query = `SELECT * FROM Document WHERE ecm:name IN ('one', 'two') AND (${condition}) ORDER BY ecm:name`
    const { status, json } = await search(query, `&queryParams=${value}`)
    if (typeof expected === 'number') expect(status).toBe(expected)
    else expect([status, namesOf(json)]).toEqual([200, expected])
  })

  const ALL = `query=${encodeURIComponent("SELECT * FROM Document WHERE ecm:name = 'one'")}`
  const NAMED = `query=${encodeURIComponent('SELECT * FROM Document WHERE ecm:name = :wanted')}`

  test.each<[string, number]>([
    [`/search/execute?${ALL}&queryEngine=elasticsearch`, 400],
    [`/query?${ALL}&queryEngine=repository`, 400],
    [`/search/lang/NXQL/execute?${ALL}&limit=3`, 400],
    ['/query/default_search?queryEngine=elasticsearch', 400],
    ['/search/pp/CURRENT_DOC_CHILDREN/execute?queryParams=x&searchIndex=a', 400],
    ['/path/default-domain/@pp/CURRENT_DOC_CHILDREN?searchIndex=a', 400],
    [`/search/execute?${NAMED}&wanted=one`, 200],
    [
      `/search/execute?${ALL}&nxrepository=default&properties=*&X-NXenrichers.document=breadcrumb&depth=max`,
      200,
    ],
    [`/query?${ALL}&_=1700000000000&fetch-document=lock&translate.directoryEntry=label`, 200],
    ['/search/pp/default_search/execute?ecm_fulltext=flan&default_search:dc_creator=ann&quickFilters=x', 200],
  ])('%s is answered with %i', async (address, status) => {
    const { status: found, json } = await call('GET', `/api/v1${address}`)
    expect(found).toBe(status)
    if (status === 400)
      expect(json.message).toMatch(/^(queryEngine: |(limit|searchIndex): the query has no parameter)/)
  })
})

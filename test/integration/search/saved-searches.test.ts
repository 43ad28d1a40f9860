import { beforeAll, describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../core/access/security/index.js'
import { getDocument, setAcls } from '../../../core/content/documents/index.js'
import { addUser, createClient, type Entity } from '../support/rest-client.js'
import { createTestPlatform } from '../support/rest-support.js'

const platform = await createTestPlatform()
const call = createClient(platform)
const SAVED = '/api/v1/search/saved'
const WORKSPACES = '/default-domain/workspaces'

const search = (more: object) => ({ 'entity-type': 'savedSearch', title: 'Mine', ...more })
const byQuery = (more: object = {}) =>
  search({
    query: `SELECT * FROM File WHERE ecm:path STARTSWITH '${WORKSPACES}' AND dc:nature = ? AND dc:source = :source`,
    queryLanguage: 'NXQL',
    queryParams: 'memo',
    params: { source: 'here' },
    ...more,
  })
const byProvider = (more: object = {}) =>
  search({
    pageProviderName: 'default_search',
    params: { ecm_path: [WORKSPACES], dc_nature: 'memo' },
    ...more,
  })

const save = async (json: object, user = 'ann'): Promise<Entity> => {
  const answer = await call('POST', SAVED, { json, user })
  expect([answer.status, answer.json?.message]).toEqual([200, undefined])
  return answer.json
}
const execute = async (id: string, more = '', options = {}): Promise<Entity> => {
  const answer = await call('GET', `${SAVED}/${id}/execute${more}`, { user: 'ann', ...options })
  expect([answer.status, answer.json?.message]).toEqual([200, undefined])
  return answer.json
}
const titles = (list: Entity): string[] => list.entries.map(({ title }: Entity) => title)

const share = (id: string, permission: string) =>
  platform.withSession(SYSTEM, async (session) =>
    setAcls(session, await getDocument(session, id), [
      { name: 'local', aces: [{ username: 'bob', permission, granted: true }] },
    ]),
  )

beforeAll(async () => {
  for (const user of ['ann', 'bob', 'eve']) await addUser(platform, user)
  for (const [name, nature, source] of [
    ['a', 'memo', 'here'],
    ['b', 'memo', 'here'],
    ['c', 'memo', 'there'],
    ['d', 'report', 'here'],
  ]) {
    const properties = { 'dc:title': name, 'dc:nature': nature, 'dc:source': source }
    await call('POST', `/api/v1/path${WORKSPACES}`, {
      json: { 'entity-type': 'document', name, type: 'File', properties },
    })
  }
})

describe('a saved search', () => {
  test('is answered as it was sent, numbers as texts and what is not set as null', async () => {
    const saved = await save(byProvider({ pageSize: 2, currentPageIndex: 0, contentViewData: '{"a":1}' }))
    expect(saved).toEqual({
      'entity-type': 'savedSearch',
      id: expect.any(String),
      title: 'Mine',
      queryParams: null,
      query: null,
      queryLanguage: null,
      pageProviderName: 'default_search',
      pageSize: '2',
      currentPageIndex: '0',
      maxResults: null,
      sortBy: null,
      sortOrder: null,
      contentViewData: '{"a":1}',
      params: { ecm_path: `["${WORKSPACES}"]`, dc_nature: 'memo' },
    })
    const { status, headers, json } = await call('GET', `${SAVED}/${saved.id}`, { user: 'ann' })
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; nuxeo-entity=savedSearch'])
    expect(json).toEqual(saved)
    // What was read can be sent back.
    expect((await call('PUT', `${SAVED}/${saved.id}`, { user: 'ann', json })).json).toEqual(saved)
  })

  test('lies in the workspace of its user, and shows its properties when they are asked for', async () => {
    const { id } = await save(byQuery({ title: '@../a\\b'.padEnd(300, 'x') }))
    const document = await call('GET', `/api/v1/id/${id}`, { user: 'ann' })
    expect(document.json).toMatchObject({
      type: 'SavedSearch',
      path: expect.stringContaining('/UserWorkspaces/ann/'),
    })
    const { json } = await call('GET', `${SAVED}/${id}`, { user: 'ann', headers: { properties: '*' } })
    expect(json.properties).toMatchObject({ 'saved:queryLanguage': 'NXQL', 'dc:creator': 'ann' })
  })

  test('is replaced as a whole', async () => {
    const { id } = await save(byQuery({ pageSize: 3, sortBy: 'dc:title', sortOrder: 'asc' }))
    const changed = await call('PUT', `${SAVED}/${id}`, { user: 'ann', json: byProvider({ title: 'Other' }) })
    expect(changed.status).toBe(200)
    expect(changed.json).toMatchObject({
      id,
      title: 'Other',
      query: null,
      queryLanguage: null,
      queryParams: null,
      pageSize: null,
      sortBy: null,
      pageProviderName: 'default_search',
    })
    expect((await call('GET', `${SAVED}/${id}`, { user: 'ann' })).json).toEqual(changed.json)
  })

  test('is removed', async () => {
    const { id } = await save(byQuery())
    expect((await call('DELETE', `${SAVED}/${id}`, { user: 'ann' })).status).toBe(204)
    for (const [method, suffix, json] of [
      ['GET', ''],
      ['GET', '/execute'],
      ['PUT', '', byQuery()],
      ['DELETE', ''],
    ] as const) {
      const { status, text } = await call(method, `${SAVED}/${id}${suffix}`, { user: 'ann', json })
      expect([method, suffix, status, text]).toEqual([method, suffix, 404, ''])
    }
  })

  test('no other document is one', async () => {
    const { json } = await call('GET', `/api/v1/path${WORKSPACES}/a`)
    for (const id of [json.uid, 'no-id', '%2Fdefault-domain'])
      expect([id, (await call('GET', `${SAVED}/${id}`)).status]).toEqual([id, 404])
  })

  test.each<[object, RegExp]>([
    [{ title: undefined }, /^title: /],
    [{ title: '  ' }, /^title: /],
    [{ query: undefined }, /^query: missing/],
    [{ queryLanguage: null }, /^queryLanguage: missing/],
    [{ query: null, queryLanguage: null }, /^pageProviderName: either/],
    [{ pageProviderName: 'default_search' }, /^pageProviderName: either/],
    [{ query: null, queryLanguage: null, pageProviderName: 'nonesuch' }, /^pageProviderName: .*'nonesuch'/],
    [{ queryLanguage: 'CMISQL' }, /^queryLanguage: 'CMISQL'/],
    [{ query: 'SELECT * FORM x' }, /^query: Syntax error: Invalid token <FORM> at offset 9/],
    [{ pageSize: 'many' }, /pageSize/],
    [{ pageSize: -1 }, /pageSize/],
    [{ currentPageIndex: 1.5 }, /currentPageIndex/],
    [{ sortBy: 'dc:title) --' }, /^sortBy: /],
    [{ params: [] }, /params/],
    [{ params: { a: { b: 1 } } }, /params/],
    [{ queryParams: 1 }, /queryParams/],
    [{ 'entity-type': 'document' }, /entity-type/],
    [{ title: 'half \ud800' }, /^title: has a character/],
    [{ params: { a: 'x\0' } }, /^params.*a/],
  ])('is refused with %j', async (more, message) => {
    for (const [method, path] of [
      ['POST', SAVED],
      ['PUT', `${SAVED}/${(await save(byQuery())).id}`],
    ] as const) {
      const { status, json } = await call(method, path, { user: 'ann', json: byQuery(more) })
      expect([status >= 400 && status < 500, json['entity-type']]).toEqual([true, 'exception'])
      expect(json.message).toMatch(message)
    }
  })
})

describe('execution', () => {
  test('binds what was saved, with the rights of whoever calls', async () => {
    const { id } = await save(byQuery({ sortBy: 'dc:title', sortOrder: 'asc' }))
    const list = await execute(id)
    expect(list).toMatchObject({ 'entity-type': 'documents', resultsCount: 2, pageSize: 0 })
    expect(titles(list)).toEqual(['a', 'b'])
  })

  test('of a provider has its page size, aggregates and quick filters', async () => {
    const { id } = await save(byProvider({ sortBy: 'dc:title', sortOrder: 'asc' }))
    const list = await execute(id, '?quickFilters=noFolder')
    expect([titles(list), list.pageSize]).toEqual([['a', 'b', 'c'], 20])
    expect(list.aggregations.dc_nature_agg.buckets).toEqual([{ key: 'memo', docCount: 3 }])
    expect(list.quickFilters[0]).toEqual({ name: 'noFolder', active: true })
  })

  test('lets the call decide on page, order and values', async () => {
    const saved = await save(
      byQuery({ sortBy: 'dc:title', sortOrder: 'asc', pageSize: 1, currentPageIndex: 1, maxResults: 1 }),
    )
    expect(await execute(saved.id)).toMatchObject({ pageSize: 1, currentPageIndex: 1, resultsCount: -2 })
    expect(titles(await execute(saved.id))).toEqual(['b'])
    expect(titles(await execute(saved.id, '?pageSize=5&currentPageIndex=0'))).toEqual(['a', 'b'])
    expect(titles(await execute(saved.id, '?offset=0'))).toEqual(['a'])
    expect((await execute(saved.id, '?maxResults=5')).resultsCount).toBe(2)
    expect(titles(await execute(saved.id, '?pageSize=5&offset=0&sortBy=dc:title'))).toEqual(['b', 'a'])
    expect(titles(await execute(saved.id, '?pageSize=5&offset=0&source=there'))).toEqual(['c'])
    expect(titles(await execute(saved.id, '?pageSize=5&offset=0&queryParams=report'))).toEqual(['d'])
  })

  test.each([
    ['a query', byQuery(), 'nature=x', 'nature: the query has no parameter of this name'],
    ['a provider', byProvider(), 'natur=x', 'natur: the query has no parameter of this name'],
    ['a query', byQuery(), 'queryEngine=other', /queryEngine/],
  ])('of %s refuses a parameter that it has no use for', async (_, content, parameter, message) => {
    const { id } = await save(content)
    const { status, json } = await call('GET', `${SAVED}/${id}/execute?${parameter}`, { user: 'ann' })
    expect([status, json.message]).toEqual([400, expect.stringMatching(message)])
  })

  test('takes several positional values as a list, and fills in the caller', async () => {
    const saved = await save(
      search({
        query: 'SELECT * FROM Document WHERE dc:creator = ? AND ecm:primaryType = ? AND dc:title = :title',
        queryLanguage: 'NXQL',
        queryParams: ['$currentUser', 'SavedSearch'],
        params: { title: 'Only this' },
        title: 'Only this',
      }),
    )
    expect(saved.queryParams).toBe('["$currentUser","SavedSearch"]')
    expect(titles(await execute(saved.id))).toEqual(['Only this'])
    await share(saved.id, 'Read')
    expect(titles(await execute(saved.id, '', { user: 'bob' }))).toEqual([])
  })

  test('of a query that lacks a value is refused', async () => {
    const { id } = await save(byQuery({ queryParams: null }))
    const { status, json } = await call('GET', `${SAVED}/${id}/execute`, { user: 'ann' })
    expect([status, json.message]).toEqual([400, 'No value for parameter 1 of the query'])
  })
})

describe('rights', () => {
  test('others see a search when it is shared with them, and change it when they may', async () => {
    const { id } = await save(byQuery({ title: 'Shared' }), 'ann')
    const statuses = async (user: string) => [
      (await call('GET', `${SAVED}/${id}`, { user })).status,
      (await call('GET', `${SAVED}/${id}/execute`, { user })).status,
      (await call('PUT', `${SAVED}/${id}`, { user, json: byQuery({ title: 'Shared' }) })).status,
    ]
    expect(await statuses('bob')).toEqual([404, 404, 404])
    await share(id, 'Read')
    expect(await statuses('bob')).toEqual([200, 200, 403])
    expect((await call('DELETE', `${SAVED}/${id}`, { user: 'bob' })).status).toBe(403)
    await share(id, 'ReadWrite')
    expect(await statuses('bob')).toEqual([200, 200, 200])
    expect(await statuses('eve')).toEqual([404, 404, 404])
  })

  test('the list has what the caller may read, by title, of one provider or of all', async () => {
    for (const [title, make] of [
      ['zz eve', byProvider],
      ['aa eve', byQuery],
    ] as const)
      await save(make({ title }), 'eve')
    const list = async (more = '', user = 'eve') => (await call('GET', `${SAVED}${more}`, { user })).json
    expect(await list()).toMatchObject({ 'entity-type': 'savedSearches', resultsCount: 2 })
    expect(titles(await list())).toEqual(['aa eve', 'zz eve'])
    expect(titles(await list('?pageProvider=default_search'))).toEqual(['zz eve'])
    expect(titles(await list('?pageProvider=nonesuch'))).toEqual([])
    expect(titles(await list('?pageSize=1&currentPageIndex=1'))).toEqual(['zz eve'])
    expect(titles(await list('', 'bob')).filter((title) => title.endsWith('eve'))).toEqual([])
    const trashed = (await list()).entries[0]
    await platform.database.sql`UPDATE documents SET is_trashed = true WHERE id = ${trashed.id}`
    expect(titles(await list())).toEqual(['zz eve'])
  })
})

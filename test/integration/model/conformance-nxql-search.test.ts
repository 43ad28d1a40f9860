import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createEngine } from '../../../api/engine.js'
import { uniqueName } from '../../support/template.js'
import { addUser, createClient, type Entity } from '../support/rest-client.js'
import { createTestPlatform } from '../support/rest-support.js'

/** Rows of docs/conformance/nxql-search.md that no test of a smaller part shows. */

const platform = await createTestPlatform({
  TEMPORAL_ADDRESS: inject('temporalAddress'),
  ARCHIVOLT_TASK_QUEUE: uniqueName('queue'),
})
const engine = await createEngine(platform)
afterAll(() => engine.close())
const call = createClient(platform, engine)
const API = '/api/v1'
const FOLDER = '/default-domain/workspaces/conform'
const HERE = `ecm:path STARTSWITH '${FOLDER}'`

const FILES: readonly [name: string, title: string | null, more?: object][] = [
  ['a', 'alpha', { 'dc:nature': 'memo', 'dc:source': 's', 'file:content': { name: 'a.txt', data: 'aaa' } }],
  ['b', 'Beta', { 'dc:nature': 'report', 'dc:source': 's' }],
  ['c', '100%_\\x', { 'dc:nature': 'memo' }],
  ['d', null, { 'dc:source': 'default' }],
]

const ids: { [name: string]: string } = {}

const deploy = async (name: string, provider: object): Promise<void> => {
  const answer = await call('PUT', `${API}/contributions/pageProviders/${name}`, { json: provider })
  if (answer.status > 201) throw new Error(answer.text)
}

beforeAll(async () => {
  await addUser(platform, 'ann', ['powerusers'])
  const make = async (parent: string, name: string, type: string, properties: object = {}) => {
    const json = { 'entity-type': 'document', name, type, properties }
    const answer = await call('POST', `${API}/path${parent}`, { json })
    if (answer.status !== 201) throw new Error(answer.text)
    ids[name] = answer.json.uid
  }
  await make('/default-domain/workspaces', 'conform', 'Folder', { 'dc:title': 'conform' })
  for (const [name, title, more] of FILES)
    await make(FOLDER, name, 'File', { ...(title !== null && { 'dc:title': title }), ...more })
})

const names = (list: Entity): string[] =>
  list.entries.map(({ path }: { path: string }) => path.split('/').at(-1))
const get = (path: string, options = {}) => call('GET', `${API}${path}`, options)
const search = (nxql: string, more = '', options = {}) =>
  get(`/search/execute?query=${encodeURIComponent(nxql)}${more}`, options)
const find = async (where: string, more = ''): Promise<string[]> => {
  const { status, json } = await search(
    `SELECT * FROM File WHERE ${HERE} AND (${where}) ORDER BY ecm:name`,
    more,
  )
  expect([status, json.message]).toEqual([200, undefined])
  return names(json)
}

describe('routes', () => {
  const query = encodeURIComponent(`SELECT * FROM File WHERE ${HERE} ORDER BY ecm:name`)

  test.each([
    `/search/execute?query=${query}`,
    `/search/lang/NXQL/execute?query=${query}`,
    `/query?query=${query}`,
    `/query/NXQL?query=${query}`,
    `/query/default_search?query=${query}`,
    `/path/@search?query=${query}`,
    `/repo/default/search/execute?query=${query}`,
  ])('%s answers the query', async (path) => {
    expect(names((await get(path)).json)).toEqual(['a', 'b', 'c', 'd'])
  })

  test('the older root of addresses serves them too', async () => {
    const answer = await call('GET', `/nuxeo/site/api/v1/search/execute?query=${query}`)
    expect(names(answer.json)).toEqual(['a', 'b', 'c', 'd'])
  })

  test.each(['/search/execute', '/query', '/query/NXQL', '/search/execute?query='])(
    '%s without a query asks for all documents',
    async (path) => {
      const { json } = await get(path)
      const all = await search('SELECT * FROM Document')
      expect([json.resultsCount, json.entries.length]).toEqual([
        all.json.resultsCount,
        all.json.entries.length,
      ])
    },
  )

  test('another language is refused', async () => {
    const { status, json } = await get('/search/lang/CMISQL/execute?query=SELECT')
    expect([status, json.message]).toEqual([400, 'invalid query language: CMISQL'])
  })

  test('@search gives fifty at a time', async () => {
    expect((await get(`/path${FOLDER}/@search?fullText=alpha`)).json.pageSize).toBe(50)
  })
})

describe('parameters of queries', () => {
  const ALL = `SELECT * FROM File WHERE ${HERE} ORDER BY ecm:name`

  test.each<[string, object]>([
    ['', { pageSize: 0, currentPageSize: 4, numberOfPages: 1, maxPageSize: 1000 }],
    ['&pageSize=', { pageSize: 0, currentPageSize: 4 }],
    ['&pageSize=-1', { pageSize: 0, currentPageSize: 4 }],
    ['&pageSize=0', { pageSize: 0, numberOfPages: 1, isNextPageAvailable: false }],
    [
      '&pageSize=3',
      { numberOfPages: 2, currentPageSize: 3, isNextPageAvailable: true, isLastPageAvailable: true },
    ],
    [
      '&pageSize=3&currentPageIndex=1',
      { currentPageIndex: 1, currentPageOffset: 3, currentPageSize: 1, isPreviousPageAvailable: true },
    ],
    [
      '&pageSize=3&offset=2&currentPageIndex=7',
      { currentPageOffset: 2, currentPageIndex: 0, currentPageSize: 2 },
    ],
    ['&pageSize=3&currentPageIndex=9', { resultsCount: 4, currentPageSize: 0, entries: [] }],
    ['&pageSize=5000', { pageSize: 5000, maxPageSize: 1000, numberOfPages: 1 }],
    ['&maxResults=-1', { resultsCount: 4 }],
    [
      '&maxResults=2&pageSize=2',
      { resultsCount: -2, numberOfPages: 0, isNextPageAvailable: true, isLastPageAvailable: false },
    ],
  ])('%j', async (parameters, expected) => {
    const { status, json } = await search(ALL, parameters)
    expect(status).toBe(200)
    expect(json).toMatchObject(expected)
  })

  test('an empty answer has one page', async () => {
    const { json } = await search("SELECT * FROM File WHERE ecm:name = 'nothing'", '&pageSize=3')
    expect(json).toMatchObject({ resultsCount: 0, numberOfPages: 1, isNextPageAvailable: false })
  })

  test.each(['pageSize=ten', 'currentPageIndex=x', 'offset=1.5', 'maxResults=x', 'sortBy=dc:title)'])(
    '%s is refused and named',
    async (parameter) => {
      const { status, json } = await search(ALL, `&${parameter}`)
      expect([status, json.message]).toEqual([400, expect.stringContaining(parameter.split('=')[0]!)])
    },
  )

  test.each<[string, string[]]>([
    ['&sortBy=dc:nature,ecm:name&sortOrder=ASC', ['c', 'a', 'b', 'd']],
    ['&sortBy=dc:nature,ecm:name&sortOrder=asc,Asc', ['a', 'c', 'b', 'd']],
    ['&sortBy=ecm:name', ['d', 'c', 'b', 'a']],
  ])('%s', async (parameters, expected) => {
    expect(names((await search(ALL, parameters)).json)).toEqual(expected)
  })

  test("the caller's order takes the place of the query's, whatever that ends with", async () => {
    const nxql = `SELECT * FROM File WHERE ${HERE} AND dc:title <> ' ORDER BY ecm:name' ORDER BY dc:title LIMIT 5`
    expect(names((await search(nxql, '&sortBy=ecm:name&sortOrder=asc')).json)).toEqual(['a', 'b', 'c'])
  })

  test.each<[string, string, string[]]>([
    ['dc:creator = ?', '&queryParams=$currentUser', ['a', 'b', 'c', 'd']],
    ['dc:creator = ?', '&queryParams=x$currentUser', []],
    ['dc:title = ? AND dc:nature = ?', '&queryParams=alpha&queryParams=memo', ['a']],
    ["dc:title <> '?' AND dc:nature = ?", '&queryParams=memo', ['a', 'c']],
    ['dc:nature IN (:n)', '&n=memo&n=report', ['a', 'b', 'c']],
    ['dc:nature = :n', '&n=memo', ['a', 'c']],
    ['dc:source = :r', '&r=$currentRepository', ['d']],
  ])('%s with %s', async (where, parameters, expected) => {
    expect(await find(where, parameters)).toEqual(expected)
  })
})

test('conditions alone are a query of all documents, unless the database is asked', async () => {
  const conditions = `${HERE} AND dc:title = 'alpha'`
  const { status, json } = await search(conditions)
  expect([status, names(json)]).toEqual([200, ['a']])
  expect((await search(conditions, '&backend=database')).status).toBe(400)
  expect((await search(`select * FROM File WHERE ${HERE}`)).status).toBe(200)
})

describe('errors', () => {
  test.each<[string, string, string]>([
    ['SELECT * FORM File', '', 'Syntax error: Invalid token <FORM> at offset 9'],
    ['SELECT * FROM File WHERE dc:title = ;', '', 'Lexical Error: Illegal character <;> at offset 36'],
    ['SELECT * FROM Nope', '', 'Unknown type: Nope'],
    ['SELECT * FROM File WHERE ecm:nope = 1', '', 'Unknown field: ecm:nope'],
    ['SELECT * FROM File WHERE dc:nope = 1', '', 'No such property: dc:nope'],
    ["SELECT * FROM File WHERE DATE(dc:title) = DATE '2015-01-01'", '', 'DATE()'],
    ['SELECT * FROM File WHERE dc:title = ?', '&queryParams=a&queryParams=b', '2 parameters'],
    ['SELECT * FROM File WHERE dc:title = ? AND dc:nature = ?', '&queryParams=a', 'No value for parameter 2'],
    ['SELECT * FROM File WHERE dc:title = ?', '', 'No value for parameter 1'],
    ['SELECT * FROM File WHERE dc:title = :name', '', 'No value for the named parameter name'],
    ['SELECT dc:title FROM File GROUP BY dc:title', '', 'Invalid token <GROUP>'],
    ["SELECT * FROM File WHERE ecm:fulltext_nope = 'x'", '', 'No such fulltext index: nope'],
  ])('%s%s', async (nxql, parameters, message) => {
    const { status, json } = await search(nxql, parameters)
    expect([status, json['entity-type'], json.status]).toEqual([400, 'exception', 400])
    expect(json.message).toContain(message)
  })
})

describe('conditions', () => {
  test.each<[string, string[]]>([
    ["dc:title = 'Alpha'", []],
    ["dc:title LIKE 'ALPHA'", []],
    ["dc:title ILIKE 'ALPHA'", ['a']],
    // Rows without a value are no answer to a comparison, whichever way it goes.
    ["dc:title <> 'alpha'", ['b', 'c']],
    ["dc:title NOT IN ('alpha', 'Beta')", ['c']],
    ["dc:nature NOT BETWEEN 'x' AND 'z'", ['a', 'b', 'c']],
    ["dc:title NOT LIKE 'a%'", ['b', 'c']],
    // The parser leaves \\% and \\_ to LIKE, and makes one backslash of two.
    [String.raw`dc:title LIKE '100\%\__x'`, ['c']],
    [String.raw`dc:title LIKE '100\%\_\\\\x'`, ['c']],
    [String.raw`dc:title LIKE '\a\l%'`, ['a']],
    [String.raw`dc:title LIKE 'alpha\\'`, ['a']],
    [String.raw`dc:title LIKE '1%\%%'`, ['c']],
    ["dc:title LIKE '*'", []],
    ['content/length = 3', ['a']],
    ["content/name = 'a.txt'", ['a']],
    ["ecm:isVersion = 0 AND ecm:isCheckedInVersion = 0 AND ecm:name = 'a'", ['a']],
    ['ecm:isTrashed <> 0', []],
    ["ecm:currentLifeCycleState <> 'deleted' AND ecm:isTrashed = 0", ['a', 'b', 'c', 'd']],
    ['ecm:lockOwner IS NULL AND ecm:proxyTargetId IS NULL', ['a', 'b', 'c', 'd']],
    ["/*+ES: INDEX(dc:title.fulltext^2) OPERATOR(match) */ dc:title = 'alpha'", ['a']],
    ["ecm:path = '/default-domain/workspaces/conform/a/'", ['a']],
    ["dc:title BETWEEN 'B' AND 'alpha'", ['a', 'b']],
  ])('%s', async (where, expected) => expect(await find(where)).toEqual(expected))

  test('nulls come last upwards and first downwards', async () => {
    const sorted = async (order: string) =>
      names((await search(`SELECT * FROM File WHERE ${HERE} ORDER BY dc:source ${order}, ecm:name`)).json)
    expect(await sorted('ASC')).toEqual(['d', 'a', 'b', 'c'])
    expect(await sorted('DESC')).toEqual(['c', 'a', 'b', 'd'])
  })

  test('STARTSWITH on paths excludes the folder itself, and the root has all but itself', async () => {
    const paths = async (where: string) =>
      (await search(`SELECT * FROM Folder WHERE ${where}`)).json.entries.map(({ path }: Entity) => path)
    expect(await paths(HERE)).toEqual([])
    expect(await paths("ecm:path STARTSWITH '/'")).toEqual(
      expect.arrayContaining([FOLDER, '/default-domain']),
    )
    expect(await paths("ecm:path STARTSWITH '/'")).not.toContain('/')
    expect(await paths("ecm:path STARTSWITH '/nowhere/at/all'")).toEqual([])
  })

  test('Document is everything but the root, in any casing', async () => {
    for (const type of ['Document', 'document', 'DOCUMENT']) {
      const { json } = await search(`SELECT * FROM ${type} WHERE ecm:parentId IS NULL AND ecm:isVersion = 0`)
      expect(json.entries).toEqual([])
    }
    expect((await search('SELECT * FROM Root')).json.entries).toHaveLength(1)
  })

  test('a proxy is found beside its document, or by itself', async () => {
    const publish = await call('POST', `${API}/automation/Document.CreateLiveProxy`, {
      json: { input: `${FOLDER}/b`, params: { 'Destination Path': '/default-domain/sections' } },
    })
    expect(publish.status).toBe(200)
    const found = async (more: string) =>
      (
        await search(`SELECT * FROM File WHERE dc:title = 'Beta' AND ecm:isVersion = 0 ${more}`)
      ).json.entries.map(({ isProxy }: Entity) => isProxy)
    expect((await found('')).toSorted()).toEqual([false, true])
    expect(await found('AND ecm:isProxy = 1')).toEqual([true])
    expect(await found('AND ecm:isProxy = 0')).toEqual([false])
    const counted = await call('POST', `${API}/automation/Repository.ResultSetQuery`, {
      json: {
        params: { query: "SELECT COUNT(ecm:uuid) FROM File WHERE dc:title = 'Beta' AND ecm:isVersion = 0" },
      },
    })
    expect(counted.json.entries).toEqual([{ 'COUNT(ecm:uuid)': 2 }])
  })

  test('a tag is found under its label', async () => {
    await call('POST', `${API}/automation/Services.TagDocument`, {
      json: { input: `${FOLDER}/a`, params: { tags: 'green' } },
    })
    expect(await find("ecm:tag = 'green'")).toEqual(['a'])
  })
})

describe('page providers', () => {
  const run = async (name: string, more = '', headers = {}) => {
    const { status, json } = await get(`/search/pp/${name}/execute?${more}`, { headers })
    expect([status, json.message]).toEqual([200, undefined])
    return json
  }

  test('sort as the caller says, else as the active quick filters, else as they say themselves', async () => {
    const sort = (column: string, ascending = true) => [{ column, ascending }]
    await deploy('sorted', {
      pattern: `SELECT * FROM File WHERE ${HERE} AND ecm:isProxy = 0 AND dc:title IS NOT NULL`,
      sort: sort('ecm:name', false),
      quickFilters: [
        { name: 'byNature', sort: sort('dc:nature') },
        { name: 'byName', sort: sort('ecm:name'), clause: "dc:title <> 'nobody'" },
      ],
    })
    expect(names(await run('sorted'))).toEqual(['c', 'b', 'a'])
    expect(names(await run('sorted', 'quickFilters=byNature,byName,unknown'))).toEqual(['a', 'c', 'b'])
    const sorted = await run('sorted', 'quickFilters=byNature&sortBy=dc:title&sortOrder=desc')
    expect(names(sorted)).toEqual(['a', 'b', 'c'])
    expect(sorted.quickFilters).toEqual([
      { name: 'byNature', active: true },
      { name: 'byName', active: false },
    ])
  })

  test('a pattern with an order of its own can be sorted otherwise', async () => {
    await deploy('ordered', { pattern: `SELECT * FROM File WHERE ${HERE} ORDER BY ecm:name` })
    expect(names(await run('ordered'))).toEqual(['a', 'b', 'c', 'd'])
    expect(names(await run('ordered', 'sortBy=ecm:name'))).toEqual(['d', 'c', 'b', 'a'])
  })

  test('have a largest page, which 0 takes away, and count as far as they say', async () => {
    const pattern = `SELECT * FROM File WHERE ${HERE}`
    await deploy('small', { pattern, pageSize: 3, maxPageSize: 2, maxResults: 3 })
    expect(await run('small')).toMatchObject({
      pageSize: 3,
      maxPageSize: 2,
      currentPageSize: 2,
      resultsCount: -2,
    })
    await deploy('onePage', { pattern, pageSize: 2, maxResults: 'PAGE_SIZE' })
    expect(await run('onePage')).toMatchObject({ currentPageSize: 2, resultsCount: -2 })
    await deploy('free', { pattern, maxPageSize: 0, maxResults: 'DEFAULT_NAVIGATION_RESULTS' })
    expect(await run('free', 'pageSize=0')).toMatchObject({
      maxPageSize: 0,
      currentPageSize: 4,
      resultsCount: 4,
    })
    expect(await run('free', 'pageSize=')).toMatchObject({ pageSize: 0, numberOfPages: 1 })
  })

  test('of one name take the place of each other, the later of the earlier', async () => {
    await deploy('twice', { pattern: "SELECT * FROM File WHERE ecm:name = 'a'", pageSize: 7 })
    await deploy('twice', { pattern: `SELECT * FROM File WHERE ${HERE} AND ecm:name = 'b'` })
    expect(await run('twice')).toMatchObject({ pageSize: 0 })
    expect(names(await run('twice'))).toEqual(['b'])
  })

  test('that say they are not sortable are described so', async () => {
    await deploy('fixed', { pattern: 'SELECT * FROM Domain', sortable: false })
    expect((await run('fixed')).isSortable).toBe(false)
  })

  test('show terms with what their keys refer to when asked', async () => {
    const aggregates = ['dc:nature', 'dc:creator', 'dc:source'].map((field) => ({
      id: field.slice(3),
      type: 'terms',
      field,
      selection: `default_search:${field.replace(':', '_')}_agg`,
    }))
    await deploy('fetched', {
      searchDocumentType: 'DefaultSearch',
      pattern: `SELECT * FROM File WHERE ${HERE}`,
      aggregates,
    })
    const more = `dc_nature_agg=${encodeURIComponent('["gone"]')}`
    const plain = await run('fetched', more)
    expect(plain.aggregations.nature.buckets[0]).toEqual({ key: 'memo', docCount: 2 })
    const { nature, creator, source } = (await run('fetched', more, { 'fetch-aggregate': 'key' }))
      .aggregations
    expect(Object.keys(nature.buckets[0])).toEqual(['key', 'fetchedKey', 'docCount'])
    expect(nature.buckets[0]).toMatchObject({
      key: 'memo',
      fetchedKey: { 'entity-type': 'directoryEntry', directoryName: 'nature', id: 'memo' },
      docCount: 2,
    })
    expect(nature.extendedBuckets[0]).toEqual({ key: 'gone', fetchedKey: 'gone', docCount: 0 })
    // The hits are narrowed by what is selected, and so are the other aggregates.
    expect([creator.buckets, source.buckets]).toEqual([[], []])
    const all = (await run('fetched', 'fetch-aggregate=key')).aggregations
    expect(all.creator.buckets[0]).toMatchObject({
      key: 'Administrator',
      fetchedKey: { 'entity-type': 'user', id: 'Administrator' },
    })
    expect(all.source.buckets[0]).toEqual({ key: 's', docCount: 2 })
  })

  test('show where something was found, with the enricher of that name', async () => {
    const more = `ecm_fulltext=alpha&ecm_path=${FOLDER}&highlight=dc:title.fulltext,ecm:binarytext`
    const plain = await run('default_search', more)
    expect(plain.entries[0].contextParameters).toBeUndefined()
    const { entries } = await run('default_search', more, { 'enrichers-document': 'highlight,hasContent' })
    expect(entries[0].contextParameters).toEqual({
      hasContent: false,
      highlight: [{ field: 'dc:title.fulltext', segments: ['<em>alpha</em>'] }],
    })
  })

  test('count by intervals, metrics, and terms that fit', async () => {
    const aggregate = (id: string, type: string, field: string, properties: object = {}) => ({
      id,
      type,
      field,
      properties,
    })
    await deploy('counted', {
      searchDocumentType: 'DefaultSearch',
      pattern: `SELECT * FROM File WHERE ${HERE} AND ecm:isProxy = 0`,
      aggregates: [
        aggregate('lengths', 'histogram', 'file:content.length', {
          interval: 2,
          minDocCount: 0,
          extendedBoundsMin: 0,
          extendedBoundsMax: 5,
        }),
        {
          ...aggregate('months', 'date_histogram', 'dc:created', {
            interval: 'month',
            format: 'yyyy-MM',
            timeZone: '+02:00',
          }),
          selection: 'default_search:dc_nature_agg',
        },
        aggregate('natures', 'terms', 'dc:nature', { size: 1, order: 'term desc' }),
        aggregate('memos', 'terms', 'dc:nature', { include: 'm.*', exclude: 'x' }),
        aggregate('often', 'terms', 'dc:nature', { minDocCount: 2 }),
        ...['cardinality', 'count', 'missing', 'min'].map((type) => aggregate(type, type, 'dc:nature')),
        ...['sum', 'avg', 'max'].map((type) => aggregate(type, type, 'file:content.length')),
      ],
    })
    const { aggregations } = await run('counted')
    const keys = (id: string) => aggregations[id].buckets.map(({ key, docCount }: Entity) => [key, docCount])
    expect(keys('lengths')).toEqual([
      ['0', 0],
      ['2', 1],
      ['4', 0],
    ])
    expect(keys('months').map(([, count]: [string, number]) => count)).toEqual([4])
    expect(keys('natures')).toEqual([['report', 1]])
    expect(keys('memos')).toEqual([['memo', 2]])
    expect(keys('often')).toEqual([['memo', 2]])
    const values = Object.fromEntries(
      ['cardinality', 'count', 'missing', 'min', 'sum', 'avg', 'max'].map((id) => [
        id,
        aggregations[id].value,
      ]),
    )
    expect(values).toEqual({ cardinality: 2, count: 3, missing: 1, min: 'memo', sum: 3, avg: 3, max: 3 })
    expect(aggregations.max.buckets).toEqual([])
    const [{ key }] = aggregations.months.buckets
    expect((await run('counted', `dc_nature_agg=${key}`)).entries).toHaveLength(4)
    expect((await run('counted', 'dc_nature_agg=1999-01')).entries).toEqual([])
  })

  test.each<[object, string]>([
    [{ type: 'terms', properties: { order: 'size up' } }, 'order'],
    [{ type: 'nonesuch' }, 'type'],
    [{ type: 'histogram' }, 'interval'],
    [{ type: 'date_histogram' }, 'interval'],
    [{ type: 'date_histogram', properties: { interval: 'fortnight' } }, 'interval'],
    [{ type: 'date_histogram', properties: { interval: 'day', timeZone: 'Nowhere' } }, 'timeZone'],
    [{ type: 'histogram', properties: { interval: 1, extendedBoundsMin: 1 } }, 'extendedBoundsMax'],
    [{ type: 'range' }, 'ranges'],
  ])('with the aggregate %j is refused when it is deployed', async (aggregate, field) => {
    const json = {
      pattern: 'SELECT * FROM File',
      aggregates: [{ id: 'a', field: 'dc:nature', ...aggregate }],
    }
    const answer = await call('PUT', `${API}/contributions/pageProviders/bad`, { json })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
    expect(answer.text).toContain(field)
    expect((await get('/search/pp/bad')).status).toBe(404)
  })

  test('of the product have the shape that clients count on', async () => {
    const { json } = await get('/search/pp/default_search')
    expect(json).toMatchObject({ searchDocumentType: 'DefaultSearch', pageSize: 20, trackUsage: true })
    expect(json.aggregates.map(({ id, type }: Entity) => `${id} ${type}`)).toEqual([
      'dc_nature_agg terms',
      'dc_subjects_agg terms',
      'dc_coverage_agg terms',
      'dc_creator_agg terms',
      'common_size_agg range',
      'dc_modified_agg date_range',
    ])
    expect(json.aggregates[5].dateRanges.map(({ key }: Entity) => key)).toEqual([
      'last24h',
      'lastWeek',
      'lastMonth',
      'lastYear',
      'priorToLastYear',
    ])
    expect(json.quickFilters.map(({ name }: Entity) => name)).toEqual([
      'noFolder',
      'mostRecent',
      'onlyValidated',
    ])
    expect((await get('/search/pp/tree_children')).json).toMatchObject({
      pageSize: 50,
      sortInfos: [{ sortColumn: 'ecm:pos' }, { sortColumn: 'dc:title' }],
    })
    expect((await get('/search/pp/DEFAULT_DOCUMENT_SUGGESTION')).json).toMatchObject({
      pageSize: 10,
      pattern: expect.stringContaining('OPERATOR(match_phrase_prefix)'),
    })
    expect((await get('/search/pp/advanced_document_content')).json.searchDocumentType).toBe(
      'AdvancedContent',
    )
  })

  test('find a query that is a parameter, and the children that are folders', async () => {
    const nxql = encodeURIComponent(`SELECT * FROM File WHERE ${HERE} AND ecm:name = 'a'`)
    expect(names(await run('nxql_search', `queryParams=${nxql}`))).toEqual(['a'])
    const parent = (await get('/path/default-domain/workspaces')).json.uid
    expect(names(await run('tree_children', `queryParams=${parent}`))).toEqual(['conform'])
    expect(names(await run('tree_children', `queryParams=${ids.conform}`))).toEqual([])
    const content = await run(
      'advanced_document_content',
      `ecm_parentId=${ids.conform}&ecm_trashed=false&title=beta`,
    )
    expect(names(content)).toEqual(['b'])
    expect(names(await run('DEFAULT_DOCUMENT_SUGGESTION', 'queryParams=alph%25'))).toEqual(['a'])
  })
})

describe('rows', () => {
  test.each<[string, object[]]>([
    [`SELECT COUNT(ecm:uuid) FROM File WHERE ${HERE}`, [{ 'COUNT(ecm:uuid)': 4 }]],
    [`SELECT COUNT(dc:title) FROM File WHERE ${HERE}`, [{ 'COUNT(dc:title)': 3 }]],
    [
      `SELECT dc:title, dc:source, content/length FROM File WHERE ${HERE} AND ecm:name IN ('a', 'd') ORDER BY ecm:name`,
      [
        { 'dc:title': 'alpha', 'dc:source': 's', 'content/length': 3 },
        { 'dc:title': null, 'dc:source': 'default', 'content/length': null },
      ],
    ],
    [
      `SELECT DISTINCT dc:nature FROM File WHERE ${HERE} AND dc:nature IS NOT NULL ORDER BY dc:nature`,
      [{ 'dc:nature': 'memo' }, { 'dc:nature': 'report' }],
    ],
  ])('%s', async (query, expected) => {
    const answer = await call('POST', `${API}/automation/Repository.ResultSetQuery`, {
      json: { params: { query } },
    })
    expect(answer.json.entries).toEqual(expected)
  })
})

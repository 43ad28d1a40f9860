import { describe, expect, test } from 'vitest'
import type { Entity } from '../support/rest-client.js'
import { API, createSearchBench, FOLDER, HERE, names } from '../support/search-bench.js'

/** Rows of docs/conformance/nxql-search.md that no test of a smaller part shows. */

const { call, get, search, find } = await createSearchBench()

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

import { describe, expect, test } from 'vitest'
import type { Entity } from '../support/rest-client.js'
import { API, createSearchBench, FOLDER, HERE, names } from '../support/search-bench.js'

/** Rows of docs/conformance/nxql-search.md that no test of a smaller part shows. */

const { call, ids, get, deploy } = await createSearchBench()

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

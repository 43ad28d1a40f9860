import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, test } from 'vitest'
import { createApp } from '../../../api/app.js'
import { startServer } from '../../../api/server.js'
import type { LogEntry } from '../../../core/content/stores/index.js'
import { createAuditProjection } from '../../../core/search/audit/index.js'
import { writeAudit } from '../../../worker/events/audit.js'
import { elasticsearchSettings } from '../../support/elasticsearch.js'
import { createIndexedBench } from '../support/indexed-bench.js'
import { ADMINISTRATOR, input } from '../support/operations-support.js'
import { addUser, createClient, USER_PASSWORD } from '../support/rest-client.js'

const settings = await elasticsearchSettings()

describe.skipIf(!settings)('searches in the language of the engine', async () => {
  if (!settings) return
  const bench = await createIndexedBench(settings)
  afterAll(bench.close)
  const { platform, run, follow } = bench
  const { folder, file, note } = await bench.filledWorkspace()
  const hidden = await bench.filledWorkspace()
  await run('Document.BlockPermissionInheritance', { input: input(hidden.folder), params: {} })
  await addUser(platform, 'eva')
  await follow()
  const call = createClient(platform)
  const search = (json: unknown, { index = 'nuxeo', user = 'eva' } = {}) =>
    call('POST', `/nuxeo/site/es/${index}/_search`, { json, user })
  const idsOf = ({ json }: Awaited<ReturnType<typeof search>>) =>
    json.hits.hits.map(({ _id }: { _id: string }) => _id)
  const both = { query: { ids: { values: [file.id, hidden.file.id] } } }

  test('the root is not shown', async () => {
    const root = { query: { terms: { 'ecm:path': ['/', folder.path] } } }
    expect(idsOf(await search(root, { user: 'Administrator' }))).toEqual([folder.id])
  })

  test('a user finds what may be browsed, an administrator everything', async () => {
    expect(idsOf(await search(both))).toEqual([file.id])
    expect(idsOf(await search(both, { user: 'Administrator' })).sort()).toEqual(
      [file.id, hidden.file.id].sort(),
    )
  })

  test('what somebody may browse and not read is not shown, however others share it', async () => {
    await addUser(platform, 'glance')
    for (const username of ['glance', 'members'])
      await run('Document.AddPermission', {
        input: input(hidden.file),
        params: { username, permission: 'Browse', acl: username },
      })
    await follow()
    for (const user of ['glance', 'eva']) {
      expect(idsOf(await search(both, { user }))).toEqual([file.id])
      const entryOf = async (id: string) => (await call('GET', `/nuxeo/site/es/nuxeo/${id}`, { user })).status
      expect([await entryOf(file.id), await entryOf(hidden.file.id)]).toEqual([200, 403])
    }
    const params = { username: 'glance', permission: 'Read', acl: 'reading' }
    await run('Document.AddPermission', { input: input(hidden.file), params })
    await follow()
    expect(idsOf(await search(both, { user: 'glance' })).sort()).toEqual([file.id, hidden.file.id].sort())
    for (const [acl, user] of [
      ['glance', 'glance'],
      ['members', 'members'],
      ['reading', 'glance'],
    ] as const)
      await run('Document.RemovePermission', { input: input(hidden.file), params: { acl, user } })
    await follow()
  })

  test('what security policies keep from somebody is not found', async () => {
    const deploy = (content: object) =>
      bench.deploy('securityPolicies', 'closing', { permissions: ['Browse'], ...content })
    const entry = async () => (await call('GET', `/nuxeo/site/es/nuxeo/${file.id}`, { user: 'eva' })).status
    for (const content of [
      { query: "dc:title IS NULL OR dc:title <> 'A file'" },
      { permissions: ['Read'], query: "dc:title IS NULL OR dc:title <> 'A file'" },
      { decision: 'deny', when: { types: ['File'] } },
    ]) {
      await deploy(content)
      const found = await search(both)
      expect([found.status, idsOf(found), await entry()]).toEqual([200, [], 403])
      expect(idsOf(await search(both, { user: 'Administrator' }))).toContain(file.id)
    }
    await bench.deploy('securityPolicies', 'closing', { enabled: false })
    expect(idsOf(await search(both))).toEqual([file.id])
  })

  test('scores, which count words of hidden documents, are for administrators', async () => {
    const words = { query: { match: { 'ecm:name': file.name } } }
    const scoresOf = ({ json }: Awaited<ReturnType<typeof search>>) => [
      json.hits.max_score,
      ...json.hits.hits.map(({ _score }: { _score: number | null }) => _score),
    ]
    expect(scoresOf(await search(both))).toEqual([0, 0])
    expect(scoresOf(await search(both, { user: 'Administrator' }))).toEqual([1, 1, 1])
    expect(idsOf(await search({ ...words, min_score: 0.01 }))).toEqual([])
    expect(idsOf(await search({ ...words, min_score: 0.01 }, { user: 'Administrator' }))).toContain(file.id)
    const functions = { function_score: { query: words.query, min_score: 1_000 } }
    expect(idsOf(await search({ query: functions }))).toContain(file.id)
    expect(idsOf(await search({ query: functions }, { user: 'Administrator' }))).toEqual([])
    const after = { ...both, sort: ['_score', 'ecm:uuid'], search_after: [0.01, ''] }
    expect(idsOf(await search(after))).toEqual([file.id])
    const scored = {
      ...both,
      size: 0,
      aggs: { a: { top_hits: { sort: [{ 'ecm:uuid': 'asc' }], track_scores: true } } },
    }
    const { json } = await search(scored)
    expect(json.aggregations.a.hits.hits[0]._score).toBe(0)
  })

  test.each(['_all', '*', 'nuxeo', 'default', 'nuxeo/doc'])('%s names the index', async (index) => {
    expect(idsOf(await search(both, { index }))).toEqual([file.id])
  })

  test('the widgets of the web components: types under a path, counted', async () => {
    const { status, json } = await search({
      query: { bool: { filter: [{ term: { 'ecm:path.children': folder.path } }] } },
      aggs: {
        types: { terms: { field: 'ecm:primaryType', size: 10 } },
        months: { date_histogram: { field: 'dc:created', calendar_interval: 'month', min_doc_count: 0 } },
      },
      size: 0,
    })
    expect(status).toBe(200)
    expect(json.aggregations.types.buckets.map(({ key }: { key: string }) => key).sort()).toEqual([
      'File',
      'Note',
      'Workspace',
    ])
    expect(json.aggregations.months.buckets).toHaveLength(1)
  })

  test('the published web components ask as for an earlier engine', async () => {
    const day = new Date().toISOString().slice(0, 10)
    const bounds = { min: day, max: day }
    const answer = await call('POST', '/nuxeo/site/es/nuxeo/_search?search_type=query_then_fetch', {
      user: 'eva',
      json: {
        query: {
          bool: {
            must: [
              { terms: { 'ecm:primaryType': ['File', 'Note'] } },
              { range: { 'dc:created': { gte: day, lte: day } } },
              { term: { 'ecm:parentId': folder.id } },
            ],
          },
        },
        aggs: {
          by: {
            terms: { field: 'ecm:primaryType', size: -1 },
            aggs: {
              by: {
                date_histogram: {
                  ...{ field: 'dc:created', interval: 'day', format: 'yyyy-MM-dd', min_doc_count: 0 },
                  ...{ time_zone: '+00:00', extended_bounds: bounds },
                },
                aggs: { metrics: { cardinality: { field: 'dc:creator' } } },
              },
            },
          },
        },
      },
    })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.json.hits.total).toBe(2)
    const [first] = answer.json.aggregations.by.buckets
    expect(first.by.buckets).toMatchObject([{ key_as_string: day, doc_count: 1, metrics: { value: 1 } }])
  })

  test('a GET may have a body, sent as a form', async () => {
    const server = await startServer(createApp(platform, undefined), { host: '127.0.0.1', port: 0 })
    const found = await new Promise<string>((resolve, reject) => {
      const body = JSON.stringify(both)
      const headers = {
        'Content-Type': 'application/x-www-form-urlencoded',
        'Content-Length': Buffer.byteLength(body),
      }
      const address = `http://127.0.0.1:${server.port}/nuxeo/site/es/nuxeo/_search`
      const auth = `eva:${USER_PASSWORD}`
      const sent = request(address, { method: 'GET', auth, headers }, (response) =>
        text(response).then(resolve, reject),
      )
      sent.on('error', reject).end(body)
    })
    await server.stop(100)
    expect(JSON.parse(found).hits.hits.map(({ _id }: { _id: string }) => _id)).toEqual([file.id])
  })

  test('words are found as they are written, in any case and with their accents', async () => {
    const { id } = await bench.create(folder.id, 'File', 'accents')
    await run('Document.Update', {
      input: input({ id }),
      params: { properties: { 'dc:title': 'Crème brûlée' } },
    })
    await follow()
    expect(idsOf(await search({ query: { match: { all_field: 'CRÈME' } } }))).toEqual([id])
    const byAddress = await call('GET', '/site/es/_search?q=brulee&size=5', { user: 'eva' })
    expect(idsOf(byAddress)).toEqual([id])
  })

  test('entries are shown by their id, and counted', async () => {
    const at = '/nuxeo/site/es/nuxeo'
    expect((await call('GET', `${at}/${note.id}`, { user: 'eva' })).json).toMatchObject({
      _id: note.id,
      found: true,
      _source: { 'ecm:primaryType': 'Note' },
    })
    expect((await call('GET', `${at}/doc/${hidden.note.id}`, { user: 'eva' })).status).toBe(403)
    expect((await call('GET', `${at}/${'0'.repeat(8)}`)).status).toBe(404)
    expect((await call('POST', `${at}/_count`, { json: both, user: 'eva' })).json.count).toBe(1)
  })

  test.each<[body: object, message: string]>([
    [{ query: { script: { script: 'true' } } }, 'the query script is not allowed'],
    [{ query: { bool: { must: { wrapper: { query: 'e30=' } } } } }, 'the query wrapper is not allowed'],
    [{ query: { terms: { _id: { index: 'nuxeo', id: '1', path: 'x' } } } }, 'must be a list of values'],
    [{ query: { more_like_this: { like: [{ _id: 'x' }] } } }, 'more_like_this is not allowed'],
    [
      { query: { nested: { path: 'a', query: { match_all: {} }, inner_hits: {} } } },
      'inner_hits: must be a plain value',
    ],
    [{ query: { function_score: { script_score: { script: '1' } } } }, 'scripts are not allowed'],
    [{ query: { match_all: {}, term: { a: 1 } } }, 'exactly one kind of query'],
    [{ query: { regexp: { 'dc:title': { value: 'a', max_determinized_states: 1e6 } } } }, 'at most 10000'],
    [{ aggs: { a: { global: {} } } }, 'the aggregation global is not allowed'],
    [{ aggs: { a: { terms: { field: 'dc:title', min_doc_count: 0 } } } }, 'of more than 0'],
    [{ aggs: { a: { terms: { field: 'dc:title', min_doc_count: 0.5 } } } }, 'a whole number'],
    [{ aggs: { a: { terms: { field: 'dc:title', min_doc_count: '1' } } } }, 'a whole number'],
    [
      { aggs: { a: { terms: { field: 'dc:title', include: '('.repeat(1_001) } } } },
      'at most 1000 characters',
    ],
    [
      { aggs: { a: { terms: { field: 'dc:title', exclude: ['('.repeat(1_001)] } } } },
      'at most 1000 characters',
    ],
    [{ aggs: { a: { percentiles: { field: 'ecm:pos', hdr: {} } } } }, 'hdr: is not allowed'],
    [{ aggs: { a: { cardinality: { field: 'ecm:pos', precision_threshold: 9 } } } }, 'is not allowed here'],
    [{ aggs: { a: { top_hits: { explain: true } } } }, 'explain: is not allowed'],
    [
      {
        aggs: {
          a: { range: { field: 'ecm:pos', ranges: Array.from({ length: 1_001 }, (_, to) => ({ to })) } },
        },
      },
      'at most 1000 conditions',
    ],
    [
      { aggs: { a: { date_histogram: { field: 'dc:created', format: '['.repeat(101) } } } },
      'at most 100 char',
    ],
    [
      { query: { range: { 'dc:created': { gte: '2020', format: '['.repeat(101) } } } },
      'at most 100 characters',
    ],
    [
      { query: { term: { a: { value: 'x'.repeat(101), case_insensitive: true } } } },
      'at most 100 characters',
    ],
    [{ query: { match: { a: { query: 'x'.repeat(101), fuzziness: 2 } } } }, 'at most 100 characters'],
    [{ query: { wildcard: { a: 'x'.repeat(1_001) } } }, 'at most 1000 characters'],
    [{ query: { query_string: { query: '('.repeat(2_001) } } }, 'at most 2000 characters'],
    [
      { query: { query_string: { query: `dc:title:${'x'.repeat(101)}~2` } } },
      'before ~ may have at most 100',
    ],
    [{ query: { bool: { should: Array(60).fill({ prefix: { a: 'x' } }) } } }, 'at most 1000 conditions'],
    [{ query: { prefix: { a: { value: 'x', rewrite: 'top_terms_1' } } } }, 'rewrite: is not allowed'],
    [{ query: { query_string: { query: 'x*', rewrite: 'top_terms_1' } } }, 'rewrite: is not allowed'],
    [{ query: { match: { a: { query: 'x', _name: 'x' } } } }, '_name: is not allowed'],
    [{ aggs: { a: { meta: { a: 1 }, value_count: { field: 'ecm:pos' } } } }, 'the aggregation meta is not'],
    [{ aggs: { ['a'.repeat(101)]: { value_count: { field: 'ecm:pos' } } } }, 'at most 100 characters'],
    [
      { aggs: { a: { percentiles: { field: 'ecm:pos', percents: Array(101).fill(1) } } } },
      'at most 100 values',
    ],
    [{ query: { query_string: { query: '/a+/ '.repeat(3) } } }, 'at most 1000 conditions'],
    [
      { query: { query_string: { query: '/a+/ '.repeat(60), default_field: 'dc:title' } } },
      'at most 1000 conditions',
    ],
    [
      { query: { multi_match: { query: 'a', fields: Array(1_001).fill('dc:title') } } },
      'at most 1000 values',
    ],
    [{ aggs: { a: { terms: { field: 'dc:title', missing: 'x'.repeat(101) } } } }, 'at most 100 characters'],
    [{ highlight: { fields: { a: {} }, pre_tags: ['x'.repeat(101)] } }, 'at most 100 characters'],
    [{ query: { regexp: { 'dc:title': '((a{1,999}){1,999}){1,999}' } } }, ''],
    [{ _source: Array(1_001).fill('a') }, 'at most 1000 values'],
    [{ aggs: { a: { terms: { field: 'dc:title', script: 'doc' } } } }, 'scripts are not allowed'],
    [{ aggs: { a: { significant_terms: { field: 'dc:title' } } } }, 'significant_terms is not allowed'],
    [{ aggs: { a: { filter: { script: {} } } } }, 'the query script is not allowed'],
    [{ suggest: { a: { text: 'x' } } }, 'suggest: is not allowed'],
    [{ runtime_mappings: {} }, 'runtime_mappings: is not allowed'],
    [{ script_fields: {} }, 'script_fields: is not allowed'],
    [{ profile: true }, 'profile: is not allowed'],
    [{ explain: true }, 'explain: is not allowed'],
    [{ pit: { id: 'x' } }, 'pit: is not allowed'],
    [{ sort: { _script: { script: '1' } } }, 'scripts are not allowed'],
    [{ highlight: { fields: { a: {} }, highlight_query: { match_all: {} } } }, 'must be a plain value'],
    [{ size: 10_001 }, 'from 0 to 10000'],
  ])('%j is refused', async (body, message) => {
    for (const user of ['eva', 'Administrator']) {
      const { status, json } = await search(body, { user })
      expect([status, json.message]).toEqual([400, expect.stringContaining(message)])
    }
  })

  test.each(['other', 'nuxeo,other', '.security', '<nuxeo-{now}>', 'nuxeo*', '-nuxeo'])(
    'the index %s is refused',
    async (index) => {
      const { status, json } = await search(both, { index: encodeURIComponent(index) })
      expect([status, json.message]).toEqual([400, expect.stringContaining('Invalid index submitted')])
    },
  )

  test('words of hidden documents do not take the place of others that are near', async () => {
    const create = async (where: typeof folder, title: string): Promise<{ id: string }> => {
      const json = { 'entity-type': 'document', type: 'File', name: title, properties: { 'dc:title': title } }
      const created = await call('POST', `/api/v1/id/${where.id}`, { json })
      return { id: created.json.uid }
    }
    const own = await create(folder, 'quizzaz')
    await create(hidden.folder, 'quizzaciously')
    await follow()
    const asked = (query: object) =>
      search({ query: { bool: { must: [query], filter: [{ term: { _id: own.id } }] } } })
    const title = 'dc:title.fulltext'
    expect(idsOf(await asked({ fuzzy: { [title]: { value: 'quizzax', max_expansions: 1 } } }))).toEqual([
      own.id,
    ])
    expect(
      idsOf(await asked({ match: { [title]: { query: 'quizzax', fuzziness: 1, max_expansions: 1 } } })),
    ).toEqual([own.id])
    expect(idsOf(await asked({ match_bool_prefix: { [title]: 'quizza' } }))).toEqual([own.id])
    const phrase = { match_phrase_prefix: { [title]: { query: 'quizza', max_expansions: 1 } } }
    expect((await asked(phrase)).json.message).toContain('use match_bool_prefix')
    for (const name of ['x', 'term']) {
      const { status } = await search({ size: 0, aggs: { [name]: { filter: phrase } } })
      expect(status, name).toBe(400)
    }
    const several = { multi_match: { fields: [title], query: 'quizza', type: 'phrase_prefix' } }
    expect((await asked(several)).status).toBe(400)
    expect((await search({ query: phrase }, { user: 'Administrator' })).status).toBe(200)
  })

  test('other verbs, other addresses and what is no JSON are refused', async () => {
    expect((await call('DELETE', '/site/es/nuxeo/_search')).status).toBe(405)
    expect((await call('PUT', `/site/es/nuxeo/${file.id}`, { json: {} })).status).toBe(405)
    expect((await call('GET', '/site/es/nuxeo/_mapping')).status).toBe(404)
    expect((await call('GET', '/site/es/_search', { user: null })).status).toBe(401)
    const answer = await call('POST', '/site/es/nuxeo/_search', { body: 'x', user: 'eva' })
    expect([answer.status, answer.json.message]).toEqual([400, expect.stringContaining('Unable to read')])
    expect((await call('GET', '/site/es/nuxeo/_search?scroll=1m', { user: 'eva' })).status).toBe(400)
  })

  test('administrators search the audit, each entry once', async () => {
    const isAudited = () => {
      const params = { timeoutSecond: 0, waitForAudit: true }
      return run('Elasticsearch.WaitForIndexing', { params })
    }
    expect(await isAudited()).toMatchObject({ value: false })
    await writeAudit(platform, platform.database)
    expect(await isAudited()).toMatchObject({ value: false })
    const { stores } = platform.readSession(ADMINISTRATOR)
    const index = platform.auditIndexes.get('default')!
    for (const project of [createAuditProjection(index), createAuditProjection(index)])
      while (await project(stores.audit));
    expect(await isAudited()).toMatchObject({ value: true })
    const newest = await index.newest()
    const { total } = await stores.audit.find(undefined, { limit: 1, offset: 0, order: [] })
    const body = {
      query: { bool: { must: [{ term: { docUUID: file.id } }] } },
      aggs: { events: { terms: { field: 'eventId' } } },
      size: 1,
    }
    const { json } = await search(body, { index: 'audit', user: 'Administrator' })
    expect(json.hits.hits[0]._source).toMatchObject({ 'entity-type': 'logEntry', docUUID: file.id })
    expect(json.aggregations.events.buckets).toContainEqual({ key: 'documentCreated', doc_count: 1 })
    const all = await search({ track_total_hits: true }, { index: 'audit', user: 'Administrator' })
    expect(all.json.hits.total).toBe(total)
    expect(newest).toBeGreaterThan(0)
    const routing = await search({}, { index: 'audit_wf', user: 'Administrator' })
    expect(routing.json.hits.total).toBe(0)
    expect((await search(body, { index: 'audit' })).status).toBe(400)
  })

  test('audit_wf has the workflows of models whose figures somebody may see', async () => {
    const index = platform.auditIndexes.get('default')!
    const { stores } = platform.readSession(ADMINISTRATOR)
    const { entries } = await stores.audit.find(undefined, { limit: 1, offset: 0, order: [] })
    const entry = (id: number, category: string, modelName: string) => ({
      ...{ ...entries[0]!, id, category, eventId: 'afterWorkflowFinish', extended: { modelName } },
    })
    await index.write([
      entry(800_001, 'Routing', 'seen'),
      entry(800_002, 'Routing', 'unseen'),
      entry(800_003, 'other', 'seen'),
    ])
    await index.newest()
    const finished = async (user: string, body: object = {}) =>
      idsOf(await search(body, { index: 'audit_wf', user })).sort()
    expect(await finished('Administrator')).toEqual(['800001', '800002'])
    expect(await finished('eva')).toEqual([])
    const nodes = {
      a: { start: true, transitions: [{ name: 'go', targetId: 'b' }] },
      b: { stop: true },
    }
    await bench.deploy('routes', 'seen', { dataVisualization: ['eva'], nodes })
    await bench.deploy('routes', 'unseen', { dataVisualization: ['bob'], nodes })
    expect(await finished('eva')).toEqual(['800001'])
    const beyond = { query: { bool: { should: [{ match_all: {} }, { term: { category: 'other' } }] } } }
    expect(await finished('eva', beyond)).toEqual(['800001'])
    expect((await call('GET', '/site/es/audit_wf/800002', { user: 'eva' })).status).toBe(403)
    expect((await call('GET', '/site/es/audit_wf/800001', { user: 'eva' })).status).toBe(200)
  })

  test('entries of the audit whose values do not fit beside those of others are kept', async () => {
    const index = platform.auditIndexes.get('default')!
    const { stores } = platform.readSession(ADMINISTRATOR)
    const { entries } = await stores.audit.find(undefined, { limit: 1, offset: 0, order: [] })
    const [entry] = entries
    const ids = [900_001, 900_002, 900_003]
    const values: LogEntry['extended'][] = [
      { odd: 'text' },
      { odd: { a: 1 } },
      { odd: [1, 'x'], other: '{"a":[1]}' },
    ]
    await index.write(ids.map((id, position) => ({ ...entry!, id, extended: values[position]! })))
    expect(await index.newest()).toBe(ids.at(-1))
  })
})

import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { principalOf } from '../../../core/access/security/index.js'
import { parseNxql } from '../../../core/model/nxql/index.js'
import { sampleModel } from '../../../core/model/nxql/model.fixture.js'
import { applyFulltextRules } from '../../../storage/postgres/index.js'
import { compileNxql, compileRecords, type Statement } from '../../../storage/postgres/nxql/index.js'
import { createTestDatabase } from '../../support/index.js'
import { ALL_DOCUMENTS, idOf, insertDocuments } from '../support/nxql-documents.js'

const database = await createTestDatabase()
const sql = postgres(database.url, { max: 1, onnotice: () => undefined })
const model = sampleModel()
const scope = {
  model,
  principal: principalOf('Administrator', [], true),
  now: new Date('2020-01-11T08:30:00Z'),
}
const keys = new Map(ALL_DOCUMENTS.map(({ key }) => [idOf(key), key]))

beforeAll(async () => {
  await sql.begin((tx) => applyFulltextRules(tx, model.fulltext))
  await insertDocuments(sql)
})
afterAll(() => sql.end())

const run = ({ text, parameters }: Statement) => sql.unsafe(text, parameters as never[], { prepare: true })

const find = async (where: string): Promise<(string | undefined)[]> => {
  const plan = compileNxql(parseNxql(`SELECT * FROM Document WHERE ${where}`), scope)
  return (await run(plan.ids())).map(({ id }) => keys.get(id))
}

/** Rows by the operands as written, as the repository gives them. */
const rows = async (query: string, page = {}): Promise<Record<string, unknown>[]> => {
  const plan = compileRecords(parseNxql(query), scope)
  return (await run(plan.rows(page))).map((row) =>
    Object.fromEntries(plan.keys.map((key, position) => [key, row[`c${position}`]])),
  )
}

describe('tags, local ACLs, proxies and blobs', () => {
  test.each<[string, string[]]>([
    ["ecm:tag = 'blue'", ['a', 'b']],
    ["ecm:tag = 'blue' AND ecm:tag = 'red'", []],
    ["ecm:tag/* = 'blue' AND ecm:tag/* = 'red'", ['a']],
    ["ecm:tag/*1 = 'blue' AND ecm:tag/*1 = 'red'", []],
    ["ecm:tag/*1 = 'blue' AND ecm:tag/*2 = 'red'", ['a']],
    ["ecm:tag IN ('red', 'green')", ['a']],
    ["ecm:tag LIKE 'bl%' AND ecm:tag <> 'red'", ['a', 'b']],
    ["ecm:tag/* <> 'blue'", ['a']],
    ['ecm:tag IS NOT NULL', ['a', 'b']],
    ["ecm:tag IS NULL AND ecm:primaryType = 'Workspace'", ['ws', 'ws0']],
    ["ecm:acl/*/principal = 'ann'", ['ws', 'ws0']],
    ["ecm:acl/*1/principal = 'ann' AND ecm:acl/*1/permission = 'Write'", ['ws0']],
    ["ecm:acl/*/principal = 'ann' AND ecm:acl/*/permission = 'Write'", ['ws', 'ws0']],
    ['ecm:acl/*1/grant = 0', ['ws0']],
    ["ecm:acl/*1/name = 'workflow' AND ecm:acl/*1/creator = 'system'", ['ws0']],
    ['ecm:acl/*1/pos = 2', ['ws0']],
    ["ecm:acl/*1/begin > DATE '2025-01-01'", ['ws0']],
    ['ecm:acl/*1/end < NOW()', ['ws']],
    ['ecm:acl/*1/status = 2', ['ws']],
    ['ecm:acl/*1/status = 0', ['ws0']],
    ["ecm:acl/*1/principal = 'ann' AND ecm:acl/*1/status IS NULL", ['ws']],
    [`ecm:proxyTargetId = '${idOf('v1')}'`, ['c']],
    [`ecm:proxyVersionableId = '${idOf('a')}'`, ['c']],
    [`ecm:proxyTargetId <> '${idOf('b')}'`, ['c']],
    ["ecm:blobKeys = 'd1'", ['a']],
    ["ecm:blobKeys IN ('d1', 'd2')", ['a']],
    ["ecm:isRecord = 1 OR ecm:hasLegalHold = 1 OR ecm:retainUntil > DATE '2000-01-01'", []],
    ["ecm:currentLifeCycleState = 'deleted'", ['b']],
    ["s:people/*/tags/*1 = 'x'", ['a']],
  ])('%s', async (where, expected) => expect((await find(where)).toSorted()).toEqual(expected.toSorted()))

  test('what is trashed counts as deleted, and what is deleted as trashed', async () => {
    await sql`UPDATE documents SET is_trashed = true WHERE id = ${idOf('n00')}`
    await sql`UPDATE documents SET lifecycle_state = 'deleted' WHERE id = ${idOf('n01')}`
    for (const where of ['ecm:isTrashed = 1', "ecm:currentLifeCycleState = 'deleted'"])
      expect((await find(`${where} AND ecm:path STARTSWITH '/num'`)).toSorted()).toEqual(['n00', 'n01'])
    for (const where of ['ecm:isTrashed = 0', "ecm:currentLifeCycleState <> 'deleted'"])
      expect(await find(`${where} AND ecm:path STARTSWITH '/num'`)).toHaveLength(28)
    await sql`UPDATE documents SET is_trashed = false, lifecycle_state = 'project' WHERE path LIKE '/num/%'`
  })
})

describe('what is computed and compared', () => {
  test.each<[string, string[]]>([
    ['s:size + 1 = 3', ['n02']],
    ['s:size * 2 > 57 - 1', ['n29']],
    ['10 / s:size > 9', ['n01']],
    ['s:size / 0 = 1', []],
    ['s:size - s:size = 0 AND s:size < 1', ['n00']],
    ['s:people/*/age > s:people/0/age', ['a']],
    ['dc:title = dc:title AND s:size = 4', ['n04']],
    ['ecm:pos = s:size AND s:size < 2', ['n00', 'n01']],
    ['ecm:lockCreated < ecm:versionCreated', []],
  ])('%s', async (where, expected) => expect((await find(where)).toSorted()).toEqual(expected))
})

describe('words', () => {
  test.each<[string, string[]]>([
    ["ecm:fulltext = 'sugar'", ['a', 'b']],
    ["ecm:fulltext = 'SUGAR cane'", ['b']],
    ["ecm:fulltext = 'creme brulee'", ['a']],
    ["ecm:fulltext = 'Crème-brûlée'", ['a']],
    ["ecm:fulltext = 'strasse'", ['a']],
    ["ecm:fulltext = 'sugar -cane'", ['a']],
    ["ecm:fulltext = '-cane'", []],
    ["ecm:fulltext = ''", []],
    ["ecm:fulltext = '?!'", []],
    ["NOT ecm:fulltext = '-cane' AND ecm:name = 'b'", ['b']],
    ["ecm:fulltext = 'strasse OR cane'", ['a', 'b']],
    ['ecm:fulltext = \'"sugar of the"\'', ['a']],
    ['ecm:fulltext = \'"of sugar"\'', []],
    ["ecm:fulltext = 'sug*'", ['a', 'b']],
    ["ecm:fulltext LIKE 'sug%'", ['a', 'b']],
    ["ecm:fulltext = 'strasse brulee OR cane nothing'", ['a']],
    ["ecm:fulltext = 'cane -brulee OR strasse -brulee'", ['b']],
    ['ecm:fulltext = \'"with sug*"\'', ['a']],
    ['ecm:fulltext = \'"wit sug*"\'', []],
    ["ecm:fulltext = 'sug'", []],
    ['ecm:fulltext = \'"bergen town"\'', ['b']],
    ["ecm:fulltext = 'north'", []],
    ["ecm:fulltext = 'nbsp'", []],
    ["ecm:fulltext = 'pdf'", ['a']],
    ["ecm:fulltext = 'application'", []],
    ["ecm:fulltext = 'painting'", ['a']],
    ["ecm:fulltext = 'Oslo'", ['c']],
    ["ecm:fulltext_title = 'workspace'", ['ws', 'ws0']],
    ["ecm:fulltext_title = 'sugar'", []],
    ["ecm:fulltext_description = 'sugar'", ['a', 'b']],
    ["ecm:fulltext_description = 'cane -sugar'", []],
    ["ecm:fulltext.dc:title = 'works*'", ['ws', 'ws0']],
    ["ecm:fulltext.dc:subjects = 'PAINT'", ['a']],
    ["ecm:fulltext.s:address/city = 'sl'", ['c']],
    ["ecm:binarytext = 'anything'", []],
    ["NOT ecm:fulltext = 'sugar' AND ecm:path STARTSWITH '/ws'", ['c']],
    ["ecm:fulltext = 'sugar' AND ecm:isTrashed = 0", ['a']],
    ["ecm:fulltext = 'root'", []],
  ])('%s', async (where, expected) => expect((await find(where)).toSorted()).toEqual(expected))

  test('the better answer comes first when nothing else is asked for', async () => {
    await sql`UPDATE documents SET properties = properties || '{"dc:title": "cane"}' WHERE id = ${idOf('n07')}`
    expect(await find("ecm:fulltext = 'cane'")).toEqual(['n07', 'b'])
    expect(
      await rows("SELECT ecm:name, ecm:fulltextScore FROM Document WHERE ecm:fulltext = 'cane'"),
    ).toEqual([
      { 'ecm:name': 'n07', 'ecm:fulltextScore': expect.any(Number) },
      { 'ecm:name': 'b', 'ecm:fulltextScore': expect.any(Number) },
    ])
    expect(await find("ecm:fulltext = 'cane' ORDER BY ecm:fulltextScore")).toEqual(['b', 'n07'])
  })

  test('words follow every write in its transaction', async () => {
    const id = idOf('n08')
    const isFound = async (word: string) => (await find(`ecm:fulltext = '${word}'`)).includes('n08')
    await sql`UPDATE documents SET properties = properties || '{"dc:title": "zebra"}' WHERE id = ${id}`
    expect([await isFound('zebra'), await isFound('number')]).toEqual([true, false])
    await sql`UPDATE documents SET facets = '{NotFulltextIndexable}' WHERE id = ${id}`
    expect(await isFound('zebra')).toBe(false)
    await sql`UPDATE documents SET facets = '{}' WHERE id = ${id}`
    expect(await isFound('zebra')).toBe(true)
    const [before] = await sql`SELECT xmin FROM document_texts WHERE document_id = ${id}`
    await sql`UPDATE documents SET properties = properties || '{"s:size": 99}' WHERE id = ${id}`
    expect(await sql`SELECT xmin FROM document_texts WHERE document_id = ${id}`).toEqual([before])
    await sql`DELETE FROM documents WHERE id = ${id}`
    expect(await sql`SELECT FROM document_texts WHERE document_id = ${id}`).toHaveLength(0)
  })

  test.each([
    ['a long text', `${'word '.repeat(400_000)}`],
    ['a text of different words', Array.from({ length: 120_000 }, (_, i) => i.toString(36)).join(' ')],
    ['a word without end', 'x'.repeat(500_000)],
    ['markup that is left open', '<a '.repeat(100_000)],
    ['signs that fold into many', '㏂ ½ ﷺ ㍿ '.repeat(50_000)],
    ['control characters in a list', ['a\u0001b', 'line\nfeed', '"quoted"']],
  ])('%s is taken', async (_, text) => {
    const id = idOf('n09')
    const start = performance.now()
    const properties = { 'dc:title': text, 'dc:description': text, 'dc:subjects': [text].flat() }
    await sql`UPDATE documents SET properties = properties || ${sql.json(properties)} WHERE id = ${id}`
    expect(performance.now() - start).toBeLessThan(100_000)
  })

  test('changed rules reach what is stored', async () => {
    const changed = {
      ...model.fulltext,
      fields: model.fulltext.fields.filter(({ owner }) => owner !== 'type:Workspace'),
    }
    await sql.begin((tx) => applyFulltextRules(tx, changed))
    expect(await find("ecm:fulltext = 'workspace'")).toEqual([])
    await sql.begin((tx) => applyFulltextRules(tx, model.fulltext))
    expect((await find("ecm:fulltext = 'workspace'")).toSorted()).toEqual(['ws', 'ws0'])
  })
})

describe('rows', () => {
  const among = "WHERE ecm:name IN ('a', 'b', 'ws')"
  test.each<[string, Record<string, unknown>[]]>([
    [
      `SELECT ecm:name, dc:title FROM Document ${among} ORDER BY ecm:name`,
      [
        { 'ecm:name': 'a', 'dc:title': "It's" },
        { 'ecm:name': 'b', 'dc:title': 'ITS' },
        { 'ecm:name': 'ws', 'dc:title': 'Workspace' },
      ],
    ],
    [`SELECT * FROM Document WHERE ecm:name = 'a'`, [{ 'ecm:uuid': idOf('a') }]],
    [
      `SELECT dc:subjects, ecm:lockCreated, ecm:isTrashed, file:content/length FROM Document WHERE ecm:name = 'a'`,
      [
        {
          'dc:subjects': ['art/painting', 'science'],
          'ecm:lockCreated': '2020-05-01T10:00:00.000Z',
          'ecm:isTrashed': false,
          'file:content/length': 1000,
        },
      ],
    ],
    [
      `SELECT ecm:name, dc:subjects/* FROM Document ${among} ORDER BY ecm:name`,
      [
        { 'ecm:name': 'a', 'dc:subjects/*': 'art/painting' },
        { 'ecm:name': 'a', 'dc:subjects/*': 'science' },
        { 'ecm:name': 'b', 'dc:subjects/*': 'arts' },
        { 'ecm:name': 'ws', 'dc:subjects/*': null },
      ],
    ],
    [
      'SELECT s:people/*1/name FROM File WHERE s:people/*1/age > 30 ORDER BY s:people/*1/name',
      [{ 's:people/*1/name': 'Ann' }, { 's:people/*1/name': 'Bob' }],
    ],
    [
      'SELECT ecm:tag FROM File WHERE ecm:tag IS NOT NULL ORDER BY ecm:tag',
      [{ 'ecm:tag': 'blue' }, { 'ecm:tag': 'blue' }, { 'ecm:tag': 'red' }],
    ],
    [
      'SELECT DISTINCT ecm:tag FROM File WHERE ecm:tag IS NOT NULL ORDER BY ecm:tag DESC',
      [{ 'ecm:tag': 'red' }, { 'ecm:tag': 'blue' }],
    ],
    [
      "SELECT ecm:acl/*1/principal FROM Document WHERE ecm:acl/*1/permission = 'Write' ORDER BY ecm:acl/*1/principal",
      [{ 'ecm:acl/*1/principal': 'ann' }, { 'ecm:acl/*1/principal': 'bob' }],
    ],
    [
      'SELECT DISTINCT ecm:primaryType FROM Folder',
      [{ 'ecm:primaryType': 'Folder' }, { 'ecm:primaryType': 'Root' }, { 'ecm:primaryType': 'Workspace' }],
    ],
    [
      'SELECT COUNT(ecm:uuid), SUM(s:size), AVG(s:size), MIN(s:size), MAX(dc:created) FROM File WHERE s:size BETWEEN 1 AND 2',
      [
        {
          'COUNT(ecm:uuid)': 2,
          'SUM(s:size)': 3,
          'AVG(s:size)': 1.5,
          'MIN(s:size)': 1,
          'MAX(dc:created)': '2020-01-03T08:30:00.000Z',
        },
      ],
    ],
    [
      "SELECT COUNT(ecm:uuid), SUM(s:size), AVG(s:size), MIN(dc:title), MAX(ecm:lockCreated) FROM File WHERE ecm:name = 'none'",
      [
        {
          'COUNT(ecm:uuid)': 0,
          'SUM(s:size)': null,
          'AVG(s:size)': null,
          'MIN(dc:title)': null,
          'MAX(ecm:lockCreated)': null,
        },
      ],
    ],
    [
      "SELECT COUNT(s:score), COUNT(dc:title) FROM Document WHERE ecm:name IN ('a', 'c')",
      [{ 'COUNT(s:score)': 0, 'COUNT(dc:title)': 1 }],
    ],
    [
      "SELECT COUNT(dc:subjects/*), MIN(ecm:uuid) FROM File WHERE ecm:path STARTSWITH '/ws'",
      [{ 'COUNT(dc:subjects/*)': 3, 'MIN(ecm:uuid)': idOf('a') }],
    ],
  ])('%s', async (query, expected) => expect(await rows(query)).toEqual(expected))

  test('pages put together are the whole, without gap or overlap', async () => {
    for (const query of [
      'SELECT dc:subjects/* FROM Document',
      'SELECT DISTINCT s:flag, ecm:primaryType FROM Document',
    ]) {
      const whole = await rows(query)
      const pages = []
      for (let offset = 0; offset < whole.length; offset += 3)
        pages.push(...(await rows(query, { limit: 3, offset })))
      expect(pages).toEqual(whole)
      expect(await run(compileRecords(parseNxql(query), scope).count())).toEqual([
        { count: String(whole.length) },
      ])
    }
  })
})

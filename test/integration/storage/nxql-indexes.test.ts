import { beforeAll, describe, expect, test } from 'vitest'
import { principalOf } from '../../../core/access/security/index.js'
import { parseNxql } from '../../../core/model/nxql/index.js'
import { ALL_DOCUMENTS, idOf, insertSample } from '../../../storage/contract/queries/index.js'
import { CONTRACT_RULES } from '../../../storage/contract/rules/index.js'
import { applyFulltextRules } from '../../../storage/postgres/index.js'
import { compileNxql, type Statement } from '../../../storage/postgres/nxql/index.js'
import { openContentOn, openDatabase } from './contract/postgres.js'

const database = await openDatabase()
const { sql } = database
const { model } = CONTRACT_RULES
const backend = await openContentOn(database, CONTRACT_RULES)
const administrator = principalOf('Administrator', [], true)
const scope = { model, principal: administrator, now: new Date('2020-01-11T08:30:00.000Z') }
const keys = new Map(ALL_DOCUMENTS.map(({ key }) => [idOf(key), key]))

beforeAll(() => insertSample(backend))

const plan = (text: string) => compileNxql(parseNxql(text), scope)

const find = async (where: string): Promise<(string | undefined)[]> => {
  const query = parseNxql(`SELECT * FROM Document WHERE ${where}`)
  return (await backend.reading(administrator).queries.ids(query, scope, 100)).map((id) => keys.get(id))
}

/** The plan of a statement. Fifty rows are read faster without an index: the planner is made to look for one. */
const explained = ({ text, parameters }: Statement, ...off: string[]): Promise<string> =>
  database.transaction(async (tx) => {
    for (const setting of off) await tx.unsafe(`SET LOCAL ${setting} = off`)
    const lines = await tx.unsafe<{ 'QUERY PLAN': string }[]>(`EXPLAIN ${text}`, parameters as never[])
    return lines.map((line) => line['QUERY PLAN']).join('\n')
  })

describe('indexes', () => {
  test.each([
    ["ecm:path STARTSWITH '/ws'", 'documents_path'],
    ["ecm:path = '/ws'", 'documents_path'],
    [`ecm:ancestorId = '${idOf('ws')}'`, 'documents_path'],
    [`ecm:parentId = '${idOf('ws')}'`, 'documents_(parent|children)'],
    [`ecm:uuid IN ('${idOf('ws')}', '${idOf('a')}')`, 'documents_pkey'],
    [`ecm:versionVersionableId = '${idOf('a')}'`, 'documents_series'],
    ["dc:title = 'ITS'", 'documents_properties'],
    ["dc:subjects = 'science' AND s:people/*1/age > 3", 'documents_properties'],
    ["dc:title IN ('ITS', 'Workspace')", 'documents_properties'],
    ["files:files/*/file/name = 'b2.txt'", 'documents_properties'],
    ["ecm:tag = 'red'", 'documents_properties'],
    ["dc:title LIKE 'Work%'", 'documents_title'],
    ["dc:modified > DATE '2030-01-01'", 'documents_modified'],
    ["ecm:currentLifeCycleState = 'project' AND ecm:primaryType = 'File'", 'documents_type'],
    ["ecm:currentLifeCycleState = 'deleted'", 'documents_trashed'],
    ['ecm:isTrashed = 1', 'documents_trashed'],
    ["ecm:fulltext = 'word'", 'document_texts_words'],
    ["ecm:fulltext_title = 'wor*'", 'document_texts_words'],
    ["ecm:acl/*/principal = 'ann'", 'document_acls_username'],
    ["ecm:acl/*1/principal = 'ann' AND ecm:acl/*1/grant = 1", 'document_acls_username'],
    [`ecm:proxyTargetId = '${idOf('a')}'`, 'documents_proxy_target'],
  ])('%s is answered by %s', async (where, index) => {
    const { text, parameters } = plan(`SELECT * FROM Document WHERE ${where}`).count()
    const lines = await explained({ text, parameters }, 'enable_seqscan')
    expect(lines).toMatch(new RegExp(`using ${index}|on ${index}`))
  })

  test.each([
    ['dc:modified DESC', 'documents_modified'],
    ['dc:title', 'documents_title'],
  ])('ORDER BY %s takes the first from %s', async (order, index) => {
    const { text, parameters } = plan(`SELECT * FROM File ORDER BY ${order}`).rows({ limit: 5 })
    const lines = await explained({ text, parameters }, 'enable_seqscan', 'enable_sort')
    expect(lines).toContain(index)
  })
})

/** The pages of the database that a statement looks at. */
const pagesRead = async ({ text, parameters }: Statement): Promise<number> => {
  const [row] = await database.transaction(async (tx) => {
    await tx`SET LOCAL enable_seqscan = off`
    return tx.unsafe<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }[]>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
      parameters as never[],
    )
  })
  const { 'Shared Hit Blocks': hit = 0, 'Shared Read Blocks': read = 0 } = row?.['QUERY PLAN'][0]?.Plan ?? {}
  return hit + read
}

test('an equality reads as little right after a burst of writes', async () => {
  const statement = plan("SELECT * FROM Document WHERE dc:title = 'ITS'").ids()
  const before = await pagesRead(statement)
  await sql`
    INSERT INTO documents (id, name, type, scope_id, properties)
    SELECT gen_random_uuid(), 'n' || n, 'File', 0, jsonb_build_object('dc:title', 'burst ' || n, 'dc:subjects',
      (SELECT jsonb_agg(n || '/' || k) FROM generate_series(1, 50) AS k))
    FROM generate_series(1, 1000) AS n`
  const after = await pagesRead(statement)
  await sql`DELETE FROM documents WHERE properties ->> 'dc:title' LIKE 'burst %'`
  expect(after).toBeLessThan(before + 20)
})

test('a page of children by title is read in order, whatever else the folder has', async () => {
  const { rows } = plan(`SELECT * FROM Document WHERE ecm:parentId = '${idOf('ws')}' ORDER BY dc:title`)
  const lines = await explained(rows({ limit: 5 }), 'enable_seqscan', 'enable_sort')
  expect(lines).toMatch(/Presorted Key.*documents_children/s)
})

describe('words', () => {
  test('are written with each change of a text, and with no other', async () => {
    const id = idOf('n08')
    await sql`UPDATE documents SET properties = properties || '{"dc:title": "zebra"}' WHERE id = ${id}`
    expect(await find("ecm:fulltext = 'zebra'")).toEqual(['n08'])
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
    await database.transaction((tx) => applyFulltextRules(tx, changed))
    expect(await find("ecm:fulltext = 'workspace'")).toEqual([])
    await database.transaction((tx) => applyFulltextRules(tx, model.fulltext))
    expect((await find("ecm:fulltext = 'workspace'")).toSorted()).toEqual(['ws', 'ws0'])
  })
})

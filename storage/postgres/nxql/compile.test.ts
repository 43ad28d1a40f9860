import { describe, expect, test } from 'vitest'
import { principalOf } from '../../../core/access/security/index.js'
import { RECORD_COLUMNS, readableOneByOne, readableText } from '../rows/index.js'
import { condition, ID, plan } from './compile.fixture.js'

describe('types', () => {
  test.each([
    ['File', 'd.type = ANY($1::text[])', ['File']],
    ['Folder', 'd.type = ANY($1::text[])', ['Folder', 'Workspace', 'Root']],
    ['Folder, File, Workspace', 'd.type = ANY($1::text[])', ['Folder', 'Workspace', 'Root', 'File']],
    ['document', 'd.type <> ALL($1::text[])', ['Root', 'Relation', 'DefaultRelation']],
    ['Document, Relation', 'd.type <> ALL($1::text[])', ['Root']],
  ])('FROM %s', (from, sql, names) => {
    const { text, parameters } = plan(`SELECT * FROM ${from}`).rows()
    expect(text).toBe(`SELECT ${RECORD_COLUMNS} FROM documents d WHERE ${sql} ORDER BY d.id`)
    expect(parameters).toEqual([names])
  })
})

describe('the statements of a plan', () => {
  const query = plan(
    'SELECT ecm:uuid FROM File ORDER BY dc:title DESC, ecm:path, file:content/length LIMIT 5 OFFSET 2',
  )
  const from = 'FROM documents d WHERE d.type = ANY($1::text[])'
  const length =
    "(CASE jsonb_typeof((d.properties->'file:content'->'length')) WHEN 'number' THEN (d.properties->'file:content'->'length')::numeric WHEN 'string' THEN substring((d.properties->'file:content'->>'length'), '^-?[1-9][0-9]{15,18}$')::numeric END)"
  const title = `left(d.properties ->> 'dc:title', 200) COLLATE "C" DESC, (d.properties->>'dc:title') COLLATE "C" DESC`
  const order = `ORDER BY ${title}, d.path, ${length}, d.id`

  test('a page given by the caller wins over the one of the query', () => {
    expect(query.rows({ limit: 50, offset: 100 })).toEqual({
      text: `SELECT ${RECORD_COLUMNS} ${from} ${order} LIMIT $2::bigint OFFSET $3::bigint`,
      parameters: [['File'], 50, 100],
    })
    expect(query.ids()).toEqual({
      text: `SELECT d.id ${from} ${order} LIMIT $2::bigint OFFSET $3::bigint`,
      parameters: [['File'], 5, 2],
    })
  })

  test('a page far behind the first is read by its ids', () => {
    const ids = `SELECT d.id ${from} ${order} LIMIT $2::bigint OFFSET $3::bigint`
    expect(query.rows({ limit: 50, offset: 5_000 })).toEqual({
      text: `SELECT ${RECORD_COLUMNS} FROM documents d WHERE d.id = ANY (ARRAY(${ids})) ${order}`,
      parameters: [['File'], 50, 5_000],
    })
  })

  test('a page is read from the end, nulls included, and given in the order of the query', () => {
    const backwards = `ORDER BY ${title.replaceAll(' DESC', '')}, d.path DESC, ${length} DESC, d.id DESC`
    const ids = `SELECT d.id ${from} ${backwards} LIMIT $2::bigint OFFSET $3::bigint`
    expect(query.lastRows({ limit: 50, offset: 20 })).toEqual({
      text: `SELECT ${RECORD_COLUMNS} FROM documents d WHERE d.id = ANY (ARRAY(${ids})) ${order}`,
      parameters: [['File'], 50, 20],
    })
  })

  test('counting', () => {
    expect(query.count()).toEqual({ text: `SELECT count(*) AS count ${from}`, parameters: [['File']] })
    expect(query.count(11)).toEqual({
      text: `SELECT count(*) AS count FROM (SELECT 1 ${from} LIMIT $2::bigint) AS counted`,
      parameters: [['File'], 11],
    })
  })

  test('the read rights of all but administrators are part of each', () => {
    const user = principalOf('ann', ['staff'], false)
    const secured = plan("SELECT * FROM Document WHERE ecm:name = 'a' OR ecm:name = 'b'", user)
    for (const { text, parameters } of [secured.rows(), secured.ids(), secured.count(), secured.count(1)]) {
      expect(text).toContain(
        ` AND (d.name = $2::text OR d.name = $3::text) AND ${readableText('$4::text[]')}`,
      )
      expect(parameters[3]).toEqual(['ann', 'staff', 'Everyone'])
    }
  })
})

test('the scopes of who may browse much filter, and are no way to find documents', () => {
  const ann = principalOf('ann', [], false)
  const { text } = plan('SELECT * FROM Document', ann, { isWide: true }).ids()
  expect(text).toContain(` AND ${readableText('$2::text[]', true)} ORDER BY`)
  expect(text).not.toContain('scope_id = ANY')
})

test.each([true, false])(
  'scopes that were gathered are sent, with what shows that they hold (wide: %s)',
  (isWide) => {
    const ann = principalOf('ann', [], false)
    const gathered = { scopes: '{1,2}', mark: '7', since: '2020-01-01', until: 'infinity' }
    const { text, parameters } = plan('SELECT * FROM Document', ann, { isWide, gathered }).ids()
    const sent = '$3::text, $4::text, $5::text::timestamptz, $6::text::timestamptz'
    const scopes = `archivolt_readable_scopes($2::text[], ${sent})`
    expect(text).toContain(` AND ${readableText('$2::text[]', isWide, scopes)} ORDER BY`)
    expect(parameters.slice(1, 6)).toEqual([['ann', 'Everyone'], '{1,2}', '7', '2020-01-01', 'infinity'])
  },
)

describe('the rights of few documents are looked up one by one', () => {
  const ann = principalOf('ann', [], false)
  const other = '00000000-0000-4000-8000-000000000002'
  const conditionsFor = (where: string, isWide = false): string =>
    plan(`SELECT * FROM Document WHERE ${where}`, ann, { isWide }).ids().text
  const oneByOne = (text: string, parameter: number) =>
    text.includes(readableOneByOne(`$${parameter}::text[]`))

  test.each([
    `ecm:uuid = '${ID}'`,
    `'${ID}' = ecm:uuid`,
    `ecm:uuid IN ('${ID}', '${other}')`,
    `dc:title IS NOT NULL AND ecm:uuid = '${ID}'`,
    `ecm:parentId = '${other}' AND ecm:uuid = '${ID}'`,
  ])('%s', (where) => {
    const parameter = where.includes('parentId') ? 4 : 3
    expect(oneByOne(conditionsFor(where), parameter)).toBe(true)
    expect(oneByOne(conditionsFor(where, true), parameter)).toBe(true)
    expect(conditionsFor(where)).not.toContain('archivolt_readable_scopes')
  })

  test.each([
    `ecm:uuid <> '${ID}'`,
    `ecm:uuid NOT IN ('${ID}', '${other}')`,
    `NOT ecm:uuid = '${ID}'`,
    `ecm:uuid = '${ID}' OR dc:title = 'a'`,
    `ecm:uuid IN (${Array.from({ length: 201 }, () => `'${ID}'`).join(', ')})`,
    `ecm:parentId <> '${ID}'`,
    `ecm:parentId = 'x'`,
  ])('but not %#: %s', (where) => {
    expect(conditionsFor(where)).toContain('archivolt_readable_scopes')
    expect(conditionsFor(where)).not.toContain('WHEN a.is_plain')
  })

  test('children, where the statement finds that they are few', () => {
    const { text, parameters } = plan(`SELECT * FROM Document WHERE ecm:parentId = '${ID}'`, ann).ids()
    expect(text).toContain('c.parent_id = $4::uuid LIMIT 201')
    expect(parameters).toEqual([expect.any(Array), ID, ['ann', 'Everyone'], ID])
  })
})

describe('what a caller writes never reaches the text of a statement', () => {
  const EVIL = `x'); DROP TABLE documents; -- $1 {"a":1}`
  const literal = `"${EVIL.replaceAll('"', '\\"')}"`
  test.each([
    `dc:title = ${literal}`,
    `dc:title <> ${literal}`,
    `dc:title IN (${literal}, ${literal})`,
    `dc:title NOT BETWEEN ${literal} AND ${literal}`,
    `dc:title LIKE ${literal}`,
    `dc:title STARTSWITH ${literal}`,
    `dc:subjects <> ${literal}`,
    `dc:subjects/*1 = ${literal}`,
    `ecm:name = ${literal}`,
    `ecm:uuid <> ${literal}`,
    `ecm:path = ${literal}`,
    `ecm:path STARTSWITH "/${literal.slice(1)}`,
    `ecm:mixinType = ${literal}`,
    `ecm:ancestorId = ${literal}`,
  ])('%s', (where) => expect(condition(where)[0]).not.toMatch(/DROP|"a"/))
})

describe('alternatives for one property', () => {
  test.each([
    [
      "dc:title = 'a' OR s:size = 3 OR dc:title IN ('b', 'c') OR dc:title = 'd' OR dc:title <> 'e'",
      "dc:title IN ('a', 'b', 'c', 'd') OR s:size = 3 OR dc:title <> 'e'",
    ],
    ["dc:title = 'a' OR dc:title = 'b' OR s:size = 1", "dc:title IN ('a', 'b') OR s:size = 1"],
  ])('%s is asked once', (long, short) => {
    expect(condition(long)).toEqual(condition(short))
  })

  test.each([
    ["NOT (dc:title = 'a' OR dc:title = 'b')"],
    ["dc:title = 'a' AND dc:title = 'b'"],
    ["dc:subjects/* = 'a' OR dc:subjects/* = 'b'"],
    ["ecm:name = 'a' OR ecm:name = 'b'"],
  ])('%s stays as it is', (where) => {
    expect(condition(where)).toHaveLength(3)
  })
})

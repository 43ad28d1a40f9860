import { describe, expect, test } from 'vitest'
import { principalOf } from '../../security/index.js'
import { condition, plan } from './compile.fixture.js'
import { RECORD_COLUMNS } from './record-columns.js'
import { readableText } from './security.js'

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
    "(CASE jsonb_typeof((d.properties->'file:content'->'length')) WHEN 'number' THEN (d.properties->'file:content'->'length')::numeric END)"
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
  const { text } = plan('SELECT * FROM Document', ann, true).ids()
  expect(text).toContain(` AND ${readableText('$2::text[]', true)} ORDER BY`)
  expect(text).not.toContain('scope_id = ANY')
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

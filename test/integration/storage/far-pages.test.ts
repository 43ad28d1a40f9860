import { describe, expect, test } from 'vitest'
import { principalOf, SYSTEM } from '../../../core/access/security/index.js'
import { createDocument, queryDocuments } from '../../../core/content/documents/index.js'
import { createTestPlatform } from '../../support/platform.js'

const { platform } = await createTestPlatform()
const { sql } = platform.database

const COUNT = 23_000

/** Titles twice each, three thousand that are the same, and some that are missing. */
const folder = await platform.withSession(SYSTEM, (session) =>
  createDocument(session, { parent: '/', name: 'far', type: 'Folder' }),
)
await sql`
  INSERT INTO documents (id, parent_id, name, path, type, lifecycle_state, scope_id, properties)
  SELECT gen_random_uuid(), ${folder.id}, 'c-' || i, '/far/c-' || i, 'File', 'project', f.scope_id,
    CASE WHEN i >= 22900 THEN '{}'
      WHEN i % 4 = 0 THEN jsonb_build_object('dc:title', 'same')
      ELSE jsonb_build_object('dc:title', 't' || lpad((i * 7 % ${COUNT}::int / 2)::text, 6, '0')) END
  FROM generate_series(0, ${COUNT}::int - 1) i, documents f WHERE f.id = ${folder.id}`
await sql`ANALYZE documents`

const NXQL = `SELECT * FROM Document WHERE ecm:parentId = '${folder.id}' ORDER BY dc:title`
const LIMIT = 70

const idsOf = async (order: '' | ' DESC', offset: number, principal = SYSTEM): Promise<string[]> => {
  const paging = { offset, pageSize: LIMIT, maxResults: 2_000 }
  const { entries } = await queryDocuments(platform.readSession(principal), NXQL + order, paging)
  return entries.map(({ id }) => id)
}

const expected = async (order: '' | ' DESC', offset: number): Promise<string[]> => {
  const rows = await sql.unsafe<{ id: string }[]>(
    `SELECT id FROM documents WHERE parent_id = $1 ORDER BY (properties ->> 'dc:title') COLLATE "C"${order}, id
     LIMIT ${LIMIT} OFFSET ${offset}`,
    [folder.id],
  )
  return rows.map(({ id }) => id)
}

describe.each(['', ' DESC'] as const)('pages far behind the first, by title%s', (order) => {
  test.each([19_999, 20_000, 20_050, 21_111, 22_850, 22_899, 22_960, 22_999, 23_000, 40_000])(
    'are those that reading from the first one gives: %i',
    async (offset) => {
      expect(await idsOf(order, offset)).toEqual(await expected(order, offset))
    },
  )
})

test('what is removed is not shown, and nobody sees by them what is hidden', async () => {
  const [id] = await idsOf('', 21_000)
  await sql`DELETE FROM documents WHERE id = ${id!}`
  expect(await idsOf('', 21_000)).not.toContain(id)
  expect(await idsOf('', 21_000, principalOf('nobody', [], false))).toEqual([])
})

test('a transaction reads from the first one on, as it sees what it has written', async () => {
  const first = (await idsOf('', 20_500)).at(0)
  await platform.withSession(SYSTEM, async (session) => {
    const properties = { 'dc:title': 'a first one' }
    await createDocument(session, { parent: '/far', name: 'first', type: 'File', properties })
    const paging = { offset: 20_501, pageSize: LIMIT, maxResults: 2_000 }
    expect((await queryDocuments(session, NXQL, paging)).entries.at(0)?.id).toBe(first)
  })
})

import { afterAll, beforeEach, expect, test } from 'vitest'
import type { Ace, Principal } from '../../../core/access/security/index.js'
import {
  createDocument,
  getDocument,
  moveDocument,
  setAcls,
  setFirstAcls,
} from '../../../core/content/documents/index.js'
import type { DocumentRecord } from '../../../core/model/properties/index.js'
import { ADMINISTRATOR, ANN, createOperationBench } from '../support/operations-support.js'

const { platform, close, create, read, workspace } = await createOperationBench()
afterAll(close)

let folder: DocumentRecord

/** A folder that says alone who may do what in it. */
beforeEach(async () => {
  folder = await workspace()
  await set(folder, [
    { username: 'ann', permission: 'Everything', granted: true },
    { username: 'Everyone', permission: 'Everything', granted: false },
  ])
})

const entries = (count: number, name = 'u'): Ace[] =>
  Array.from({ length: count }, (_, i) => ({ username: `${name}${i}`, permission: 'Read', granted: true }))

const set = ({ id }: { id: string }, aces: Ace[], as: Principal = ADMINISTRATOR) =>
  platform.withSession(as, async (session) =>
    setAcls(session, await getDocument(session, id), [{ name: 'local', aces }]),
  )

const inForce = async ({ id }: { id: string }) => {
  const { stores } = platform.readSession(ADMINISTRATOR)
  return (await stores.acls.effective((await read(id)).aclId)).length
}

const refused = (message: RegExp) =>
  expect.objectContaining({ code: 'badRequest', message: expect.stringMatching(message) })

test('what is in force has two thousand entries at most, for administrators too', async () => {
  const [a, b, c] = [
    await create(folder.path!, 'Folder', 'a'),
    await create(`${folder.path}/a`, 'Folder', 'b'),
    await create(`${folder.path}/a/b`, 'Folder', 'c'),
  ]
  await set(a, entries(1_000))
  await set(b, entries(900))
  expect(await inForce(b)).toBe(1_902)
  await set(c, entries(98))
  expect(await inForce(c)).toBe(2_000)
  await expect(set(c, entries(99))).rejects.toEqual(refused(/^\/.*\/a\/b\/c would have 2001 entries/))
  // What is below counts, however far; whoever changes what is above need not see what it is.
  await expect(set(b, entries(901), ANN)).rejects.toEqual(
    refused(/^Here or below, a document would have 2001 entries/),
  )
  expect(await inForce(c)).toBe(2_000)
  // No user keeps an administrator from adding entries above, by as many as there may be below.
  await set(b, entries(998))
  expect([await inForce(b), await inForce(c)]).toEqual([2_000, 2_098])
  await expect(set(c, entries(99))).rejects.toEqual(refused(/c would have 2099 entries/))
  // Nothing is inherited past a block.
  await set(b, [{ username: 'Everyone', permission: 'Everything', granted: false }])
  expect([await inForce(b), await inForce(c)]).toEqual([1, 99])
})

test('a move puts nothing below entries that would be too many', async () => {
  const to = await create(folder.path!, 'Folder', 'to')
  const from = await create(folder.path!, 'Folder', 'from')
  const below = await create(from.path!, 'Folder', 'below')
  const deep = await create(below.path!, 'Folder', 'deep')
  await set(to, entries(1_000))
  await set(below, entries(600))
  await set(deep, entries(399))
  const move = () =>
    platform.withSession(ANN, async (session) =>
      moveDocument(session, await getDocument(session, from.id), { target: to.id }),
    )
  await expect(move()).rejects.toEqual(refused(/would have 2001 entries/))
  expect((await read(deep.id)).path).toBe(deep.path)
  await set(deep, entries(398))
  await move()
  expect(await inForce(deep)).toBe(2_000)
})

test('the first entries of a new document count', async () => {
  const a = await create(folder.path!, 'Folder', 'a')
  const b = await create(a.path!, 'Folder', 'b')
  await set(a, entries(1_000))
  await set(b, entries(998))
  const first = (name: string, count: number) =>
    platform.withSession(ADMINISTRATOR, async (session) => {
      const parent = await getDocument(session, b.id)
      const created = await createDocument(session, { parent: parent.id, name, type: 'Note' })
      return setFirstAcls(session, created, [{ name: 'local', aces: entries(count) }])
    })
  await expect(first('note', 1)).rejects.toEqual(refused(/note would have 2001 entries/))
})

test('what had more before there was a limit may get fewer, and no more', async () => {
  const a = await create(folder.path!, 'Folder', 'a')
  const b = await create(a.path!, 'Folder', 'b')
  const c = await create(b.path!, 'Folder', 'c')
  const { sql } = platform.database
  await set(a, entries(1_000))
  await set(b, entries(998))
  await sql`
    INSERT INTO document_acls SELECT (jsonb_populate_record(e, jsonb_build_object('username', 'v' || n, 'position', 2000 + n))).*
    FROM document_acls e, generate_series(1, 1_000) AS n WHERE e.document_id = ${b.id} AND e.position = 1`
  const old = entries(3_000)
  const [{ id }] = (await sql`
    INSERT INTO acls (fingerprint, entries, browsers, is_plain, reads_versions, browsing)
    SELECT 'old', ${sql.json(old as never)}, '{}', true, false, browsing FROM acls LIMIT 1 RETURNING id`) as [
    { id: number },
  ]
  await sql`UPDATE acl_scopes SET acl_id = ${id} WHERE document_id = ${b.id}`
  // 2,999 are fewer than the 3,000 that there were.
  await set(a, entries(999))
  expect(await inForce(b)).toBe(2_999)
  await expect(set(a, entries(1_000), ANN)).rejects.toEqual(refused(/would have 3000 entries/))
  await expect(set(c, entries(1))).rejects.toEqual(refused(/c would have 3000 entries/))
  await set(b, entries(998))
  await set(c, entries(1))
  expect(await inForce(c)).toBe(2_000)
})

test('one change of a user computes a hundred thousand entries at most', async () => {
  const a = await create(folder.path!, 'Folder', 'a')
  await set(a, entries(990))
  const below = Array.from({ length: 60 }, (_, index) => `n${index}`)
  for (const name of below) await set(await create(a.path!, 'Note', name), entries(1, name))
  const wanted = [...entries(100), ...entries(890, 'other')]
  // 60 documents with 993 entries each are no matter.
  await set(a, wanted, ANN)
  const { sql } = platform.database
  await sql`
    INSERT INTO document_acls SELECT (jsonb_populate_record(e, jsonb_build_object('username', 'v' || n, 'position', 2000 + n))).*
    FROM document_acls e, generate_series(1, 900) AS n
    WHERE e.position = 1 AND e.document_id IN (SELECT id FROM documents WHERE parent_id = ${a.id})`
  await expect(set(a, entries(990), ANN)).rejects.toEqual(refused(/have more than 100000 entries/))
  expect(await inForce(await read(`${a.path}/n1`))).toBe(993)
})

test('long ACLs with dates have a common limit for users, and short ones none', async () => {
  const begin = new Date(Date.now() + 86_400_000).toISOString()
  const dated = (count: number, name: string) => entries(count, name).map((ace) => ({ ...ace, begin }))
  const a = await create(folder.path!, 'Folder', 'a')
  const b = await create(a.path!, 'Folder', 'b')
  await set(a, dated(1_000, 'v'))
  await set(b, dated(980, 'w'))
  const notes: DocumentRecord[] = []
  for (let n = 0; n < 49; n++) notes.push(await create(b.path!, 'Note', `n${n}`))
  // Two ACLs have 1,002 and 1,982 entries in force, and each of these 1,983.
  for (const note of notes.slice(0, 47)) await set(note, entries(1, note.name), ANN)
  const [last, spare] = notes.slice(47) as [DocumentRecord, DocumentRecord]
  const tooMany = refused(/dates or denials would have more than 100000 entries in the whole repository/)
  await set(last, entries(1, 'last'), ANN)
  await expect(set(spare, entries(1, 'spare'), ANN)).rejects.toEqual(tooMany)
  await expect(
    platform.withSession(ANN, async (session) => {
      const created = await createDocument(session, { parent: b.id, name: 'first', type: 'Note' })
      return setFirstAcls(session, created, [{ name: 'local', aces: entries(1, 'first') }])
    }),
  ).rejects.toEqual(tooMany)
  // Fewer are no matter, short ones neither, and administrators are bound by no common limit.
  await set(last, [], ANN)
  await set(spare, entries(1, 'spare'))
  await set(last, entries(1, 'last'))
  await set(
    spare,
    [{ username: 'Everyone', permission: 'Everything', granted: false }, ...dated(1, 'x')],
    ANN,
  )
  await set(await create(folder.path!, 'Note', 'short'), dated(40, 'short'), ANN)
})

import { describe, expect, test } from 'vitest'
import { EVERYONE, EVERYTHING, principalOf, SYSTEM } from '../../../core/access/security/index.js'
import {
  createDocument,
  getDocument,
  queryDocuments,
  removeDocument,
  setAcls,
} from '../../../core/content/documents/index.js'
import { parseNxql } from '../../../core/model/nxql/index.js'
import { compileNxql } from '../../../storage/postgres/nxql/index.js'
import { createReach, createScopesGathered } from '../../../storage/postgres/queries/index.js'
import { createTestPlatform } from '../../support/platform.js'
import { soon } from '../../support/soon.js'

const { platform } = await createTestPlatform()

const folderFor = (name: string, username: string, count: number) =>
  platform.withSession(SYSTEM, async (session) => {
    const folder = await createDocument(session, { parent: '/', name, type: 'Folder' })
    await setAcls(session, await getDocument(session, folder.id), [
      {
        name: 'local',
        aces: [
          { username, permission: 'Read', granted: true },
          { username: EVERYONE, permission: EVERYTHING, granted: false },
        ],
      },
    ])
    for (let index = 0; index < count; index++)
      await createDocument(session, { parent: folder.path ?? '', name: `d-${index}`, type: 'File' })
  })

const { sql } = platform.database
const reachOf = createReach(sql, { reaches: new Map(), gathered: createScopesGathered(sql).gather })

const reader = (name: string) => platform.readSession(principalOf(name, [], false))

const countFor = async (name: string): Promise<number> =>
  (await queryDocuments(reader(name), 'SELECT * FROM File')).resultsCount

await folderFor('big', 'ann', 40)
await folderFor('small', 'bob', 1)

test('who may browse much is known by the sizes of scopes that the database knows', async () => {
  await platform.database.sql`ANALYZE documents`
  expect((await reachOf(reader('ann').principal)).isWide).toBe(true)
  expect((await reachOf(reader('bob').principal)).isWide).toBe(false)
  expect((await reachOf(SYSTEM)).isWide).toBe(true)
})

test('rights that change count at once, whatever is remembered of how much one may browse', async () => {
  expect(await countFor('ann')).toBe(40)
  expect(await countFor('bob')).toBe(1)
  await platform.withSession(SYSTEM, async (session) => {
    const read = { username: 'bob', permission: 'Read', granted: true }
    await setAcls(session, await getDocument(session, '/big'), [
      { name: 'local', aces: [read, { username: EVERYONE, permission: EVERYTHING, granted: false }] },
    ])
  })
  expect(await countFor('ann')).toBe(0)
  expect(await countFor('bob')).toBe(41)
})

test.each([
  ['few', 3],
  ['many', 201],
])('%s children are found with the same rights', async (name, count) => {
  await folderFor(name, 'eve', count)
  const folder = await getDocument(platform.readSession(SYSTEM), `/${name}`)
  const childrenFor = async (user: string) =>
    (await queryDocuments(reader(user), `SELECT * FROM Document WHERE ecm:parentId = '${folder.id}'`))
      .resultsCount
  expect(await childrenFor('eve')).toBe(count)
  expect(await childrenFor('dan')).toBe(0)
})

describe('scopes that were gathered before', () => {
  /** Lets somebody browse a folder, or nobody when there is no name. */
  const open = (name: string, username?: string, dates: { begin?: string; end?: string } = {}) =>
    platform.withSession(SYSTEM, async (session) => {
      const read = { username: username ?? 'nobody', permission: 'Read', granted: true, ...dates }
      await setAcls(session, await getDocument(session, `/${name}`), [
        { name: 'local', aces: [read, { username: EVERYONE, permission: EVERYTHING, granted: false }] },
      ])
    })
  const gatheredFor = async (name: string) => {
    const { principal } = reader(name)
    // The first one after a change learns of the change alone.
    return (await reachOf(principal)).gathered ?? (await reachOf(principal)).gathered
  }
  /** The same query, compiled for what was gathered at some time. */
  const found = async (name: string, gathered: Awaited<ReturnType<typeof gatheredFor>>) => {
    const session = reader(name)
    const { principal, model, now } = session
    const scope = { principal, model, now, reach: { isWide: false, gathered } }
    const plan = compileNxql(parseNxql("SELECT * FROM File WHERE ecm:path STARTSWITH '/'"), scope)
    const { text, parameters } = plan.count()
    const [row] = await sql.unsafe<{ count: string }[]>(text, parameters as never[])
    return Number(row?.count)
  }

  test('are sent with the query, which asks nobody else', async () => {
    await folderFor('sent', 'pam', 2)
    const gathered = await gatheredFor('pam')
    expect(gathered?.scopes).toMatch(/^\{\d+(,\d+)*\}$/)
    expect(await found('pam', gathered)).toBe(2)
    // What is sent is what counts, as long as nothing has changed.
    expect(await found('pam', gathered && { ...gathered, scopes: '{}' })).toBe(0)
  })

  test.each<[string, (name: string) => Promise<unknown>, number]>([
    ['another ACL', (name) => open(name, 'nobody'), 0],
    ['a second scope', async (name) => folderFor(`${name}-too`, name, 1), 3],
    [
      'an ACL that is no longer there',
      async () => platform.database.sql`UPDATE acls SET browsing = browsing`,
      2,
    ],
  ])('are collected again by the statement after %s', async (_change, change, expected) => {
    const name = `eva${expected}`
    await folderFor(name, name, 2)
    const gathered = await gatheredFor(name)
    expect(await found(name, gathered)).toBe(2)
    await change(name)
    expect(await found(name, gathered && { ...gathered, scopes: '{}' })).toBe(expected)
    expect(await found(name, gathered)).toBe(expected)
  })

  test('hold when a change was undone, and not inside the transaction that makes it', async () => {
    await folderFor('undone', 'fay', 2)
    const gathered = await gatheredFor('fay')
    const sent = gathered && { ...gathered, scopes: '{}' }
    const undone = platform.database.transaction(async (sql) => {
      await sql`UPDATE acl_scopes SET acl_id = acl_id WHERE path = '/undone'`
      const [row] = await sql<{ scopes: number[] }[]>`
        SELECT archivolt_readable_scopes('{fay}', '{}', ${gathered?.mark ?? ''}, '-infinity', 'infinity') AS scopes`
      expect(row?.scopes).not.toEqual([])
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await found('fay', sent)).toBe(0)
  })

  test('are found without a look at ACLs that no scope names any more', async () => {
    // Whoever looks at the entry fails.
    await platform.database.sql`
      INSERT INTO acls (fingerprint, entries, browsers, is_plain)
      VALUES ('left', '[{"permission": "Browse", "begin": "no date", "granted": true, "username": "joe"}]', '{}', false)`
    await folderFor('left', 'joe', 2)
    expect(await found('joe', await gatheredFor('joe'))).toBe(2)
  })

  test('are not changed by documents that hold no ACL', async () => {
    await folderFor('still', 'guy', 2)
    const before = (await gatheredFor('guy'))?.mark
    await platform.withSession(SYSTEM, async (session) => {
      await createDocument(session, { parent: '/still', name: 'more', type: 'File' })
      await removeDocument(session, await getDocument(session, '/still/d-0'))
    })
    const [row] = await platform.database.sql<{ mark: string }[]>`SELECT archivolt_acl_mark() AS mark`
    expect(row?.mark).toBe(before)
    await platform.withSession(SYSTEM, async (session) =>
      removeDocument(session, await getDocument(session, '/still')),
    )
    const [after] = await platform.database.sql<{ mark: string }[]>`SELECT archivolt_acl_mark() AS mark`
    expect(after?.mark).not.toBe(before)
  })

  test('end with the next date of an entry, which is when the rights change', async () => {
    /** A machine that stands still may come too late to look; then the date is farther away. */
    type Opened = { end: Date; gathered: Awaited<ReturnType<typeof gatheredFor>>; count: number }
    const openFor = async (millis: number): Promise<Opened> => {
      const name = `dated-${millis}`
      await folderFor(name, 'nobody', 2)
      const end = new Date(Date.now() + millis)
      await open(name, 'hal', { end: end.toISOString() })
      const gathered = await soon(async () => {
        const known = await gatheredFor('hal')
        expect([Date.parse(known?.until ?? ''), Date.now() >= end.getTime()]).toSatisfy(
          ([until, isOver]) => isOver || until === end.getTime(),
        )
        return known
      })
      const count = await found('hal', gathered)
      return Date.now() < end.getTime() ? { end, gathered, count } : openFor(millis * 2)
    }
    const { end, gathered, count } = await openFor(1_500)
    expect(new Date(gathered?.until ?? 0)).toEqual(end)
    expect(count).toBe(2)
    await expect.poll(() => found('hal', gathered)).toBe(0)
    expect(Date.now()).toBeGreaterThanOrEqual(end.getTime())
  })

  test('of changes at the same time, none waits for another', async () => {
    await folderFor('one', 'ivy', 1)
    await folderFor('two', 'ivy', 1)
    await platform.database.transaction(async (sql) => {
      await sql`UPDATE acl_scopes SET acl_id = acl_id WHERE path = '/one'`
      await open('two', 'jan')
    })
    expect(await countFor('jan')).toBe(1)
  })
})

test('a page far behind the first has the documents and the order of the whole', async () => {
  const columns = await sql<{ name: string }[]>`
    SELECT column_name AS name FROM information_schema.columns
    WHERE table_name = 'documents' AND is_generated = 'NEVER'`
  const copied: { [column: string]: string } = {
    id: 'gen_random_uuid()',
    name: "'far-' || n",
    path: "'/big/far-' || n",
    properties: "properties || jsonb_build_object('dc:title', 'far ' || n % 100)",
  }
  const names = columns.map(({ name }) => name)
  await sql.unsafe(`
    INSERT INTO documents (${names.join()}) SELECT ${names.map((name) => copied[name] ?? name).join()}
    FROM documents, generate_series(1, 1100) AS n WHERE path = '/big/d-0'`)
  const query = "SELECT * FROM File WHERE dc:title LIKE 'far %' ORDER BY dc:title DESC"
  const page = async (pageSize: number, offset: number) =>
    (await queryDocuments(platform.readSession(SYSTEM), query, { pageSize, offset, maxPageSize: 2_000 }))
      .entries
  const whole = await page(2_000, 0)
  expect(whole).toHaveLength(1_100)
  expect(await page(30, 1_050)).toEqual(whole.slice(1_050, 1_080))
  expect(await page(100, 1_050)).toEqual(whole.slice(1_050))
})

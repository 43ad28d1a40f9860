import { afterAll, expect, test } from 'vitest'
import type { Ace } from '../../../core/access/security/index.js'
import { getDocument, setAcls } from '../../../core/content/documents/index.js'
import { ADMINISTRATOR, createOperationBench } from '../support/operations-support.js'

const { platform, close, create, workspace } = await createOperationBench()
afterAll(close)

const { sql } = platform.database

const set = ({ id }: { id: string }, aces: Ace[]) =>
  platform.withSession(ADMINISTRATOR, async (session) =>
    setAcls(session, await getDocument(session, id), [{ name: 'local', aces }]),
  )

const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString()

const BLOCK: Ace = { username: 'Everyone', permission: 'Everything', granted: false }

/** Whether somebody finds what lies in the scope of a document. */
const finds = async (username: string, { id }: { id: string }) => {
  const [row] = await sql<{ found: boolean }[]>`
    SELECT s.id = ANY (archivolt_readable_scopes(${[username]}::text[])) AS found FROM acl_scopes s WHERE s.document_id = ${id}`
  return row?.found
}

test('entries with dates are looked at for those whom one may grant it', async () => {
  const folder = await workspace()
  const note = await create(folder.path!, 'Note', 'note')
  const read = (username: string, more: Partial<Ace>): Ace => ({
    ...{ username, permission: 'Read', granted: true },
    ...more,
  })
  await set(note, [
    read('past', { end: day(-1) }),
    read('future', { begin: day(1) }),
    read('present', { begin: day(-1), end: day(1) }),
    read('denied', { granted: false }),
    read('denied', {}),
    BLOCK,
  ])
  for (const [name, found] of Object.entries({ past: false, future: false, present: true, denied: false }))
    expect([name, await finds(name, note)]).toEqual([name, found])
  // As a process of the release before writes it.
  await sql`UPDATE acls SET browsers = '{}' WHERE NOT is_plain`
  expect([await finds('present', note), await finds('future', note)]).toEqual([true, false])
})

test('the next date is that of an entry that is set', async () => {
  const folder = await workspace()
  const note = await create(folder.path!, 'Note', 'note')
  const next = async () =>
    (await sql<{ next: Date }[]>`SELECT archivolt_next_ace_date() AS next`)[0]?.next.toISOString()
  const [begin, end] = [day(0.1), day(0.2)]
  await set(note, [{ username: 'ann', permission: 'Read', granted: true, begin, end: day(3) }])
  expect(await next()).toBe(begin)
  await set(note, [{ username: 'ann', permission: 'Read', granted: true, end }])
  expect(await next()).toBe(end)
  await set(note, [])
  expect(await next()).not.toBe(end)
})

test('many entries for others, with a date each, cost queries nothing', async () => {
  const folder = await workspace()
  for (let index = 0; index < 40; index++) {
    const note = await create(folder.path!, 'Note', `n${index}`)
    const aces = Array.from({ length: 1_000 }, (_, i): Ace => {
      const begin = new Date(Date.now() + 3_600_000 + 1_000 * (1_000 * index + i)).toISOString()
      return { username: `nobody${index}-${i}`, permission: 'Read', granted: true, begin }
    })
    await set(note, [...aces.slice(1), BLOCK])
  }
  /** Milliseconds in the database, the least of some. */
  const timeOf = async (asked: string) => {
    const times: number[] = []
    for (let count = 0; count < 5; count++) {
      const [plan] = await sql.unsafe(`EXPLAIN (ANALYZE, FORMAT JSON) SELECT ${asked}`)
      times.push(plan?.['QUERY PLAN'][0]['Execution Time'])
    }
    return Math.min(...times)
  }
  const names = "'{ann,members,Everyone}'"
  const all = await timeOf(
    `count(*) FROM acls WHERE NOT is_plain AND archivolt_may_browse(entries || '[]', ${names})`,
  )
  const asked = await timeOf(`archivolt_readable_scopes(${names}), archivolt_next_ace_date()`)
  expect(asked).toBeLessThan(all / 2)
})

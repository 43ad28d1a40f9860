import { expect, test } from 'vitest'
import type { Ace } from '../../../core/access/security/index.js'
import { copyDocument, getDocument, removeDocument } from '../../../core/content/documents/index.js'
import { checkIn } from '../../../core/content/versioning/index.js'
import { pointScopes } from '../../../storage/postgres/index.js'
import { ace, createScopeBench, local, naivelyReadable, USERS } from '../support/acl-scopes-support.js'

const bench = await createScopeBench()

/** A small generator of its own, so that a failure can be repeated by its seed. */
const random = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const NAMES = ['ann', 'bob', 'eve', 'staff', 'Everyone']
const PERMISSIONS = ['Read', 'Browse', 'Everything', 'Write', 'ReadVersion', 'ReadWrite']
const DATES = [null, null, null, '2000-01-01T00:00:00Z', '2999-01-01T00:00:00Z']

const randomAce = (below: (limit: number) => number): Ace => {
  const pick = <Value>(values: readonly Value[]) => values[below(values.length)] as Value
  if (below(8) === 0) return ace('Everyone', 'Everything', false)
  const begin = pick(DATES)
  const end = begin === '2999-01-01T00:00:00Z' ? null : pick(DATES)
  return { ...ace(pick(NAMES), pick(PERMISSIONS), below(4) > 0), begin, end }
}

const expectRight = async (hint: string) => {
  for (const user of USERS) {
    const expected = await naivelyReadable(bench, user)
    expect([...(await bench.found(user))].sort(), `queries of ${user.name} ${hint}`).toEqual(
      [...expected].sort(),
    )
    const session = bench.platform.readSession(user)
    const rows = await bench.sql<{ id: string }[]>`SELECT id FROM documents`
    const seen = await Promise.all(rows.map(async ({ id }) => ((await canBrowse(session, id)) ? [id] : [])))
    expect(seen.flat().sort(), `reads of ${user.name} ${hint}`).toEqual([...expected].sort())
  }
}

const canBrowse = (session: ReturnType<typeof bench.platform.readSession>, id: string) =>
  getDocument(session, id, { permission: 'Browse' }).then(
    () => true,
    () => false,
  )

test.each([1, 2, 3, 4])(
  'random changes of trees and ACLs give the rights of the reference, tree %i',
  async (seed) => {
    const below = random(seed)
    const top = await bench.create('/', `tree${seed}`)
    const anyPath = async () => {
      const rows = await bench.sql<{ path: string }[]>`
      SELECT path FROM documents WHERE path >= ${top.path} AND path < ${`${top.path}0`} ORDER BY path`
      return rows[below(rows.length)]?.path ?? top.path ?? '/'
    }
    let split = 0
    for (let step = 0; step < 60; step++) {
      const kind = below(12)
      const path = await anyPath()
      if (kind < 4) await bench.create(path, `d${step}`, below(3) === 0 ? 'File' : 'Folder')
      else if (kind < 8)
        await bench.grant(path, local(...Array.from({ length: below(3) }, () => randomAce(below))))
      else if (kind === 8 && path !== top.path) {
        const target = await anyPath()
        if (!`${target}/`.startsWith(`${path}/`)) await bench.move(path, target)
      } else if (kind === 9 && path !== top.path) {
        const target = await anyPath()
        if (!`${target}/`.startsWith(`${path}/`))
          await bench.lazy(async (session) =>
            copyDocument(session, await getDocument(session, path), { target, name: `c${step}` }),
          )
      } else if (kind === 10) {
        await bench.lazy(async (session) => {
          const document = await getDocument(session, path)
          if (document.type === 'File' && !document.isCheckedIn)
            await checkIn(session, document, { increment: 'MINOR' })
        })
      } else if (step % 5 === 0 && path !== top.path) {
        await bench.lazy(async (session) => removeDocument(session, await getDocument(session, path)))
      } else await pointScopes(bench.platform.database)
      if ((await bench.marked()) > 0) split += 1
      if (step % 6 === 5) await expectRight(`after step ${step} of tree ${seed}`)
    }
    await expectRight(`at the end of tree ${seed}`)
    // Otherwise nothing was shown about the time before the upkeep.
    expect(split).toBeGreaterThan(20)
    expect(await pointScopes(bench.platform.database)).toMatchObject({ left: 0 })
    expect(await bench.marked()).toBe(0)
    await expectRight(`after the upkeep of tree ${seed}`)
    const wrong = await bench.sql`
    SELECT FROM documents d WHERE d.scope_id <> archivolt_scope_of(
      coalesce(d.path, (SELECT l.path FROM documents l WHERE l.id = d.version_series_id)))`
    expect(wrong.count).toBe(0)
  },
  120_000,
)

import { expect, test } from 'vitest'
import { SYSTEM } from '../../../core/access/security/index.js'
import { createDocument, getDocument, setAcls } from '../../../core/content/documents/index.js'
import { checkIn } from '../../../core/content/versioning/index.js'
import { isArchivoltError } from '../../../core/platform/errors/index.js'
import { pointScopes } from '../../../storage/postgres/index.js'
import { seededRandom, testSeed } from '../../support/random.js'
import {
  ace,
  createScopeBench,
  local,
  NOBODY,
  naivelyReadable,
  USERS,
} from '../support/acl-scopes-support.js'

const bench = await createScopeBench()
const { platform } = bench
const [ANN] = USERS as [(typeof USERS)[number]]

const expectRight = async () => {
  for (const user of USERS) {
    const expected = await naivelyReadable(bench, user)
    expect([...(await bench.found(user))].sort()).toEqual([...expected].sort())
  }
}

/** Work in a transaction that stays open until it is ended. */
const opened = <Result>(work: (session: ReturnType<typeof platform.readSession>) => Promise<Result>) => {
  let end = () => {}
  const mayEnd = new Promise<void>((resolve) => {
    end = resolve
  })
  let begun: (result: Result) => void = () => {}
  const isDone = new Promise<Result>((resolve) => {
    begun = resolve
  })
  const ended = platform.withSession(SYSTEM, async (session) => {
    const result = await work(session)
    begun(result)
    await mayEnd
  })
  return { isDone, end, ended }
}

const readableBy = async (id: string) => (await bench.found(ANN)).has(id)

test.each([
  ['a large folder, left to the upkeep', true],
  ['a small folder, written at once', false],
])('a child that is being made while the ACL of %s changes is under the new one', async (_, isLazy) => {
  const top = await bench.create('/', `race-${isLazy}`)
  const folder = await bench.create(top.path ?? '', 'folder')
  await bench.grant(top.path ?? '', local(ace('staff', 'Read')))
  const making = opened((session) =>
    createDocument(session, { parent: folder.path ?? '', name: 'child', type: 'File' }),
  )
  const child = await making.isDone
  const changed = isLazy
    ? bench.grant(folder.path ?? '', NOBODY)
    : platform.withSession(SYSTEM, async (session) => {
        return setAcls(session, await getDocument(session, folder.path ?? ''), NOBODY)
      })
  await changed
  expect(await readableBy(folder.id)).toBe(false)
  // The upkeep must not rely on what it sees while the child is not there yet.
  expect((await pointScopes(platform.database, { waitMs: 300 })).left).toBeGreaterThan(0)
  making.end()
  await making.ended
  expect(await readableBy(child.id)).toBe(false)
  expect((await pointScopes(platform.database)).left).toBe(0)
  expect(await readableBy(child.id)).toBe(false)
  expect(await bench.marked()).toBe(0)
  await expectRight()
})

test('who waits for a document that is given its first ACL finds it with that one', async () => {
  const top = await bench.create('/', 'first-acl')
  await bench.grant(top.path ?? '', local(ace('staff', 'Everything')))
  const folder = await bench.create(top.path ?? '', 'folder')
  const file = await bench.create(folder.path ?? '', 'file', 'File')
  const changing = opened(async (session) =>
    setAcls(session, await getDocument(session, folder.id), local(ace('interns', 'Read'))),
  )
  await changing.isDone
  const waiting = [
    ...[folder.path ?? '', folder.id, file.id].map((ref) =>
      platform.withSession(ANN, (session) => getDocument(session, ref, { lock: 'write' })),
    ),
    platform.withSession(ANN, (session) => getDocument(session, folder.id, { lock: 'parent' })),
  ]
  await new Promise((resolve) => setTimeout(resolve, 200))
  changing.end()
  await changing.ended
  const [byPath] = await Promise.all(waiting)
  expect(byPath?.aclId).toBe(
    await platform.withSession(ANN, async (s) => (await getDocument(s, file.id)).aclId),
  )
})

test('a version that is being made while the ACL of its document changes is under the new one', async () => {
  const file = await bench.create('/', 'versioned', 'File')
  await bench.grant(file.id, [])
  const top = await bench.create('/', 'top-of-versions')
  await bench.grant(top.path ?? '', local(ace('staff', 'Read')))
  const inside = await bench.create(top.path ?? '', 'inside', 'File')
  const making = opened(async (session) =>
    checkIn(session, await getDocument(session, inside.id), { increment: 'MAJOR' }),
  )
  const { version } = await making.isDone
  const changing = bench.grant(inside.id, NOBODY)
  making.end()
  await making.ended
  await changing
  expect(await readableBy(version.id)).toBe(false)
  await pointScopes(platform.database)
  expect(await readableBy(version.id)).toBe(false)
  await expectRight()
})

test('of two changes at once, above and below, each sees the other', async () => {
  for (let round = 0; round < 10; round++) {
    const upper = await bench.create('/', `upper${round}`)
    const lower = await bench.create(upper.path ?? '', 'lower')
    const leaf = await bench.create(lower.path ?? '', 'leaf')
    await Promise.all([
      bench.grant(upper.path ?? '', local(ace('ann', 'Read'))),
      bench.grant(lower.path ?? '', local(ace('bob', 'Read'))),
      bench.grant(leaf.path ?? '', local(ace('eve', 'Read'))),
    ])
    for (const user of USERS) expect((await bench.found(user)).has(leaf.id)).toBe(true)
  }
  await expectRight()
})

test('makers, movers, changers and the upkeep at once leave the rights of the reference', async () => {
  const top = await bench.create('/', 'storm')
  const folders: string[] = []
  for (const name of ['a', 'b', 'c', 'd']) folders.push((await bench.create(top.path ?? '', name)).id)
  const until = Date.now() + 4_000
  const random = seededRandom(testSeed())
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)] as Value
  const pathOf = async (id: string) => (await getDocument(platform.readSession(SYSTEM), id)).path ?? '/'
  const repeat = async (work: () => Promise<unknown>) => {
    while (Date.now() < until) {
      await work().catch((error: unknown) => {
        // A target inside of what is moved, a folder that is elsewhere by now: refusals, not failures.
        const isRefusal =
          isArchivoltError(error) && ['notFound', 'conflict', 'badRequest'].includes(error.code)
        if (!isRefusal) throw error
      })
    }
  }
  let made = 0
  await Promise.all([
    repeat(async () => {
      const { id, type } = await bench.create(
        await pathOf(pick(folders)),
        `n${made++}`,
        pick(['Folder', 'File']),
      )
      if (type === 'Folder' && folders.length < 40) folders.push(id)
    }),
    repeat(async () => {
      await bench.create(await pathOf(pick(folders)), `m${made++}`, 'File')
    }),
    repeat(() =>
      bench.grant(
        pick(folders),
        pick([NOBODY, [], local(ace('ann', 'Read')), local(ace('bob', 'Read', false))]),
      ),
    ),
    repeat(() => bench.grant(pick(folders), pick([NOBODY, local(ace('staff', 'Read'))]))),
    repeat(() =>
      platform.withSession(SYSTEM, async (session) => {
        return setAcls(session, await getDocument(session, pick(folders)), local(ace('eve', 'Read')))
      }),
    ),
    repeat(async () => bench.move(pick(folders), await pathOf(pick(folders)))),
    repeat(async () => {
      await pointScopes(platform.database, { waitMs: 500 })
    }),
  ])
  await expectRight()
  expect((await pointScopes(platform.database)).left).toBe(0)
  expect(await bench.marked()).toBe(0)
  await expectRight()
})

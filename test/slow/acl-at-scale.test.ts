import { expect, test } from 'vitest'
import { principalOf, SYSTEM } from '../../core/access/security/index.js'
import { getDocument, setAcls } from '../../core/content/documents/index.js'
import { pointScopes } from '../../storage/postgres/index.js'
import { readableText } from '../../storage/postgres/rows/index.js'
import { createTestPlatform } from '../support/platform.js'
import { sized } from '../support/size.js'

const { platform } = await createTestPlatform()
const { sql } = platform.database

const FOLDERS = sized({ full: 400, sample: 100 })
const CHILDREN = 500
const DOCUMENTS = FOLDERS * (CHILDREN + 1) + 1
const ANN = principalOf('ann', ['staff'], false)

const timed = async <Result>(work: () => Promise<Result>): Promise<{ result: Result; millis: number }> => {
  const start = performance.now()
  const result = await work()
  return { result, millis: performance.now() - start }
}

const grant = (path: string, username: string, granted: boolean) =>
  platform.withSession(SYSTEM, async (session) =>
    setAcls(session, await getDocument(session, path), [
      { name: 'local', aces: [{ username, permission: 'Everything', granted }] },
    ]),
  )

const countReadable = async () => {
  const [row] = await sql.unsafe<{ count: number }[]>(
    `SELECT count(*)::int AS count FROM documents d
     WHERE d.path >= '/big' AND d.path < '/big0' AND ${readableText('$1::text[]')}`,
    [ANN.identities as string[]],
  )
  return row?.count ?? 0
}

const canRead = (path: string) =>
  getDocument(platform.readSession(ANN), path).then(
    () => true,
    () => false,
  )

const addDocuments = async () => {
  const { scope_id } =
    (await sql<{ scope_id: number }[]>`SELECT scope_id FROM documents WHERE path = '/'`)[0] ?? {}
  const insert = (columns: ReturnType<typeof sql>) => sql`
    INSERT INTO documents (id, parent_id, name, path, type, lifecycle_state, scope_id, properties) ${columns}`
  await insert(sql`
    SELECT gen_random_uuid(), d.id, 'big', '/big', 'Folder', 'project', ${scope_id ?? 0}::int, '{}'
    FROM documents d WHERE d.path = '/'`)
  await insert(sql`
    SELECT gen_random_uuid(), d.id, 'f' || n, '/big/f' || n, 'Folder', 'project', d.scope_id, '{}'
    FROM documents d, generate_series(1, ${FOLDERS}) AS n WHERE d.path = '/big'`)
  await insert(sql`
    SELECT gen_random_uuid(), d.id, 'd' || n, d.path || '/d' || n, 'File', 'project', d.scope_id, '{}'
    FROM documents d, generate_series(1, ${CHILDREN}) AS n WHERE d.path > '/big/' AND d.path < '/big0'`)
  await sql`ANALYZE documents`
}

test(`changing the ACL of a folder with ${DOCUMENTS} documents answers at once, and rights are right from then on`, async () => {
  // To write the documents takes about a hundred times what a change of rights may do.
  const { millis: writing } = await timed(addDocuments)
  expect(await countReadable()).toBe(0)

  const first = await timed(() => grant('/big', 'staff', true))
  expect(first.millis).toBeLessThan(writing)
  expect(await canRead('/big/f7/d9')).toBe(true)
  const before = await timed(countReadable)
  expect(before.result).toBe(DOCUMENTS)

  const inner = await timed(() => grant('/big/f7', 'ann', false))
  expect(inner.millis).toBeLessThan(writing)
  expect(await canRead('/big/f7/d9')).toBe(false)
  expect(await canRead('/big/f8/d9')).toBe(true)
  expect(await countReadable()).toBe(DOCUMENTS - CHILDREN - 1)

  const again = await timed(() => grant('/big', 'nobody', true))
  expect(again.millis).toBeLessThan(writing)
  expect(await canRead('/big/f8/d9')).toBe(false)
  expect(await countReadable()).toBe(0)
  await grant('/big', 'staff', true)

  const upkeep = await timed(() => pointScopes(platform.database))
  expect(upkeep.result).toMatchObject({ left: 0 })
  const after = await timed(countReadable)
  expect(after.result).toBe(DOCUMENTS - CHILDREN - 1)
  expect(await sql`SELECT FROM acl_scopes WHERE is_split OR is_pending`).toHaveLength(0)

  const settled = await timed(() => grant('/big', 'nobody', true))
  expect(settled.millis).toBeLessThan(writing)
  expect(await countReadable()).toBe(0)
  const round = ({ millis }: { millis: number }) => `${millis.toFixed(1)} ms`
  console.info(
    `ACL changes: first ${round(first)}, inside ${round(inner)}, again ${round(again)}, settled ${round(settled)}; ` +
      `counting all: before the upkeep ${round(before)}, after ${round(after)}; upkeep ${round(upkeep)}`,
  )
})

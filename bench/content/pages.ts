import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import postgres from 'postgres'
import { AUTHORIZATION, call, createDocument, json, NUMBERED_FILE } from '../harness/client.js'
import { generate } from '../harness/generate.js'
import { median, timed } from '../harness/rounds.js'
import type { Figure, Measure } from '../harness/types.js'
import { processorMs } from '../harness/usage.js'
import { type CopyValue, copyRows } from '../repository/copy.js'

const PAGE = 50
const ROUNDS = 9
const COLUMNS = 'id, parent_id, name, path, type, lifecycle_state, scope_id, properties'

/** Milliseconds of the goals: the first page of a large folder, and any other. */
const FIRST = 5
const ANY = 50

/** Milliseconds of Postgres's processor time that a request may cost, among callers at once. */
const EQUALITY_OF_POSTGRES = 0.5
const PAGE_OF_POSTGRES = 5
const CALLERS = 32

/** What an equality may cost right behind a burst of writes, as a multiple of what it costs otherwise. */
const BEHIND_WRITES = 1.5

/** Milliseconds of calls before those that are measured: code that has run a few times alone is not compiled. */
const WARM_MS = 500

const warm = async (work: () => Promise<unknown>): Promise<void> => {
  for (const begun = performance.now(); performance.now() - begun < WARM_MS; ) await work()
}

type Parent = { id: string; scopeId: number }

function* childrenOf({ id, scopeId }: Parent, count: number): Generator<CopyValue[]> {
  for (let index = 0; index < count; index++) {
    const name = `child-${index}`
    // Titles in another order than names and rows.
    const title = `title ${((index * 7_919) % count).toString().padStart(7, '0')}`
    const path = `/bench-pages/${name}`
    yield [randomUUID(), id, name, path, 'File', 'project', scopeId, { 'dc:title': title }]
  }
}

/** Pages of one very large folder over HTTP, and a query right behind a burst of writes: milliseconds by the clock. */
export const measurePages: Measure = async ({ servers, isQuick, atEnd }) => {
  const sql = postgres(servers.databaseUrl, { max: 1, onnotice: () => undefined })
  atEnd(() => sql.end())
  const count = isQuick ? 50_000 : 1_000_000
  const { apiUrl } = servers
  const id = await createDocument(apiUrl, { parent: '/', type: 'Folder', name: 'bench-pages' })
  const [scope] = await sql<
    { scopeId: number }[]
  >`SELECT scope_id AS "scopeId" FROM documents WHERE id = ${id}`
  await copyRows(sql, `documents (${COLUMNS})`, childrenOf({ id, scopeId: scope?.scopeId ?? 0 }, count))
  await sql`VACUUM ANALYZE documents`

  const get = async (path: string): Promise<number> => {
    const times: number[] = []
    await warm(() => call('GET', `${apiUrl}/api/v1/${path}`))
    for (let round = 0; round < ROUNDS; round++)
      times.push(await timed(() => call('GET', `${apiUrl}/api/v1/${path}`)))
    return median(times)
  }
  const firstPage = `id/${id}/@children?pageSize=${PAGE}`
  const page = (number: number, more = '') => get(`${firstPage}&currentPageIndex=${number}${more}`)
  const last = Math.ceil(count / PAGE) - 1
  const byTitle = '&sortBy=dc:title'
  const pages: Figure[] = []
  for (const [name, number, most, more] of [
    ['first page', 0, FIRST, ''],
    ['first page by title', 0, FIRST, byTitle],
    ['page 100 by title', 100, ANY, byTitle],
    ['page in the middle by title', last >> 1, ANY, byTitle],
    ['last page by title', last, ANY, byTitle],
  ] as const)
    pages.push({
      name: `${name} of a folder of ${count} children`,
      unit: 'ms',
      ours: await page(number, more),
      goal: { most },
    })

  const equality = `search/execute?pageSize=5&query=${encodeURIComponent(
    "SELECT * FROM Document WHERE dc:title = 'title 0000007'",
  )}`
  const calm = await get(equality)
  /** Of all its processes: one that another request uses, or that ends meanwhile, makes no difference of note. */
  const ofPostgres = async (): Promise<number> => {
    const servers = await sql<{ pid: number }[]>`
      SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`
    return servers.reduce((sum, { pid }) => sum + processorMs(pid), 0)
  }
  const usedDuring = async (work: () => Promise<unknown>): Promise<number> => {
    const before = await ofPostgres()
    await work()
    return (await ofPostgres()) - before
  }
  const headers = { authorization: AUTHORIZATION }
  const asking = { callers: CALLERS, seconds: isQuick ? 5 : 10, method: 'GET', headers }
  // The search index takes in the rows of the folder meanwhile.
  const ofOthers = await usedDuring(() => setTimeout(asking.seconds * 1_000))
  const costOf = async (path: string): Promise<number> => {
    let requests = 0
    const used = await usedDuring(async () => {
      requests = asking.seconds * (await generate({ ...asking, urls: [`${apiUrl}/api/v1/${path}`] }))
    })
    return (used - ofOthers) / requests
  }
  const costs: Figure[] = []
  for (const [name, path, most] of [
    ['an equality', equality, EQUALITY_OF_POSTGRES],
    [`the first page of a folder of ${count} children`, firstPage, PAGE_OF_POSTGRES],
    [`the same by title`, `${firstPage}${byTitle}`, PAGE_OF_POSTGRES],
  ] as const)
    costs.push({
      name: `${name} among ${CALLERS} callers, of processor time of Postgres`,
      unit: 'ms',
      ours: await costOf(path),
      goal: { most },
    })
  const target = await createDocument(apiUrl, { parent: '/', type: 'Folder', name: 'bench-burst' })
  await generate({
    callers: CALLERS,
    seconds: isQuick ? 2 : 10,
    method: 'POST',
    body: NUMBERED_FILE,
    urls: [`${apiUrl}/api/v1/id/${target}`],
    headers: { ...headers, 'content-type': 'application/json' },
  })
  const { resultsCount } = json<{ resultsCount: number }>(
    await call('GET', `${apiUrl}/api/v1/id/${target}/@children?pageSize=1`),
  )
  return [
    ...pages,
    ...costs,
    {
      name: `an equality right behind a burst of ${resultsCount < 0 ? 'more than 2000' : resultsCount} writes; before it`,
      unit: 'ms',
      ours: await get(equality),
      floor: calm,
      goal: { most: BEHIND_WRITES },
    },
  ]
}

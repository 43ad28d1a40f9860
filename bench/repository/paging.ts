/** Pages through every document over HTTP, as a user who is no administrator and may read them all. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type postgres from 'postgres'
import { hashPassword } from '../../core/access/identity/index.js'
import { DIST, ROOT } from '../../stack/build/index.js'
import { freePort, LOOPBACK } from '../../stack/process/index.js'
import { chooseNode, NODE_OPTIONS } from '../../stack/services/index.js'
import { call, json } from '../harness/client.js'
import type { Figure, MeasureContext } from '../harness/types.js'

const READER = { username: 'bench-reader', password: 'bench-reader' }
const PAGE_SIZE = 1_000
const SAMPLE_MS = 100
const READY_MS = 60_000

/** A member of every group, so that every document is readable by one right or another. */
const addReader = async (sql: postgres.Sql): Promise<void> => {
  const hash = await hashPassword(READER.password)
  await sql`INSERT INTO users (username, password_hash) VALUES (${READER.username}, ${hash}) ON CONFLICT DO NOTHING`
  await sql`
    INSERT INTO group_members (groupname, member, kind)
    SELECT groupname, ${READER.username}, 'user' FROM groups WHERE groupname LIKE 'bench-group-%'
    ON CONFLICT DO NOTHING`
}

const waitUntilReady = async (url: string): Promise<void> => {
  for (const end = Date.now() + READY_MS; Date.now() < end; await sleep(50)) {
    const isReady = await call('GET', `${url}/health/ready`).then(
      () => true,
      () => false,
    )
    if (isReady) return
  }
  throw new Error(`The API at ${url} is not ready`)
}

/** Megabytes that a process holds in memory, as Linux counts them. */
const residentMegabytes = (pid: number): number => {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

type Page = { entries: { uid: string }[] }

/** The pages by key: each begins after the last id of the previous one, so the last costs no more than the first. */
const readAll = async (url: string): Promise<number> => {
  const authorization = `Basic ${Buffer.from(`${READER.username}:${READER.password}`).toString('base64')}`
  let read = 0
  for (let after: string | undefined = ''; after !== undefined; ) {
    const where = after === '' ? '' : ` AND ecm:uuid > '${after}'`
    const query = `SELECT * FROM Document WHERE ecm:path STARTSWITH '/bench'${where} ORDER BY ecm:uuid`
    const parameters = new URLSearchParams({ query, pageSize: String(PAGE_SIZE), maxResults: '1' })
    const answer = await call('GET', `${url}/api/v1/search/lang/NXQL/execute?${parameters}`, {
      headers: { authorization, properties: '*' },
    })
    const { entries } = json<Page>(answer)
    read += entries.length
    after = entries.length === PAGE_SIZE ? entries.at(-1)?.uid : undefined
  }
  return read
}

/** The largest memory of an API process of its own while every document is read, and how many a second are. */
export const pageThroughAll = async (
  { servers }: MeasureContext,
  { sql, databaseUrl, documents }: { sql: postgres.Sql; databaseUrl: string; documents: number },
): Promise<Figure[]> => {
  await addReader(sql)
  const home = mkdtempSync(join(tmpdir(), 'archivolt-bench-'))
  const port = await freePort()
  const own = { DATABASE_URL: databaseUrl, ARCHIVOLT_HOME: home, ARCHIVOLT_PORT: String(port) }
  const api = spawn(chooseNode().command, [...NODE_OPTIONS, join(DIST, 'api.js')], {
    cwd: ROOT,
    env: { ...process.env, ...servers.env, ...own },
    stdio: 'ignore',
  })
  const url = `http://${LOOPBACK}:${port}`
  let largest = 0
  const sampler = setInterval(() => {
    largest = Math.max(largest, residentMegabytes(api.pid ?? 0))
  }, SAMPLE_MS)
  try {
    await waitUntilReady(url)
    const [below] = await sql<{ count: number }[]>`
      SELECT count(*)::int AS count FROM documents WHERE path > '/bench/' AND path < '/bench0'`
    const started = performance.now()
    const read = await readAll(url)
    const seconds = (performance.now() - started) / 1_000
    if (read !== below?.count) throw new Error(`${read} of ${below?.count} documents were read`)
    return [
      {
        name: `API memory, paging through ${documents} documents`,
        unit: 'MB',
        ours: largest,
        goal: { most: 300 },
      },
      { name: 'documents paged through over HTTP', unit: '1/s', ours: read / seconds },
    ]
  } finally {
    clearInterval(sampler)
    const exited = once(api, 'exit')
    api.kill('SIGTERM')
    await exited
    rmSync(home, { recursive: true, force: true })
  }
}

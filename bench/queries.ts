import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { queryDocuments, queryScope } from '../core/documents/index.js'
import { compileNxql, parseNxql } from '../core/nxql/index.js'
import { type Principal, principalOf } from '../core/security/index.js'
import { ensureDatabase } from '../stack/postgres/index.js'
import type { Platform } from '../storage/platform/index.js'
import { type Filled, fillRepository, openPlatform, readFilled } from './repository/fill.js'
import { pageThroughAll } from './repository/paging.js'
import { USERS, userName } from './repository/population.js'
import { COUNTED, handwritten, PAGE, SHAPES, type Shape } from './repository/queries.js'
import { type Chance, createChance } from './repository/random.js'
import { quantile, timed } from './rounds.js'
import type { Figure, Measure, MeasureContext } from './types.js'

const DOCUMENTS = 1_000_000
const DATABASE = 'bench_repository'

/** A repository of its own on the server of the run, so that nothing else is in it. */
const openFilled = async ({
  servers,
  isQuick,
  atEnd,
}: MeasureContext): Promise<{ platform: Platform; databaseUrl: string; filled: Filled }> => {
  const documents = isQuick ? 20_000 : DOCUMENTS
  const url = new URL(servers.databaseUrl)
  url.pathname = `/${DATABASE}`
  const databaseUrl = url.href
  await ensureDatabase(servers.databaseUrl, DATABASE)
  const known = await readFilled(databaseUrl, documents)
  if (!known) await renewDatabase(servers.databaseUrl)
  const home = mkdtempSync(join(tmpdir(), 'archivolt-bench-'))
  // One connection, as the SQL by hand has: each prepares a statement for itself.
  const own = { DATABASE_URL: databaseUrl, ARCHIVOLT_HOME: home, ARCHIVOLT_DATABASE_POOL: '1' }
  const platform = await openPlatform({ ...servers.env, ...own })
  atEnd(async () => {
    await platform.close()
    rmSync(home, { recursive: true, force: true })
  })
  return {
    platform,
    databaseUrl,
    filled: known ?? (await fillRepository(platform, { databaseUrl, documents })),
  }
}

const renewDatabase = async (serverUrl: string): Promise<void> => {
  const admin = postgres(serverUrl, { max: 1, onnotice: () => undefined })
  await admin`DROP DATABASE ${admin(DATABASE)}`
  await admin`CREATE DATABASE ${admin(DATABASE)}`
  await admin.end()
}

const someUser = async (sql: postgres.Sql, chance: Chance): Promise<Principal> => {
  const name = userName(chance.below(USERS))
  const rows = await sql<{ groupname: string }[]>`
    SELECT groupname FROM group_members WHERE member = ${name} AND kind = 'user'`
  return principalOf(name, [...rows.map(({ groupname }) => groupname), 'members'], false)
}

/** The 95th percentiles of a query and of the same answer by hand, in milliseconds. */
const compare = async (
  shape: Shape,
  {
    platform,
    sql,
    filled,
    rounds,
  }: { platform: Platform; sql: postgres.Sql; filled: Filled; rounds: number },
): Promise<{ ours: number; floor: number }> => {
  const chance = createChance(7)
  const times: { ours: number[]; floor: number[] } = { ours: [], floor: [] }
  for (let round = 0; round < rounds; round++) {
    const principal = await someUser(sql, chance)
    const { nxql, values, ...conditions } = shape.make(chance, filled.folders)
    const { page, count } = handwritten(shape, conditions)
    const parameters = [[...principal.identities], ...values] as never[]
    let expected: string[] = []
    let found: string[] = []
    const byHand = async () => {
      const rows = await sql.unsafe<{ id: string }[]>(page, parameters, { prepare: true })
      if (rows.length === PAGE) await sql.unsafe(count, parameters, { prepare: true })
      expected = rows.map(({ id }) => id)
    }
    const byQuery = async () => {
      const session = platform.readSession(principal)
      const { entries } = await queryDocuments(session, nxql, { pageSize: PAGE, maxResults: COUNTED })
      found = entries.map(({ id }) => id)
    }
    // Once for nothing: what is measured is the query, not which of both found its pages on the disk.
    await byHand()
    await byQuery()
    const isOurTurn = round % 2 === 0
    const first = await timed(isOurTurn ? byQuery : byHand)
    const second = await timed(isOurTurn ? byHand : byQuery)
    times.ours.push(isOurTurn ? first : second)
    times.floor.push(isOurTurn ? second : first)
    if (JSON.stringify(found) !== JSON.stringify(expected))
      throw new Error(
        `${shape.name}: ${nxql} found ${found.length}, by hand ${expected.length}, or another order`,
      )
  }
  return { ours: quantile(times.ours, 0.95), floor: quantile(times.floor, 0.95) }
}

/** Whether the database would look through all documents for a page of a shape or for its count. */
const scansAll = async (
  shape: Shape,
  {
    platform,
    sql,
    filled,
    rounds,
  }: { platform: Platform; sql: postgres.Sql; filled: Filled; rounds: number },
): Promise<boolean> => {
  const chance = createChance(11)
  for (let round = 0; round < rounds; round++) {
    const session = platform.readSession(await someUser(sql, chance))
    const { nxql } = shape.make(chance, filled.folders)
    const query = parseNxql(nxql)
    const plan = compileNxql(query, await queryScope(session, query))
    for (const statement of [plan.rows({ limit: PAGE, offset: 0 }), plan.count(COUNTED + 1)]) {
      const lines = await session.store.explain(statement)
      if (lines.some((line) => /Seq Scan on documents\b/.test(line))) return true
    }
  }
  return false
}

const generating = ({ documents, folders, seconds }: Filled): Figure[] =>
  seconds
    ? [
        {
          name: `generating ${documents} documents by COPY`,
          unit: '1/s',
          ours: (documents - folders.length) / seconds.copying,
          goal: { least: 20_000 },
        },
        { name: 'the same, with rights, words and indexes', unit: 's', ours: seconds.total },
      ]
    : []

/** Queries with read rights over a million generated documents, against SQL written by hand for the same answer. */
export const measureQueries: Measure = async (context) => {
  const { platform, databaseUrl, filled } = await openFilled(context)
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined })
  context.atEnd(async () => sql.end())
  const figures: Figure[] = generating(filled)
  const scanning: string[] = []
  const scope = { platform, sql, filled }
  // All of them before any is measured: the process is to have compiled its own code, as one that has run for a while.
  for (const shape of SHAPES) await compare(shape, { ...scope, rounds: context.isQuick ? 6 : 60 })
  for (const shape of SHAPES) {
    if (await scansAll(shape, { ...scope, rounds: 20 })) scanning.push(shape.name)
    const times = await compare(shape, { ...scope, rounds: context.isQuick ? 6 : 200 })
    figures.push({ name: `NXQL p95, ${shape.name}`, unit: 'ms', ...times, goal: { most: 1.2 } })
  }
  const name = ['NXQL shapes that scan all documents', ...scanning].join(', ')
  figures.push({ name, unit: 'of 10', ours: scanning.length, goal: { most: 0 } })
  return [...figures, ...(await pageThroughAll(context, { sql, databaseUrl, documents: filled.documents }))]
}

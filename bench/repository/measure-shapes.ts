/**
 * Measures the shapes of queries over a filled repository beside SQL by hand, for `queries.ts`, which passes what is
 * asked as JSON: prints one line with what was measured.
 */
import postgres from 'postgres'
import { type Principal, principalOf, SYSTEM } from '../../core/access/security/index.js'
import { queryDocuments } from '../../core/content/documents/index.js'
import { parseNxql } from '../../core/model/nxql/index.js'
import type { Platform } from '../../runtime/index.js'
import { compileNxql } from '../../storage/postgres/nxql/index.js'
import { createReach, createScopesGathered } from '../../storage/postgres/queries/index.js'
import { quantile, timed } from '../harness/rounds.js'
import { openPlatform, readFilled } from './fill.js'
import { type Folder, USERS, userName } from './population.js'
import { COUNTED, handwritten, PAGE, SHAPES, type Shape } from './queries.js'
import { type Chance, createChance } from './random.js'

export type ShapesAsked = {
  env: { [name: string]: string | undefined }
  databaseUrl: string
  documents: number
  isQuick: boolean
}

export type ShapesMeasured = {
  times: { name: string; ours: number; floor: number }[]
  /** Names of those that look through all documents. */
  scanning: string[]
}

type Scope = { platform: Platform; sql: postgres.Sql; folders: readonly Folder[]; rounds: number }

const someUser = async (sql: postgres.Sql, chance: Chance): Promise<Principal> => {
  const name = userName(chance.below(USERS))
  const rows = await sql<{ groupname: string }[]>`
    SELECT groupname FROM group_members WHERE member = ${name} AND kind = 'user'`
  return principalOf(name, [...rows.map(({ groupname }) => groupname), 'members'], false)
}

/** The 95th percentiles of a query and of the same answer by hand, in milliseconds. */
const compare = async (
  shape: Shape,
  { platform, sql, folders, rounds }: Scope,
): Promise<{ ours: number; floor: number }> => {
  const chance = createChance(7)
  const times: { ours: number[]; floor: number[] } = { ours: [], floor: [] }
  for (let round = 0; round < rounds; round++) {
    const principal = await someUser(sql, chance)
    const { nxql, values, ...conditions } = shape.make(chance, folders)
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
const scansAll = async (shape: Shape, { platform, sql, folders, rounds }: Scope): Promise<boolean> => {
  const chance = createChance(11)
  const reachOf = createReach(sql, { reaches: new Map(), gathered: createScopesGathered(sql).gather })
  for (let round = 0; round < rounds; round++) {
    const { principal, model, now } = platform.readSession(await someUser(sql, chance))
    const query = parseNxql(shape.make(chance, folders).nxql)
    const plan = compileNxql(query, { principal, model, now, reach: await reachOf(principal) })
    for (const { text, parameters } of [plan.rows({ limit: PAGE, offset: 0 }), plan.count(COUNTED + 1)]) {
      const lines = await sql.unsafe<{ 'QUERY PLAN': string }[]>(`EXPLAIN ${text}`, parameters as never[])
      if (lines.some((line) => /Seq Scan on documents\b/.test(line['QUERY PLAN']))) return true
    }
  }
  return false
}

/**
 * Compiles each shape often, so that the process has compiled its own code, as one that has run for a while. The database
 * is not asked: what it remembers is for the rounds.
 */
const warmUp = (platform: Platform, folders: readonly Folder[], rounds: number): void => {
  const chance = createChance(5)
  const { model, now } = platform.readSession(SYSTEM)
  const principal = principalOf('somebody', ['members'], false)
  const gathered = { scopes: '{}', mark: '0', since: '-infinity', until: 'infinity' }
  const scope = { model, now, principal, reach: { isWide: false, gathered } }
  for (let round = 0; round < rounds; round++)
    for (const shape of SHAPES) {
      const plan = compileNxql(parseNxql(shape.make(chance, folders).nxql), scope)
      plan.rows({ limit: PAGE, offset: 0 })
      plan.count(COUNTED + 1)
    }
}

const measureShapes = async (
  { isQuick }: ShapesAsked,
  scope: Omit<Scope, 'rounds'>,
): Promise<ShapesMeasured> => {
  const measured: ShapesMeasured = { times: [], scanning: [] }
  warmUp(scope.platform, scope.folders, isQuick ? 60 : 3_000)
  // All of them before any is measured, each connection and page of the database as well.
  for (const shape of SHAPES) await compare(shape, { ...scope, rounds: isQuick ? 6 : 60 })
  for (const shape of SHAPES) {
    const { name } = shape
    if (await scansAll(shape, { ...scope, rounds: 20 })) measured.scanning.push(name)
    measured.times.push({ name, ...(await compare(shape, { ...scope, rounds: isQuick ? 6 : 200 })) })
  }
  return measured
}

const asked = JSON.parse(process.argv[2] ?? '') as ShapesAsked
const filled = await readFilled(asked.databaseUrl, asked.documents)
if (!filled) throw new Error('The repository is not filled')
const platform = await openPlatform(asked.env)
const sql = postgres(asked.databaseUrl, { max: 1, onnotice: () => undefined })
const measured = await measureShapes(asked, { platform, sql, folders: filled.folders })
await sql.end()
await platform.close()
process.stdout.write(`${JSON.stringify(measured)}\n`)

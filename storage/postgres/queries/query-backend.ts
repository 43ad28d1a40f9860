import type { Principal } from '../../../core/access/security/index.js'
import type {
  CountedPage,
  Page,
  QueryBackend,
  QueryScope,
  Results,
} from '../../../core/content/stores/index.js'
import type { Query } from '../../../core/model/nxql/index.js'
import type { DocumentRecord, PropertyValue } from '../../../core/model/properties/index.js'
import { fail } from '../../../core/platform/errors/index.js'
import { inSnapshot, isPool, type Sql } from '../connection/index.js'
import {
  checkNxql,
  compileAggregate,
  compileNxql,
  compileRecords,
  DEEP_OFFSET,
  type NxqlPlan,
  type NxqlScope,
  type RecordPlan,
  type Statement,
  selectivityOf,
} from '../nxql/index.js'
import type { Pool } from '../pool/index.js'
import { readPage, readRows, readWeighed } from '../rows/index.js'
import { FAR_OFFSET, type Landmarks, readFar } from './landmarks.js'
import { createSender, type PreparedTexts } from './prepared.js'
import { createReach, type GatheredFor, type Reaches } from './reach.js'

/** What all query backends on one database share. */
export type QueryMemory = {
  preparedTexts: PreparedTexts
  reaches: Reaches
  /** Absent: each statement gathers the scopes itself. */
  gathered: GatheredFor
  /** Absent: late pages are read from the first result on. */
  landmarks?: Landmarks | undefined
}

/** Rows of pairs, which are all made and sorted however short the page is: a second of work. */
const MAX_PAIRS = 1_000_000

/** Reads a page, and counts only where the page itself does not say how many results there are. */
const readCounted = async <Entry>(
  { limit, offset, countAtMost }: CountedPage,
  read: () => Promise<Entry[]>,
  count: (atMost?: number) => Promise<number>,
): Promise<Results<Entry>> => {
  const entries = await read()
  const isComplete = entries.length < limit && (entries.length > 0 || offset === 0)
  return { entries, total: isComplete ? offset + entries.length : await count(countAtMost) }
}

/**
 * Where a page lies from the last result backwards, when that is nearer.
 *
 * @param total exactly how many results there are in what is read.
 */
const fromEnd = ({ limit, offset }: Page, total: number): Page | undefined => {
  if (offset <= total / 2) return undefined
  const size = Math.max(0, Math.min(limit, total - offset))
  return { limit: size, offset: Math.max(0, total - offset - size) }
}

const isForRows = ({ select }: Query): boolean =>
  select.kind === 'items' && select.items.some(({ operand }) => operand.kind === 'function')

/** NXQL on Postgres, on the pool or in one transaction. */
export const createQueries = (sql: Sql, memory: QueryMemory): QueryBackend => {
  const sendOn = (connection: Sql) => createSender(connection, memory.preparedTexts)
  const send = sendOn(sql)
  const reachOf = createReach(sql, memory)

  /** How far somebody reads decides about the plan of a query that may find many. */
  const compiledFor = async (query: Query, scope: QueryScope): Promise<NxqlScope> =>
    selectivityOf(query.where) ? scope : { ...scope, reach: await reachOf(scope.principal) }

  const count = async (
    plan: Pick<NxqlPlan, 'count'>,
    atMost?: number,
    sender: typeof send = send,
  ): Promise<number> => {
    const [row] = await sender<{ count: string }[]>(plan.count(atMost === undefined ? undefined : atMost + 1))
    return Number(row?.count ?? 0)
  }

  /**
   * A late page, of results that are all counted anyway. Counted first, so that what lies nearer to the end is read from
   * there; in one snapshot, as the number says which rows those are.
   */
  const readLate = (
    pool: Pool,
    plan: NxqlPlan,
    { page, owner }: { page: Page; owner: Principal },
  ): Promise<Results<DocumentRecord>> =>
    inSnapshot(pool, async (tx) => {
      const sender = sendOn(tx)
      const total = await count(plan, undefined, sender)
      const last = fromEnd(page, total)
      const statement = last ? plan.lastRows(last) : plan.rows(partOf(page))
      return {
        entries: await readRows<DocumentRecord[]>(sender(statement), { atMost: page.limit, owner }),
        total,
      }
    })

  /** A page far behind the first, of results that nobody counts to their end; undefined for others. */
  const far = async (
    { landmarked }: NxqlPlan,
    page: CountedPage,
    read: (statement: Statement) => Promise<DocumentRecord[]>,
  ): Promise<DocumentRecord[] | undefined> => {
    const { landmarks } = memory
    if (!landmarks || page.countAtMost === undefined || page.offset < FAR_OFFSET) return undefined
    const marked = landmarked()
    return marked && readFar({ landmarks, send }, { marked, read }, page)
  }

  const requireFewPairs = async ({ crossed }: RecordPlan): Promise<void> => {
    if (!crossed || (await count(crossed, MAX_PAIRS)) <= MAX_PAIRS) return
    throw fail(
      'badRequest',
      `NXQL: SELECT makes a row of each pair of elements of ${crossed.lists.join(' and ')}, more than ${MAX_PAIRS}: select one of the lists, or narrow the query`,
    )
  }

  return {
    query: async (query, scope, page) => {
      const plan = compileNxql(query, await compiledFor(query, scope))
      if (page.countAtMost === undefined && page.offset >= DEEP_OFFSET && isPool(sql))
        return readLate(sql, plan, { page, owner: scope.principal })
      const bounds = { atMost: page.limit, owner: scope.principal }
      const read = (statement: Statement) => readRows<DocumentRecord[]>(send(statement), bounds)
      const part = partOf(page)
      const near = () => readPage((columns) => send<DocumentRecord[]>(plan.rows(part, columns)), bounds)
      const entries = async () => (await far(plan, page, read)) ?? (await near())
      return readCounted(page, entries, (atMost) => count(plan, atMost))
    },

    ids: async (query, scope, limit) => {
      const plan = compileNxql(query, await compiledFor(query, scope))
      const rows = await send<{ id: string }[]>(plan.ids({ limit }))
      return rows.map(({ id }) => id)
    },

    records: async (query, scope, page) => {
      const plan = compileRecords(query, await compiledFor(query, scope))
      await requireFewPairs(plan)
      type Row = { [column: string]: PropertyValue }
      const recordOf = (row: Row) =>
        Object.fromEntries(plan.keys.map(({ key, column }) => [key, row[column] ?? null]))
      const read = () =>
        readWeighed(
          send<Row[]>(plan.rows(partOf(page))),
          { atMost: page.limit, owner: scope.principal },
          recordOf,
        )
      return readCounted(page, read, (atMost) => count(plan, atMost))
    },

    aggregate: async (query, scope, by) => {
      const statement = compileAggregate(query, by, await compiledFor(query, scope))
      const rows = await send<{ key: string | null; count: string }[]>(statement)
      return rows.map(({ key, count: found }) => ({ key, count: Number(found) }))
    },

    check: checkNxql,
    settled: async () => true,

    explain: async (query, scope, limit) => {
      const { text, parameters } = (isForRows(query) ? compileRecords : compileNxql)(query, scope).rows({
        limit,
      })
      const lines = await sql.unsafe<{ 'QUERY PLAN': string }[]>(`EXPLAIN ${text}`, parameters as never[])
      return { sql: text, parameters: parameters as never, plan: lines.map((line) => line['QUERY PLAN']) }
    },
  }
}

const partOf = ({ limit, offset }: CountedPage) => ({ limit, offset })

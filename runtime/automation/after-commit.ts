import type { UnitsOfWork } from '../../core/automation/run-store/index.js'
import { connectionOf, type Sql } from '../../storage/postgres/index.js'

/** What callers wait for after their transactions; a process without it waits for nothing. */
export type AfterCommit = { run?(repository: string, transaction: number): Promise<void> }

/** Notes which transaction a connection is in, before its end. */
type Note = (sql: Sql) => Promise<void>

/** Runs a transaction, and what is waited for once it has committed. */
export type Awaiting = <Result>(transact: (note: Note) => Promise<Result>) => Promise<Result>

/** @param isAwaited whether anybody listens whom callers wait for. */
export const createAwaiting =
  (repository: string, afterCommit: AfterCommit, isAwaited: () => boolean): Awaiting =>
  async (transact) => {
    const { run } = afterCommit
    if (!run || !isAwaited()) return transact(async () => undefined)
    let transaction: number | null = null
    const result = await transact(async (sql) => {
      const [row] = await sql<{ id: number | null }[]>`
        SELECT pg_current_xact_id_if_assigned()::text::float8 AS id`
      transaction = row?.id ?? null
    })
    // One that has written nothing has no number, and no events.
    if (transaction !== null) await run(repository, transaction)
    return result
  }

/** Units of work whose callers wait; the steps of runs do not. */
export const awaitedUnits = (units: UnitsOfWork, awaiting: Awaiting): UnitsOfWork => ({
  ...units,
  transaction: (principal, work) =>
    awaiting((note) =>
      units.transaction(principal, async (unit, beforeCommit) => {
        const result = await work(unit, beforeCommit)
        await note(connectionOf(unit.session.stores))
        return result
      }),
    ),
})

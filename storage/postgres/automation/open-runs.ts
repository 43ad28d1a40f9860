import type { EnteredRun, OpenRunStore } from '../../../core/automation/run-store/index.js'
import { openRuns } from '../../../schema/execution.js'
import type { Sql } from '../connection/index.js'
import { columnsOf, named, tableOf } from '../rows/index.js'

const OPEN_RUNS = tableOf(openRuns)
const RUN = columnsOf(openRuns)

/** Open runs of users, of one kind, in the table `open_runs` of the main database. */
export const createOpenRunStore = (
  sql: Sql,
  kind: typeof openRuns.$inferSelect.kind = 'run',
): OpenRunStore => ({
  enter: async ({ username, runId, max }) => {
    const [row] = await sql<{ outcome: 'entered' | 'known' | 'full' }[]>`
      SELECT archivolt_enter_run(${username}, ${runId}, ${max}, ${kind}) AS outcome`
    return row!.outcome
  },

  entered: async (username) => [
    ...(await named(sql)<EnteredRun[]>`
      SELECT ${RUN.runId} AS "runId",
        (extract(epoch FROM clock_timestamp() - ${RUN.begunAt}) * 1000)::float8 AS "ageMs"
      FROM ${OPEN_RUNS} WHERE ${RUN.principal} = ${username} AND ${RUN.kind} = ${kind}`),
  ],

  leave: async (runIds) => {
    await named(sql)`DELETE FROM ${OPEN_RUNS} WHERE ${RUN.runId} = ANY(${[...runIds]})`
  },
})

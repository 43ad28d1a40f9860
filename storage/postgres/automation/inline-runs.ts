import type { RunFailure } from '../../../core/automation/language/index.js'
import type { EndedInlineRun, InlineRequest, InlineRuns } from '../../../core/automation/run-store/index.js'
import type { Sql } from '../connection/index.js'

/** Each inline run sends it: a whole text, like the most frequent statements on documents. */
const COMPLETE = `
  INSERT INTO inline_runs (run_id, chain_id, principal, request_id, document_id, title, started_at, closed_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, date_trunc('milliseconds', clock_timestamp()))
  ON CONFLICT (run_id) DO UPDATE
  SET started_at = excluded.started_at, closed_at = excluded.closed_at, failure = NULL, request = NULL
  WHERE inline_runs.failure IS NOT NULL`

type Row = Omit<EndedInlineRun, 'documentId' | 'failure'> & {
  documentId: string | null
  failure: RunFailure | null
  request: InlineRequest | null
}

const runOf = ({ documentId, failure, request: _, ...run }: Row): EndedInlineRun => ({
  ...run,
  ...(documentId !== null && { documentId }),
  ...(failure && { failure }),
})

export const createInlineRuns = (sql: Sql): InlineRuns => ({
  complete: async ({ runId, chainId, principal, requestId, documentId, title, startedAt }) => {
    const values = [runId, chainId, principal, requestId, documentId ?? null, title, startedAt.toISOString()]
    await sql.unsafe(COMPLETE, values, { prepare: true })
  },

  fail: async (run, failure, request) => {
    await sql`
      INSERT INTO inline_runs (run_id, chain_id, principal, request_id, document_id, title, started_at, closed_at,
        failure, request)
      VALUES (${run.runId}, ${run.chainId}, ${run.principal}, ${run.requestId}, ${run.documentId ?? null}, ${run.title},
        ${run.startedAt}, date_trunc('milliseconds', clock_timestamp()), ${sql.json(failure as never)}, ${sql.json(request as never)})
      ON CONFLICT (run_id) DO UPDATE
      SET started_at = excluded.started_at, closed_at = excluded.closed_at, failure = excluded.failure,
          request = excluded.request
      WHERE inline_runs.failure IS NOT NULL`
  },

  find: async (runId) => {
    const [row] = await sql<Row[]>`
      SELECT run_id AS "runId", chain_id AS "chainId", principal, request_id AS "requestId",
        document_id AS "documentId", title, started_at AS "startedAt", closed_at AS "closedAt", failure, request
      FROM inline_runs WHERE run_id = ${runId}`
    return row && { ...runOf(row), ...(row.request && { request: row.request }) }
  },

  list: async ({ chainId, principal, documentIds, from, to, hasFailed }, { limit, before }) => {
    const rows = await sql<Row[]>`
      SELECT run_id AS "runId", chain_id AS "chainId", principal, request_id AS "requestId",
        document_id AS "documentId", title, started_at AS "startedAt", closed_at AS "closedAt", failure
      FROM inline_runs
      WHERE true
        ${chainId === undefined ? sql`` : sql`AND chain_id = ${chainId}`}
        ${principal === undefined ? sql`` : sql`AND principal = ${principal}`}
        ${documentIds === undefined ? sql`` : sql`AND document_id = ANY(${documentIds as string[]})`}
        ${from === undefined ? sql`` : sql`AND started_at >= ${from}`}
        ${to === undefined ? sql`` : sql`AND started_at < ${to}`}
        ${hasFailed === undefined ? sql`` : hasFailed ? sql`AND failure IS NOT NULL` : sql`AND failure IS NULL`}
        ${before === undefined ? sql`` : sql`AND closed_at < ${before}`}
      ORDER BY closed_at DESC, run_id DESC LIMIT ${limit}`
    return rows.map(runOf)
  },
})

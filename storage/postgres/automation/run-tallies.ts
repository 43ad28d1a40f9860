import type { RunTallies, RunTally } from '../../../core/automation/run-store/index.js'
import type { Sql } from '../connection/index.js'

type Row = Pick<RunTally, 'workflowId' | 'incidentCount'> & {
  [count in 'done' | 'failed' | 'total' | 'stopped']: number | null
}

export const createRunTallies = (sql: Sql): RunTallies => ({
  of: async (runs) => {
    const ids = runs.map(({ workflowId }) => workflowId)
    const commands = runs.map(({ commandId }) => commandId ?? null)
    const rows = await sql<Row[]>`
      SELECT r.id AS "workflowId", coalesce(l.done, c.done) AS done, coalesce(l.failed, c.failed) AS failed,
        coalesce(l.total, c.total) AS total, coalesce(l.stopped, 0) AS stopped, i.count AS "incidentCount"
      FROM unnest(${ids}::text[], ${commands}::uuid[]) AS r (id, command)
      LEFT JOIN LATERAL (
        SELECT sum(position - failed)::float8 AS done, sum(failed)::float8 AS failed, sum(total)::float8 AS total,
          (count(*) FILTER (WHERE (stopped ->> 'position')::int = position
            OR entered IS NOT NULL AND position < total))::int AS stopped
        FROM loop_progress WHERE workflow_id = r.id) AS l ON true
      LEFT JOIN LATERAL (
        SELECT processed - failed AS done, failed, collected AS total FROM bulk_commands WHERE id = r.command
      ) AS c ON true
      LEFT JOIN LATERAL (
        SELECT coalesce(sum(1 + coalesce((incident ->> 'omitted')::int, 0)), 0)::float8 AS count
        FROM run_incidents
        WHERE workflow_id = r.id COLLATE "C"
          OR (workflow_id > (r.id || '/') COLLATE "C" AND workflow_id < (r.id || '0') COLLATE "C")) AS i ON true
      WHERE coalesce(l.total, c.total) IS NOT NULL OR i.count > 0`
    return rows.map(({ workflowId, incidentCount, done, failed, total, stopped }) => ({
      workflowId,
      incidentCount,
      items:
        done === null || failed === null || total === null
          ? null
          : { done, failed, total, stopped: stopped ?? 0 },
    }))
  },
})

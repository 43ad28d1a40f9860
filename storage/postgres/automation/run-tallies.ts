import type { RunTallies, RunTally } from '../../../core/automation/run-store/index.js'
import { bulkCommands } from '../../../schema/bulk.js'
import { loopProgress, runIncidents } from '../../../schema/execution.js'
import type { Sql } from '../connection/index.js'
import { columnsOf, named, tableOf } from '../rows/index.js'

const [LOOPS, COMMANDS, INCIDENTS] = [tableOf(loopProgress), tableOf(bulkCommands), tableOf(runIncidents)]
const LOOP = columnsOf(loopProgress)
const COMMAND = columnsOf(bulkCommands)
const INCIDENT = columnsOf(runIncidents)

type Row = Pick<RunTally, 'workflowId' | 'incidentCount'> & {
  [count in 'done' | 'failed' | 'total' | 'stopped']: number | null
}

export const createRunTallies = (sql: Sql): RunTallies => ({
  of: async (runs) => {
    const ids = runs.map(({ workflowId }) => workflowId)
    const commands = runs.map(({ commandId }) => commandId ?? null)
    const rows = await named(sql)<Row[]>`
      SELECT r.id AS "workflowId", coalesce(l.done, c.done) AS done, coalesce(l.failed, c.failed) AS failed,
        coalesce(l.total, c.total) AS total, coalesce(l.stopped, 0) AS stopped, i.count AS "incidentCount"
      FROM unnest(${ids}::text[], ${commands}::uuid[]) AS r (id, command)
      LEFT JOIN LATERAL (
        SELECT sum(${LOOP.position} - ${LOOP.failed})::float8 AS done, sum(${LOOP.failed})::float8 AS failed,
          sum(${LOOP.total})::float8 AS total,
          (count(*) FILTER (WHERE (${LOOP.stopped} ->> 'position')::int = ${LOOP.position}
            OR ${LOOP.entered} IS NOT NULL AND ${LOOP.position} < ${LOOP.total}))::int AS stopped
        FROM ${LOOPS} WHERE ${LOOP.workflowId} = r.id) AS l ON true
      LEFT JOIN LATERAL (
        SELECT ${COMMAND.processed} - ${COMMAND.failed} AS done, ${COMMAND.failed} AS failed,
          ${COMMAND.collected} AS total
        FROM ${COMMANDS} WHERE ${COMMAND.id} = r.command
      ) AS c ON true
      LEFT JOIN LATERAL (
        SELECT coalesce(sum(1 + coalesce((${INCIDENT.incident} ->> 'omitted')::int, 0)), 0)::float8 AS count
        FROM ${INCIDENTS}
        WHERE ${INCIDENT.workflowId} = r.id COLLATE "C"
          OR (${INCIDENT.workflowId} > (r.id || '/') COLLATE "C"
            AND ${INCIDENT.workflowId} < (r.id || '0') COLLATE "C")) AS i ON true
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

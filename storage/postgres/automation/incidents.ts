import type { Incidents, KeptIncident, RecordedIncident } from '../../../core/automation/run-store/index.js'
import type { Sql } from '../connection/index.js'

type Row = Pick<RecordedIncident, 'workflowId' | 'step' | 'at'> & { incident: KeptIncident; count: number }

export const createIncidents = (sql: Sql): Incidents => ({
  record: async ({ workflowId, step }, incidents) => {
    await sql`DELETE FROM run_incidents WHERE workflow_id = ${workflowId} AND step = ${step}`
    await sql`
      INSERT INTO run_incidents (workflow_id, step, ordinal, incident)
      SELECT ${workflowId}, ${step}, ordinal, incident
      FROM jsonb_array_elements(${sql.json(incidents as never)}) WITH ORDINALITY AS told (incident, ordinal)
      ON CONFLICT DO NOTHING`
  },

  list: async (workflowId, limit) => {
    const rows = await sql<Row[]>`
      SELECT workflow_id AS "workflowId", step, at, incident,
        sum(1 + coalesce((incident ->> 'omitted')::int, 0)) OVER ()::float8 AS count
      FROM run_incidents
      WHERE workflow_id = ${workflowId}
        OR (workflow_id > ${`${workflowId}/`} AND workflow_id < ${`${workflowId}0`})
      ORDER BY workflow_id = ${workflowId} AND incident ? 'endsRun' DESC, at, workflow_id, step, ordinal
      LIMIT ${limit}`
    const entries = rows.map(
      ({ incident, count: _, at, ...where }): RecordedIncident => ({
        ...incident,
        ...where,
        at: new Date(at),
      }),
    )
    return { entries: entries.sort((a, b) => a.at.getTime() - b.at.getTime()), count: rows[0]?.count ?? 0 }
  },
})

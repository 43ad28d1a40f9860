import type { Incidents, KeptIncident, RecordedIncident } from '../../../core/automation/run-store/index.js'
import { runIncidents } from '../../../schema/execution.js'
import type { Sql } from '../connection/index.js'
import { columnsOf, named, tableOf } from '../rows/index.js'

const INCIDENTS = tableOf(runIncidents)
const c = columnsOf(runIncidents)

type Row = Pick<RecordedIncident, 'workflowId' | 'step' | 'at'> & {
  incident: KeptIncident
  count: number
  place: number
}

export const createIncidents = (sql: Sql): Incidents => ({
  record: async ({ workflowId, step }, incidents) => {
    await named(sql)`DELETE FROM ${INCIDENTS} WHERE ${c.workflowId} = ${workflowId} AND ${c.step} = ${step}`
    await named(sql)`
      INSERT INTO ${INCIDENTS} (${c.workflowId}, ${c.step}, ${c.ordinal}, ${c.incident})
      SELECT ${workflowId}, ${step}, place, given
      FROM jsonb_array_elements(${sql.json(incidents as never)}) WITH ORDINALITY AS reported (given, place)
      ON CONFLICT DO NOTHING`
  },

  list: async (workflowId, limit) => {
    const rows = await named(sql)<Row[]>`
      SELECT ${c.workflowId} AS "workflowId", ${c.step} AS step, ${c.at} AS at, ${c.incident} AS incident,
        sum(1 + coalesce((${c.incident} ->> 'omitted')::int, 0)) OVER ()::float8 AS count,
        row_number() OVER (ORDER BY ${c.at}, ${c.workflowId}, ${c.step}, ${c.ordinal})::float8 AS place
      FROM ${INCIDENTS}
      WHERE ${c.workflowId} = ${workflowId}
        OR (${c.workflowId} > ${`${workflowId}/`} AND ${c.workflowId} < ${`${workflowId}0`})
      ORDER BY ${c.workflowId} = ${workflowId} AND ${c.incident} ? 'endsRun' DESC, place
      LIMIT ${limit}`
    const entries = rows
      .sort((a, b) => a.place - b.place)
      .map(
        ({ incident, count: _, place: __, at, ...where }): RecordedIncident => ({
          ...incident,
          ...where,
          at: new Date(at),
        }),
      )
    return { entries, count: rows[0]?.count ?? 0 }
  },
})

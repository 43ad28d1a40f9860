import type { Principal } from '../core/access/security/index.js'
import { incidentFields, incidentsOf, type RunReport, reportOf } from '../core/automation/runs/index.js'
import { readable } from './client/index.js'
import type { RunsContext } from './context.js'
import { BULK, describeRun, failureOf, findRun, heartbeatOf, progressOf } from './describe/index.js'

/** The report of a run: from its workers, Temporal and the database. */
export const reportRun = async (
  context: RunsContext,
  workflowId: string,
  principal: Principal,
): Promise<RunReport> => {
  const { client, units } = context
  const { handle, description } = await findRun(context, workflowId, principal)
  const run = describeRun(context, description)
  if (description.type === BULK) return run
  const reading = units.reading(principal)
  const progress = await progressOf(handle)
  // What a step has met is recorded before the run goes on: read earlier, a step that has failed would be done.
  const [page, loops, incidents, failure] = await Promise.all([
    readable(client, (reading) => heartbeatOf(reading, description)),
    reading.iterations.ofRun(workflowId),
    incidentsOf(reading, workflowId),
    description.status.name === 'FAILED'
      ? readable(client, (reading) => failureOf(reading, description))
      : undefined,
  ])
  if (!progress) return { ...run, ...(failure && { failure }), ...incidentFields(incidents) }
  return reportOf(run, { progress, loops, page, failure, incidents })
}

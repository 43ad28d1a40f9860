import type { EndedInlineRun, UnitOfWork } from '../../run-store/index.js'
import { incidentFields, incidentsOf } from '../report/incidents.js'
import type { RunReport } from '../report/types.js'
import { describeInline } from './describe.js'

/** The report of an inline run, which is one transaction. */
export const inlineReport = async (reading: UnitOfWork, run: EndedInlineRun): Promise<RunReport> => {
  const incidents = await incidentsOf(reading, run.runId)
  const completed = incidents.caughtAt === undefined ? 'done' : 'caught'
  return {
    ...describeInline(run),
    nodes: [{ title: run.title, kind: 'segment', status: run.failure ? 'failed' : completed }],
    ...(run.failure && { failure: run.failure }),
    ...incidentFields(incidents),
  }
}

import {
  type KeptIncident,
  type RecordedIncident,
  type UnitOfWork,
  withPaths,
} from '../../run-store/index.js'

/** Maximum of reported incidents. */
const MAX_REPORTED = 100

/** Each kind of incident without the fields of its record only. */
type Reported<Kind> = Kind extends unknown ? Omit<Kind, 'omitted' | 'endsRun'> : never

export type ReportedIncident = Reported<KeptIncident> & {
  at: Date
  /** The child run in which it happened; absent: the run itself. */
  run?: string
  /** The step among the nodes of that run. */
  node: number
  /** The element of a list. */
  position?: number
}

/** The incidents of a run. */
export type ReportedIncidents = {
  incidents: readonly ReportedIncident[]
  /** Number of incidents, those beyond the reported ones included. */
  count: number
  /** The node whose error chain ended the run's own chain. */
  caughtAt?: number
}

const placeOf = (step: string): { node: number; position?: number } => {
  const [node, position] = step.split('/').map(Number)
  return { node: node || 0, ...(Number.isInteger(position) && { position }) }
}

const reported = (
  workflowId: string,
  { workflowId: run, step, omitted: _, ...incident }: RecordedIncident,
): ReportedIncident => {
  const where = { ...(run !== workflowId && { run }), ...placeOf(step) }
  if (incident.kind === 'passedOver') return { ...incident, ...where }
  const { endsRun: __, ...rest } = incident
  return { ...rest, ...where }
}

/** The incidents of a run and of its child runs: the first hundred, and their number. */
export const incidentsOf = async (unit: UnitOfWork, workflowId: string): Promise<ReportedIncidents> => {
  const { entries, count } = await unit.incidents.list(workflowId, MAX_REPORTED)
  const ending = entries.find(
    (incident) => incident.kind === 'errorChain' && incident.endsRun && incident.workflowId === workflowId,
  )
  const incidents = entries.map((incident) => reported(workflowId, incident))
  return {
    incidents: await withPaths(unit, incidents),
    count,
    ...(ending && { caughtAt: placeOf(ending.step).node }),
  }
}

/** The fields of a report; none without incidents. */
export const incidentFields = ({ incidents, count }: ReportedIncidents) =>
  count > 0 ? { incidents, incidentCount: count } : {}

import {
  type KeptIncident,
  type RecordedIncident,
  type UnitOfWork,
  withPaths,
} from '../../run-store/index.js'

/** Incidents that are reported one by one. */
const MAX_REPORTED = 100

/** Each kind without what only its record needs. */
type Reported<Kind> = Kind extends unknown ? Omit<Kind, 'omitted' | 'endsRun'> : never

export type ReportedIncident = Reported<KeptIncident> & {
  at: Date
  /** The run below it in which it was; absent: its own. */
  run?: string
  /** The step among the nodes of that run. */
  node: number
  /** The element of a list. */
  position?: number
}

/** What a run went on after. */
export type ReportedIncidents = {
  incidents: readonly ReportedIncident[]
  /** With those that are not reported one by one. */
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

/** The incidents of a run and of the runs below it: the first hundred, and how many there are. */
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

/** As a report has them: nothing where nothing was. */
export const incidentFields = ({ incidents, count }: ReportedIncidents) =>
  count > 0 ? { incidents, incidentCount: count } : {}

import { failureText, traceText } from '../../core/automation/execution/index.js'
import type { RunTraces, Trace } from '../../core/automation/language/index.js'
import type { UnitsOfWork } from '../../core/automation/run-store/index.js'
import { inlineReport } from './inline-report.js'
import type { RunDescription } from './run-access.js'
import type { ReportedIncident } from './run-incidents.js'
import type { ReportedNode, RunReport } from './run-report.js'
import type { Runs } from './runs.js'

/** Runs of a chain that are remembered, of each kind of execution. */
const MOST_RUNS = 100

const stepText = ({ title, kind, status, loop }: ReportedNode, index: number): string => {
  const items = loop ? `, ${loop.position} of ${loop.total} items, ${loop.failed} failed` : ''
  return `${index}. ${title} (${kind}): ${status}${items}`
}

const incidentText = (incident: ReportedIncident): string => {
  const at = `${incident.at.toISOString()} node ${incident.node}`
  if (incident.kind === 'passedOver')
    return `${at}: ${incident.operation} passed over ${incident.target}, ${failureText(incident.failure)}`
  const { errorChain, after, outcome } = incident
  return `${at}: error chain ${errorChain} ${outcome}, after ${failureText(after)}`
}

/** What is known of a run, for people. */
export const runText = (report: RunReport): string =>
  traceText({
    Chain: report.chainId,
    Run: report.workflowId,
    User: report.principal,
    Document: report.documentId,
    State: report.status,
    Started: report.startedAt,
    Ended: report.closedAt,
    Steps: report.nodes?.map(stepText),
    Failure: report.failure && failureText(report.failure),
    Incidents: report.incidents?.map(incidentText),
  })

/** Traces of what is recorded of runs, in the repository of whoever asks. */
export const createRunTraces =
  (on: (repository: string) => { runs: Runs; units: UnitsOfWork }): RunTraces =>
  async ({ principal, repository }, { chainId, since }) => {
    const { runs, units } = on(repository)
    const list = (execution: 'workflow' | 'inline') =>
      runs.list({ chainId, from: since, execution }, principal, { pageSize: MOST_RUNS })
    const reportOf = async ({ workflowId, execution }: RunDescription): Promise<RunReport> => {
      if (execution !== 'inline') return runs.report(workflowId, principal)
      const reading = units.reading(principal)
      const run = await reading.inlineRuns.find(workflowId)
      return run ? inlineReport(reading, run) : runs.report(workflowId, principal)
    }
    const pages = await Promise.all([list('workflow'), list('inline')])
    return (
      pages
        // Lists begin with the last, which matters to those of the same millisecond.
        .flatMap(({ entries }) => [...entries].reverse())
        .map((run): Trace => ({ startedAt: run.startedAt, text: async () => runText(await reportOf(run)) }))
        .sort((a, b) => a.startedAt.getTime() - b.startedAt.getTime())
        .slice(-MOST_RUNS)
    )
  }

import { failureText, traceText } from '../../execution/index.js'
import type { ReportedIncident } from './incidents.js'
import type { ReportedNode, RunReport } from './types.js'

const stepText = ({ title, kind, status, loop }: ReportedNode, index: number): string => {
  const items = loop ? `, ${loop.position} of ${loop.total} items, ${loop.failed} failed` : ''
  return `${index}. ${title} (${kind}): ${status}${items}`
}

const incidentText = (incident: ReportedIncident): string => {
  const at = `${incident.at.toISOString()} node ${incident.node}`
  if (incident.kind === 'passedOver')
    return `${at}: ${incident.operation} skipped ${incident.target} after ${failureText(incident.failure)}`
  const { errorChain, after, outcome } = incident
  return `${at}: error chain ${errorChain} ${outcome}, after ${failureText(after)}`
}

/** The report of a run as text, a line for each fact. */
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

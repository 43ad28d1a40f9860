import type { DryRunEntity } from '../server/index.js'
import { printableLine, tableOf } from '../terminal/index.js'
import { incidentText } from './incident-lines.js'
import { itemLine } from './progress-lines.js'

const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

const moreThan = (shown: number, all: number): string[] => (all > shown ? [`and ${all - shown} more`] : [])

type Output = DryRunEntity['output']

const outputText = ({ type, value, count, document, documents, blob }: Output): string => {
  if (document) return `the document ${document.path ?? document.uid}`
  if (documents) return countOf(count ?? documents.length, 'document')
  if (blob) return `the file ${blob.name ?? 'without a name'}, ${blob.length} bytes`
  if (count !== undefined) return countOf(count, type === 'bloblist' ? 'file' : 'document')
  if (type === 'void') return 'nothing'
  return value === undefined ? type : `${type} ${JSON.stringify(value)}`
}

const loopLines = ({
  operation,
  target,
  total,
  failed,
  failures,
}: DryRunEntity['loops'][number]): string[] => [
  printableLine(
    `${operation} ${target}: ${total} items${failed > 0 ? `, ${failed} would fail and be passed over` : ''}`,
  ),
  ...failures.map((failure) => `  ${itemLine(failure)}`),
  ...moreThan(failures.length, failed).map((line) => `  ${line}`),
]

const commandLines = ({ action, total, first }: DryRunEntity['commands'][number]): string[] => {
  if (total === undefined)
    return [`It would give the bulk command ${action}, which is not tried: it acts for somebody else`]
  const meets = `It would give the bulk command ${action} over ${countOf(total, 'document')}`
  if (!first) return [meets]
  const { documentId, path, events, failure } = first
  const comes = failure ? `${failure.message} (${failure.status})` : events.join(', ') || 'nothing'
  return [meets, `  ${printableLine(`of which the first, ${path ?? documentId}, would come to: ${comes}`)}`]
}

/** What a call would do: each event and mail a line, then what would come out. */
export const dryRunLines = ({
  output,
  boundaries,
  events,
  eventCount,
  mails,
  mailCount,
  loops,
  incidents,
  incidentCount,
  commands,
}: DryRunEntity): string[] => [
  ...tableOf(
    events.map(({ event, documentId, path, type }) => [event, path ?? documentId ?? '', type ?? '']),
  ),
  ...moreThan(events.length, eventCount),
  ...mails.map(({ to, subject }) => printableLine(`mail to ${to.join(', ')}: ${subject}`)),
  ...moreThan(mails.length, mailCount),
  ...loops.flatMap(loopLines),
  ...incidents.map((incident) => printableLine(incidentText(incident))),
  ...moreThan(incidents.length, incidentCount),
  ...commands.flatMap(commandLines),
  ...(eventCount + mailCount + commands.length === 0 ? ['It would change nothing'] : []),
  printableLine(`It would give ${outputText(output)}`),
  ...(boundaries > 0 ? [`It would commit at ${countOf(boundaries, 'step')} on its way`] : []),
]

import { z } from 'zod'
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

const commandStatus = z.object({ commandId: z.string() })

/** The status of a command that will never be: what it would do is told by itself. */
const isOfCommand = ({ value }: Output, commands: DryRunEntity['commands']): boolean =>
  commands.length > 0 && commandStatus.safeParse(value).success

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

type Event = DryRunEntity['events'][number]

/** Documents told one by one of those that the same happens to. */
const MAX_ALIKE = 10

const joined = (events: readonly Event[]): string[][] => {
  const rows: { names: string[]; about: Event }[] = []
  for (const event of events) {
    const last = rows.at(-1)
    const isSame =
      last !== undefined &&
      event.documentId !== null &&
      last.about.documentId === event.documentId &&
      last.about.path === event.path
    if (!isSame) rows.push({ names: [event.event], about: event })
    else if (!last.names.includes(event.event)) last.names.push(event.event)
  }
  return rows.map(({ names, about: { path, documentId, type } }) => [
    names.join(', '),
    path ?? documentId ?? '',
    type ?? '',
  ])
}

/** What happens to a document is one line; of many that the same happens to, the first are shown. */
const eventLines = (events: readonly Event[]): string[] => {
  const rows = joined(events)
  const counts = new Map<string, number>()
  const shown = rows.filter(([names = '', , type = '']) => {
    const kind = [names, type].join(' ').trimEnd()
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
    return (counts.get(kind) ?? 0) <= MAX_ALIKE
  })
  const more = [...counts].flatMap(([kind, count]) =>
    count > MAX_ALIKE ? [printableLine(`and ${count - MAX_ALIKE} more documents: ${kind}`)] : [],
  )
  return [...tableOf(shown), ...more]
}

/** What a call would do: each document, with its events, and each mail a line, then what would come out. */
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
  ...eventLines(events),
  ...moreThan(events.length, eventCount).map((line) => `${line} events`),
  ...mails.map(({ to, subject }) => printableLine(`mail to ${to.join(', ')}: ${subject}`)),
  ...moreThan(mails.length, mailCount),
  ...loops.flatMap(loopLines),
  ...incidents.map((incident) => printableLine(incidentText(incident))),
  ...moreThan(incidents.length, incidentCount),
  ...commands.flatMap(commandLines),
  ...(eventCount + mailCount + commands.length === 0 ? ['It would change nothing'] : []),
  ...(isOfCommand(output, commands) ? [] : [printableLine(`It would give ${outputText(output)}`)]),
  ...(boundaries > 0 ? [`It would commit at ${countOf(boundaries, 'step')} on its way`] : []),
]

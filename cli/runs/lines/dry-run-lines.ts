import { z } from 'zod'
import type { DryRunEntity } from '../../server/index.js'
import { printableLine, tableOf } from '../../terminal/index.js'
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

/** Whether the output is the status of a command that was rolled back: its effects are reported separately. */
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
    `${operation} ${target}: ${total} items${failed > 0 ? `, ${failed} would fail and be skipped` : ''}`,
  ),
  ...failures.map((failure) => `  ${itemLine(failure)}`),
  ...moreThan(failures.length, failed).map((line) => `  ${line}`),
]

/** Those of an inner loop are alike for each item of the outer one. */
const linesOfLoops = (loops: DryRunEntity['loops']): string[] => {
  const counts = new Map<string, { lines: string[]; count: number }>()
  for (const lines of loops.map(loopLines)) {
    const key = lines.join('\n')
    counts.set(key, { lines, count: (counts.get(key)?.count ?? 0) + 1 })
  }
  return [...counts.values()].flatMap(({ lines: [first = '', ...more], count }) => [
    count === 1 ? first : `${first}, ${count} times`,
    ...more,
  ])
}

const commandLines = ({ action, total, first }: DryRunEntity['commands'][number]): string[] => {
  if (total === undefined)
    return [`It would submit the bulk command ${action}, which is not tried: it acts for another user`]
  const meets = `It would submit the bulk command ${action} on ${countOf(total, 'document')}`
  if (!first) return [meets]
  const { documentId, path, events, failure } = first
  const comes = failure ? `${failure.message} (${failure.status})` : events.join(', ') || 'nothing'
  return [meets, `  ${printableLine(`for the first, ${path ?? documentId}: ${comes}`)}`]
}

type Event = DryRunEntity['events'][number]

/** Maximum of documents with the same events that are listed one by one. */
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

/** A line for each document with its events; of many with the same events, the first ones. */
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

/** The effects of a call: a line for each document with its events, and for each mail, then the output. */
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
  warnings,
}: DryRunEntity): string[] => [
  ...warnings.map((warning) => printableLine(`Warning: ${warning}`)),
  ...eventLines(events),
  ...moreThan(events.length, eventCount).map((line) => `${line} events`),
  ...mails.map(({ to, subject }) => printableLine(`mail to ${to.join(', ')}: ${subject}`)),
  ...moreThan(mails.length, mailCount),
  ...linesOfLoops(loops),
  ...incidents.map((incident) => printableLine(incidentText(incident))),
  ...moreThan(incidents.length, incidentCount),
  ...commands.flatMap(commandLines),
  ...(eventCount + mailCount + commands.length === 0 ? ['It would change nothing'] : []),
  ...(isOfCommand(output, commands) ? [] : [printableLine(`It would return ${outputText(output)}`)]),
  ...(boundaries > 0 ? [`It would commit at ${countOf(boundaries, 'step')} before its end`] : []),
]

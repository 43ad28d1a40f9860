import type { DryRunEntity } from '../server/index.js'
import { printableLine, tableOf } from '../terminal/index.js'

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

/** What a call would do: each event and mail a line, then what would come out. */
export const dryRunLines = ({
  output,
  boundaries,
  events,
  eventCount,
  mails,
  mailCount,
}: DryRunEntity): string[] => [
  ...tableOf(
    events.map(({ event, documentId, path, type }) => [event, path ?? documentId ?? '', type ?? '']),
  ),
  ...moreThan(events.length, eventCount),
  ...mails.map(({ to, subject }) => printableLine(`mail to ${to.join(', ')}: ${subject}`)),
  ...moreThan(mails.length, mailCount),
  ...(eventCount + mailCount === 0 ? ['It would change nothing'] : []),
  printableLine(`It would give ${outputText(output)}`),
  ...(boundaries > 0 ? [`It would commit at ${countOf(boundaries, 'step')} on its way`] : []),
]

import type { DryRun } from '../../../core/automation/dry-run/index.js'
import type { Value } from '../../../core/automation/language/index.js'

/** Documents of an output that are named one by one. */
const MAX_NAMED = 20

type Seen = { path: string | null; type: string | null }

/** Documents as the events of the call name them: what another transaction of it made is known by its id alone. */
type SeenById = ReadonlyMap<string, Seen>

export const seenById = ({ events }: Pick<DryRun['effects'], 'events'>): SeenById =>
  new Map(events.flatMap(({ documentId, path, type }) => (documentId ? [[documentId, { path, type }]] : [])))

const documentSummary = (id: string, known: Seen | undefined) => ({
  uid: id,
  ...(known && { path: known.path, ...(known.type !== null && { type: known.type }) }),
})

/** A summary of the output: the documents that it refers to were rolled back. */
export const summaryOf = (value: Value, seen: SeenById): object => {
  switch (value.type) {
    case 'void':
      return { type: 'void' }
    case 'document':
      return { type: 'document', document: documentSummary(value.id, value.record ?? seen.get(value.id)) }
    case 'documents': {
      const { ids, records } = value
      const named = ids.slice(0, MAX_NAMED)
      return {
        type: 'documents',
        count: value.page?.resultsCount ?? ids.length,
        documents: named.map((id, at) => documentSummary(id, records?.[at] ?? seen.get(id))),
      }
    }
    case 'documentList':
      return { type: 'documents', count: value.count }
    case 'blob':
      return { type: 'blob', blob: fileSummary(value.blob) }
    case 'blobs':
      return {
        type: 'bloblist',
        count: value.blobs.length,
        blobs: value.blobs.slice(0, MAX_NAMED).map(fileSummary),
      }
    case 'recordSet':
      return { type: 'recordSet' }
    default:
      return { type: value.type, value: value.value }
  }
}

const fileSummary = (blob: Extract<Value, { type: 'blob' }>['blob']) => ({
  name: blob.name,
  'mime-type': blob['mime-type'],
  length: blob.length,
})

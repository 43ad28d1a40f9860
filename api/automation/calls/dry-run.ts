import type { Principal } from '../../../core/access/security/index.js'
import { type DryRun, dryRunChain } from '../../../core/automation/dry-run/index.js'
import type { SegmentDependencies } from '../../../core/automation/execution/index.js'
import type { ChainDefinition, Value } from '../../../core/automation/language/index.js'
import type { RunRequest } from '../../../core/automation/planning/index.js'

/** Documents of an output that are named one by one. */
const MAX_NAMED = 20

const documentSummary = ({ id, record }: { id: string; record?: { path: string | null; type: string } }) => ({
  uid: id,
  ...(record && { path: record.path, type: record.type }),
})

/** A summary of the output: the documents that it refers to were rolled back. */
const summaryOf = (value: Value): object => {
  switch (value.type) {
    case 'void':
      return { type: 'void' }
    case 'document':
      return { type: 'document', document: documentSummary(value) }
    case 'documents': {
      const { ids, records } = value
      const named = ids.slice(0, MAX_NAMED)
      return {
        type: 'documents',
        count: value.page?.resultsCount ?? ids.length,
        documents: named.map((id, at) =>
          documentSummary({ id, ...(records?.[at] && { record: records[at] }) }),
        ),
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

const entityOf = (id: string, { output, effects, boundaries, loops, incidents, commands }: DryRun) => ({
  'entity-type': 'dryRun',
  operation: id,
  output: summaryOf(output),
  boundaries,
  ...effects,
  loops,
  incidents: incidents.map(({ omitted: _, ...incident }) => incident),
  incidentCount: incidents.reduce((count, { omitted = 0 }) => count + 1 + omitted, 0),
  commands,
})

/** What a call would do, of which nothing is kept: see `dryRunChain`. */
export const dryRunEntity = async (
  segments: SegmentDependencies,
  call: { chain: ChainDefinition; request: RunRequest; principal: Principal; signal: AbortSignal },
): Promise<object> => entityOf(call.chain.id, await dryRunChain(segments, call))

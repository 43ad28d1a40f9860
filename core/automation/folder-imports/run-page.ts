import type { Principal } from '../../access/security/index.js'
import type { Session } from '../../content/documents/index.js'
import type { EntryOutcome, FoundEntry } from '../../content/folder-import/index.js'
import { throwIfStopped } from '../execution/index.js'
import { finalFailure, type OperationServices } from '../language/index.js'
import { executeOnce, type UnitOfWork, type UnitsOfWork } from '../run-store/index.js'
import type { ImportCursor, ImportPage } from './types.js'

/** What an import reads, and what it does with it. */
export type ImportSource = {
  /** Lines about what is left out are added to `lines`. */
  entries(after: string | null, lines: string[]): AsyncIterable<FoundEntry>
  importEntry(session: Session, entry: FoundEntry, warn: (message: string) => void): Promise<EntryOutcome>
  /** Called once the documents of some paths are committed; again when that is not sure. */
  settle?(paths: readonly string[]): Promise<void>
}

/** What sources are made with. @property folders those of the server below which importers may read. */
export type SourceContext = {
  folders: readonly string[]
  services: Pick<OperationServices, 'blobs' | 'limits'>
  principal: Principal
  signal: AbortSignal
}

/** The receipt of a transaction. */
type Batch = {
  after: string
  counts: { [outcome in EntryOutcome | 'failed']: number }
  done: string[]
  lines: string[]
}

type PageCall = {
  principal: Principal
  /** Names the receipts of this run. */
  importId: string
  cursor: ImportCursor
  batchSize: number
  signal: AbortSignal
  report: (cursor: ImportCursor) => void
}

/** Of one activity: lines travel in its result. */
const MAX_LINES = 200

/** Characters of a line, which may repeat a value. */
const MAX_LINE = 500

/** An activity ends after so many entries or milliseconds, so that an operator sees how far its run is. */
const PAGE_ENTRIES = 500
const PAGE_MS = 60_000

const keyOf = (importId: string, batch: number) => ({ workflowId: importId, step: `batch/${batch}` })

/** One entry, which fails alone. */
const importOne = async (
  source: ImportSource,
  unit: UnitOfWork,
  { entry, batch }: { entry: FoundEntry; batch: Batch },
): Promise<void> => {
  const warn = (message: string): void => {
    batch.lines.push(`${entry.path || '.'}: ${message}`.slice(0, MAX_LINE))
  }
  try {
    const outcome = await unit.attempt((inner) => source.importEntry(inner.session, entry, warn))
    batch.counts[outcome]++
    batch.done.push(entry.path)
  } catch (error) {
    const failure = finalFailure(error)
    if (!failure) throw error
    batch.counts.failed++
    warn(`failed: ${failure.message}`)
  }
}

const importBatch = (
  units: UnitsOfWork,
  source: ImportSource,
  { principal, importId, cursor, signal }: Pick<PageCall, 'principal' | 'importId' | 'cursor' | 'signal'>,
  entries: readonly FoundEntry[],
): Promise<Batch> =>
  executeOnce(
    units,
    { principal, key: keyOf(importId, cursor.batch) },
    {
      work: async (unit) => {
        const after = entries.at(-1)?.path ?? ''
        const batch: Batch = {
          after,
          counts: { created: 0, updated: 0, unchanged: 0, failed: 0 },
          done: [],
          lines: [],
        }
        for (const entry of entries) {
          throwIfStopped(signal)
          await importOne(source, unit, { entry, batch })
        }
        return batch
      },
    },
  )

const behind = (cursor: ImportCursor, { after, counts }: Batch): ImportCursor => ({
  after,
  batch: cursor.batch + 1,
  created: cursor.created + counts.created,
  updated: cursor.updated + counts.updated,
  unchanged: cursor.unchanged + counts.unchanged,
  failed: cursor.failed + counts.failed,
})

async function* batchesOf(
  entries: AsyncIterable<FoundEntry>,
  size: number,
): AsyncGenerator<readonly FoundEntry[]> {
  let batch: FoundEntry[] = []
  for await (const entry of entries) {
    batch.push(entry)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/**
 * Does the next transactions of an import, each once: what an attempt before this one has committed is known by its
 * receipt, and the walk goes on behind it.
 *
 * @throws what may pass; what fails for good is a line of the log.
 */
export const runImportPage = async (
  { units }: { units: UnitsOfWork },
  source: ImportSource,
  { principal, importId, cursor: begun, batchSize, signal, report }: PageCall,
): Promise<ImportPage> => {
  const { receipts } = units.reading(principal)
  const lines: string[] = []
  let cursor = begun
  const take = async (batch: Batch): Promise<void> => {
    await source.settle?.(batch.done)
    cursor = behind(cursor, batch)
    lines.push(...batch.lines)
    report(cursor)
  }
  for (;;) {
    const known = await receipts.find(keyOf(importId, cursor.batch))
    if (known === undefined) break
    await take(known as unknown as Batch)
  }
  const page = (isDone: boolean): ImportPage => ({ cursor, isDone, lines: lines.slice(0, MAX_LINES) })
  const since = performance.now()
  let entries = 0
  for await (const batch of batchesOf(source.entries(cursor.after, lines), batchSize)) {
    throwIfStopped(signal)
    await take(await importBatch(units, source, { principal, importId, cursor, signal }, batch))
    entries += batch.length
    if (entries >= PAGE_ENTRIES || performance.now() - since > PAGE_MS) return page(false)
  }
  return page(true)
}

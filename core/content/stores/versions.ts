import type { DocumentRecord } from '../../model/properties/index.js'
import type { CoreEvent } from '../../platform/events/index.js'

/** The versions of a live document, whose id is that of the series. */
export type VersionStore = {
  /** The oldest first. */
  list(seriesId: string): Promise<DocumentRecord[]>
  latest(seriesId: string): Promise<DocumentRecord | undefined>
  /** Takes the marks of the latest from all others, before a newer version is inserted. */
  markLatest(version: DocumentRecord): Promise<void>
  /** Removes one; the newest of the others is the latest from then on. */
  remove(version: DocumentRecord, events: readonly CoreEvent[]): Promise<void>
}

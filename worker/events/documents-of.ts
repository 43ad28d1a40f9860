import { SYSTEM } from '../../core/access/security/index.js'
import type { RelayedEvent } from '../../core/content/stores/index.js'
import type { DocumentRecord } from '../../core/model/properties/index.js'
import type { Platform } from '../../runtime/index.js'

/** Events whose documents are read in one statement: all of them are in memory at once. */
export const READ_TOGETHER = 50

/** The documents of some events by their ids, as they are now, read in one statement. */
export const documentsOf = async (
  platform: Platform,
  events: readonly Pick<RelayedEvent, 'documentId'>[],
): Promise<Map<string, DocumentRecord>> => {
  const ids = [...new Set(events.flatMap(({ documentId }) => documentId ?? []))]
  if (ids.length === 0) return new Map()
  const found = await platform.readSession(SYSTEM).stores.documents.getMany(ids)
  return new Map(found.map((record) => [record.id, record]))
}

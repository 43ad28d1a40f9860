import { SYSTEM } from '../../core/access/security/index.js'
import type { RelayedEvent } from '../../core/content/stores/index.js'
import type { DocumentRecord } from '../../core/model/properties/index.js'
import type { Platform } from '../../runtime/index.js'

/** Events whose documents are read in one statement: all of them are in memory at once. */
export const READ_TOGETHER = 50

type About = Pick<RelayedEvent, 'documentId'>

const idsOf = (events: readonly About[]): string[] => [
  ...new Set(events.flatMap(({ documentId }) => documentId ?? [])),
]

const byId = (found: readonly DocumentRecord[]): Map<string, DocumentRecord> =>
  new Map(found.map((record) => [record.id, record]))

/**
 * The documents of some events by their ids, as they are now, read in one statement. Large ones are left out: together
 * they might be more than a process can hold, and whoever makes them must not keep anybody from the events behind.
 */
export const documentsOf = async (
  platform: Platform,
  events: readonly About[],
): Promise<Map<string, DocumentRecord>> => {
  const ids = idsOf(events)
  if (ids.length === 0) return new Map()
  return byId(await platform.readSession(SYSTEM).stores.documents.getMany(ids, { areSmall: true }))
}

/** The same of all documents, with no more of their properties than those named. */
export const documentsInBrief = async (
  platform: Platform,
  events: readonly About[],
  properties: readonly string[],
): Promise<Map<string, DocumentRecord>> =>
  byId(await platform.readSession(SYSTEM).stores.documents.briefly(idsOf(events), properties))

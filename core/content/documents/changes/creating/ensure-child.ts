import type { DocumentRecord, Properties } from '../../../../model/properties/index.js'
import { documentEvent, notifyListeners } from '../../events.js'
import { childPath } from '../../names.js'
import type { Session } from '../../session.js'
import { staleDocument } from '../stale.js'
import { announced, newRecord } from './create.js'

/**
 * The child of a name, created when it does not exist. Concurrent calls create
 * one: later ones wait for the transaction of the first. Checks no rights.
 *
 * @param name as it is to be stored.
 */
export const ensureChild = async (
  session: Session,
  wanted: { parent: DocumentRecord; name: string; type: string; properties?: Properties },
): Promise<{ document: DocumentRecord; isNew: boolean }> => {
  const { parent } = wanted
  const path = childPath(parent.path ?? '', wanted.name)
  const existing = await session.stores.documents.get(path)
  if (existing) return { document: existing, isNew: false }
  const record = await announced(session, await newRecord(session, wanted))
  const events = [documentEvent('documentCreated', record)]
  const outcome = await session.stores.documents.insert(record, events, parent)
  if (outcome === 'inserted') return { document: await notifyListeners(session, record, events), isNew: true }
  const others = outcome === 'nameTaken' ? await session.stores.documents.get(path) : undefined
  if (!others) throw staleDocument(parent.id)
  return { document: others, isNew: false }
}

import { randomUUID } from 'node:crypto'
import type { DocumentRecord } from '../../model/properties/index.js'
import {
  announce,
  documentEvent,
  notifyListeners,
  type Placed,
  positionIn,
  requireNoComment,
  requireNoWorkflowDocument,
  type Session,
  staleDocument,
  withFreeName,
} from '../documents/index.js'

/**
 * Creates a proxy in a locked folder. The target is locked from here on, so that the proxy misses none of its
 * changes.
 *
 * @throws forbidden for tasks, routes and comments.
 */
export const createProxy = async (
  session: Session,
  { target, folder, name }: { target: DocumentRecord; folder: Placed; name: string },
): Promise<DocumentRecord> => {
  const held = await session.stores.proxies.holdTarget(target.id)
  if (!held) throw staleDocument(target.id)
  requireNoWorkflowDocument(session, held)
  requireNoComment(session, held, 'published')
  const draft = (place: { name: string; path: string; position: number | null }): DocumentRecord => ({
    ...held,
    ...place,
    id: randomUUID(),
    parentId: folder.id,
    isVersion: false,
    isProxy: true,
    isTrashed: folder.isTrashed,
    versionSeriesId: null,
    proxyTargetId: held.id,
    proxyVersionSeriesId: held.versionSeriesId ?? held.id,
    systemToken: 0,
    aclId: folder.aclId,
  })
  const position = await positionIn(session, folder)
  await announce(session, 'aboutToCreate', draft({ name, path: `${folder.path}/${name}`, position }))
  const proxy = await withFreeName(session, {
    parent: folder,
    name,
    position,
    attempt: async (place) => {
      const record = draft({ name: place.name, path: place.path, position: place.position })
      const outcome = await session.stores.documents.insert(
        record,
        [documentEvent('documentCreated', record)],
        folder,
      )
      if (outcome === 'parentChanged') throw staleDocument(folder.id)
      return outcome === 'inserted' ? record : undefined
    },
  })
  return notifyListeners(session, proxy, [documentEvent('documentCreated', proxy)])
}

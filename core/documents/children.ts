import { keepReadable } from './access.js'
import type { Session } from './session.js'
import type { DocumentRecord } from './types.js'

/** All direct children that the principal may read, by position, then name. */
export const getChildren = async (session: Session, parent: DocumentRecord): Promise<DocumentRecord[]> =>
  keepReadable(session, await session.store.children(parent.id))

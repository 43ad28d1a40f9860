import type { DocumentRecord, Properties } from '../../model/properties/index.js'
import { HIDING_LISTS, keepReadable, MEMBERS, type Session } from '../documents/index.js'
import { idsAt } from './ids.js'

/** How many documents are asked about at a time. */
const CHUNK = 500

/**
 * Those that the principal may read, in their order. Asks for nothing that is as large as somebody makes it: whoever may
 * read a document may put it into collections.
 */
export const readableIds = async (session: Session, ids: readonly string[]): Promise<ReadonlySet<string>> => {
  const readable = new Set<string>()
  for (let at = 0; at < ids.length; at += CHUNK) {
    const some = ids.slice(at, at + CHUNK)
    const found = await session.stores.documents.accessOf(some)
    const kept = new Set((await keepReadable(session, found)).map(({ id }) => id))
    for (const id of some) if (kept.has(id)) readable.add(id)
  }
  return readable
}

/** Documents without the ids of members and collections that the principal may not read, or that are gone. */
export const withoutHiddenIds = async (
  session: Session,
  documents: readonly DocumentRecord[],
): Promise<readonly DocumentRecord[]> => {
  if (session.principal.isAdministrator) return documents
  const ids = new Set(documents.flatMap((document) => HIDING_LISTS.flatMap((list) => idsAt(document, list))))
  if (ids.size === 0) return documents
  const readable = await readableIds(session, [...ids])
  return documents.map((document) => {
    const properties = { ...document.properties }
    for (const list of HIDING_LISTS)
      if (properties[list]) properties[list] = idsAt(document, list).filter((id) => readable.has(id))
    return { ...document, properties }
  })
}

/**
 * Properties to write with the ids that their caller never saw: whoever writes back a list that was read removes
 * nothing that was hidden.
 */
export const withHiddenIds = async (
  session: Session,
  document: DocumentRecord,
  properties: Properties,
): Promise<Properties> => {
  const written = properties[MEMBERS]
  if (written === undefined || session.principal.isAdministrator) return properties
  const sent = Array.isArray(written) ? written : []
  const known = new Set<unknown>(sent)
  const left = idsAt(document, MEMBERS).filter((id) => !known.has(id))
  const readable = await readableIds(session, left)
  const hidden = left.filter((id) => !readable.has(id))
  return hidden.length === 0 ? properties : { ...properties, [MEMBERS]: [...sent, ...hidden] }
}

import type { DocumentRecord, Properties } from '../../../model/properties/index.js'
import type { ReadingApart } from '../../stores/index.js'
import { heldByFacts, heldPermissions } from '../access/held-permissions.js'
import { areDemandsOthers } from '../access/policy-queries.js'
import type { Session } from '../session.js'
import { LISTED_PROPERTIES } from './listed.js'

const briefly = (document: DocumentRecord): DocumentRecord => {
  const properties: Properties = {}
  for (const name of LISTED_PROPERTIES) {
    const value = document.properties[name]
    if (value !== undefined) properties[name] = value
  }
  return { ...document, properties }
}

/**
 * Documents that a query has found for whoever may browse them: what they hold is for those who may read them. Of others
 * there is the title, as lists show it.
 */
export const asFound = async (
  session: Session,
  documents: readonly DocumentRecord[],
): Promise<DocumentRecord[]> => {
  if (session.principal.isAdministrator) return [...documents]
  const check = areDemandsOthers(session, 'Read', 'Browse') ? heldPermissions : heldByFacts
  const held = await check(session, documents, ['Read'])
  return documents.map((document, position) => (held[position]!.length > 0 ? document : briefly(document)))
}

/** The permissions by which somebody browses and does not read; undefined where there are none, and for administrators. */
export const readingApart = ({
  permissions,
  principal,
}: Pick<Session, 'permissions' | 'principal'>): ReadingApart | undefined => {
  if (principal.isAdministrator) return undefined
  const reading = permissions.accepted('Read')
  const browsing = [...permissions.accepted('Browse')].filter((name) => !reading.has(name))
  return browsing.length === 0 ? undefined : { browsing, reading: [...reading] }
}

/**
 * The same, where the principal may browse a document by one of them; undefined for most, who may read whatever they may
 * browse.
 */
export const browsedAlone = async (
  session: Pick<Session, 'permissions' | 'principal' | 'stores'>,
): Promise<ReadingApart | undefined> => {
  const apart = readingApart(session)
  return apart && (await session.stores.acls.isBrowsedBy(apart.browsing)) ? apart : undefined
}

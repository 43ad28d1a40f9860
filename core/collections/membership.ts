import {
  type DocumentRecord,
  documentEvent,
  emit,
  keepReadable,
  requirePermission,
  type Session,
  staleDocument,
  updateDocument,
  withFacet,
  writeQuietly,
} from '../documents/index.js'
import { fail } from '../errors/index.js'

const FACET = 'Collection'
const MEMBER_FACET = 'CollectionMember'
const NO_MEMBER_FACET = 'NotCollectionMember'
const MEMBERS = 'collection:documentIds'
const COLLECTIONS = 'collectionMember:collectionIds'

const idsAt = ({ properties }: DocumentRecord, property: string): string[] => {
  const stored = properties[property]
  return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : []
}

/** Ids of the members of a collection in their order, those that are hidden from somebody included. */
export const memberIds = (collection: DocumentRecord): string[] => idsAt(collection, MEMBERS)

const nameOf = ({ path, id }: DocumentRecord): string => path ?? id

export const requireCollection = (session: Session, document: DocumentRecord, field = 'collection'): void => {
  if (!session.model.facetsOf(document.type, document.facets).includes(FACET))
    throw fail('badRequest', `${field}: ${nameOf(document)} is a ${document.type}, not a collection`)
}

/** A collection held against other changes of its members, as it is now. */
const hold = async (session: Session, collection: DocumentRecord): Promise<DocumentRecord> => {
  requireCollection(session, collection)
  await requirePermission(session, collection, 'WriteProperties')
  const current = await session.store.get(collection.id, 'write')
  if (!current) throw staleDocument(collection.id)
  return current
}

/**
 * Notes on a member which collections it is in: neither version nor `dc:modified` change, and it needs no right
 * on the member. A proxy has no properties of its own, so nothing is noted there.
 */
const mark = (
  session: Session,
  document: DocumentRecord,
  {
    event,
    collection,
    next,
  }: {
    event: string
    collection: DocumentRecord
    next: (current: string[]) => string[]
  },
): Promise<DocumentRecord> =>
  writeQuietly(
    session,
    document.id,
    (current) => {
      if (current.isProxy) return {}
      const ids = next(idsAt(current, COLLECTIONS))
      return ids.length === 0
        ? {
            properties: { [COLLECTIONS]: null },
            facets: current.facets.filter((facet) => facet !== MEMBER_FACET),
          }
        : { properties: { [COLLECTIONS]: ids }, facets: withFacet(session, current, MEMBER_FACET) }
    },
    (current) => [documentEvent(event, current, { collectionRef: collection.id })],
  )

const announce = (session: Session, event: string, document: DocumentRecord, collection: DocumentRecord) =>
  emit(session, document, [documentEvent(event, document, { collectionRef: collection.id })])

const requireMember = (session: Session, collection: DocumentRecord, document: DocumentRecord): void => {
  if (document.id === collection.id)
    throw fail('badRequest', `collection: ${nameOf(document)} cannot be in itself`)
  if (session.model.facetsOf(document.type, document.facets).includes(NO_MEMBER_FACET))
    throw fail(
      'badRequest',
      `Documents of type ${document.type} cannot be in a collection: ${nameOf(document)}`,
    )
}

/**
 * Puts documents into a collection, at its end; those that are in it already stay where they are
 * (workflow-audit.md §9). Additions at the same time lose nothing.
 *
 * @returns the documents, as they are afterwards.
 * @throws badRequest for what is no collection or cannot be in one, forbidden without `WriteProperties` on the
 * collection, notFound for a document that is hidden.
 */
export const addToCollection = async (
  session: Session,
  collection: DocumentRecord,
  documents: readonly DocumentRecord[],
): Promise<DocumentRecord[]> => {
  const current = await hold(session, collection)
  for (const document of documents) {
    requireMember(session, current, document)
    await requirePermission(session, document, 'Read')
  }
  const ids = memberIds(current)
  const added = new Set(documents.map(({ id }) => id).filter((id) => !ids.includes(id)))
  if (added.size === 0) return [...documents]
  for (const document of documents)
    if (added.has(document.id)) await announce(session, 'beforeAddedToCollection', document, current)
  await updateDocument(session, current, { [MEMBERS]: [...ids, ...added] })
  const marked: DocumentRecord[] = []
  for (const document of documents) {
    const isNew = added.delete(document.id)
    marked.push(
      isNew
        ? await mark(session, document, {
            event: 'addedToCollection',
            collection: current,
            next: (known) => (known.includes(current.id) ? known : [...known, current.id]),
          })
        : document,
    )
  }
  return marked
}

/**
 * Takes documents out of a collection; those that are not in it are passed over.
 *
 * @returns the documents, as they are afterwards.
 * @throws as `addToCollection`.
 */
export const removeFromCollection = async (
  session: Session,
  collection: DocumentRecord,
  documents: readonly DocumentRecord[],
): Promise<DocumentRecord[]> => {
  const current = await hold(session, collection)
  for (const document of documents) await requirePermission(session, document, 'Read')
  const ids = memberIds(current)
  const removed = new Set(documents.map(({ id }) => id).filter((id) => ids.includes(id)))
  if (removed.size === 0) return [...documents]
  for (const document of documents)
    if (removed.has(document.id)) await announce(session, 'beforeRemovedFromCollection', document, current)
  await updateDocument(session, current, { [MEMBERS]: ids.filter((id) => !removed.has(id)) })
  const unmarked: DocumentRecord[] = []
  for (const document of documents) {
    const isGone = removed.delete(document.id)
    unmarked.push(
      isGone
        ? await mark(session, document, {
            event: 'removedFromCollection',
            collection: current,
            next: (known) => known.filter((id) => id !== current.id),
          })
        : document,
    )
  }
  return unmarked
}

/**
 * Moves a member behind another one, to the front when none is given.
 *
 * @throws badRequest when one of them is not in the collection, and as `addToCollection`.
 */
export const moveMember = async (
  session: Session,
  collection: DocumentRecord,
  { member, behind }: { member: DocumentRecord; behind?: DocumentRecord | undefined },
): Promise<DocumentRecord> => {
  const current = await hold(session, collection)
  const ids = memberIds(current)
  for (const [field, document] of [
    ['member1', member],
    ['member2', behind],
  ] as const)
    if (document && !ids.includes(document.id))
      throw fail('badRequest', `${field}: ${nameOf(document)} is not in the collection`)
  if (member.id === behind?.id) return current
  const others = ids.filter((id) => id !== member.id)
  const at = behind ? others.indexOf(behind.id) + 1 : 0
  return updateDocument(session, current, { [MEMBERS]: others.toSpliced(at, 0, member.id) })
}

/** How many members are looked at in one go. */
const CHUNK = 500

/**
 * The members of a collection that the principal may read, in their order, without those in the trash.
 *
 * @throws badRequest for what is no collection, forbidden without `Read` on it.
 */
export const getMembers = async (session: Session, collection: DocumentRecord): Promise<DocumentRecord[]> => {
  requireCollection(session, collection, 'input')
  await requirePermission(session, collection, 'Read')
  const ids = memberIds(collection)
  const members: DocumentRecord[] = []
  for (let at = 0; at < ids.length; at += CHUNK) {
    const found = await session.store.getMany(ids.slice(at, at + CHUNK))
    members.push(
      ...(await keepReadable(
        session,
        found.filter(({ isTrashed }) => !isTrashed),
      )),
    )
  }
  return members
}

/** The collections that a document is in, as far as the principal may read them; no versions, none in the trash. */
export const getCollectionsOf = async (
  session: Session,
  document: DocumentRecord,
): Promise<DocumentRecord[]> => {
  const holding = await session.store.collectionsHolding(document.id)
  return keepReadable(
    session,
    holding.filter(({ isTrashed, isVersion }) => !isTrashed && !isVersion),
  )
}

/** Whether a collection holds a document. */
export const isInCollection = (collection: DocumentRecord, document: DocumentRecord): boolean =>
  memberIds(collection).includes(document.id)

import type { DocumentRecord } from '../../model/properties/index.js'
import { fail } from '../../platform/errors/index.js'
import { createCharacterBudget, createFairSemaphore, tooManyAtOnce } from '../../platform/limits/index.js'
import {
  announce,
  COLLECTIONS,
  childPath,
  documentEvent,
  LISTED_PROPERTIES,
  MEMBERS,
  requireFewCollections,
  requirePermission,
  type Session,
  staleDocument,
  updateDocument,
  withFacet,
  writeQuietly,
} from '../documents/index.js'
import type { Holding } from '../stores/index.js'
import { findUserWorkspace } from '../user-workspaces/index.js'
import { readableIds } from './hidden-ids.js'
import { idsAt } from './ids.js'

/** Type and name of the collection of one's favourites. */
export const FAVORITES = 'Favorites'

const FACET = 'Collection'
const MEMBER_FACET = 'CollectionMember'
const NO_MEMBER_FACET = 'NotCollectionMember'
/** Ids of the members of a collection in their order, hidden ones included. */
export const memberIds = (collection: DocumentRecord): string[] => idsAt(collection, MEMBERS)

const nameOf = ({ path, id }: DocumentRecord): string => path ?? id

export const requireCollection = (session: Session, document: DocumentRecord, field = 'collection'): void => {
  if (!session.model.facetsOf(document.type, document.facets).includes(FACET))
    throw fail('badRequest', `${field}: ${nameOf(document)} is a ${document.type}, not a collection`)
}

/** A collection as it is now, locked against other changes of its members. */
const hold = async (session: Session, collection: DocumentRecord): Promise<DocumentRecord> => {
  requireCollection(session, collection)
  await requirePermission(session, collection, 'WriteProperties')
  const current = await session.stores.documents.get(collection.id, 'write')
  if (!current) throw staleDocument(collection.id)
  return current
}

/** The effect of a change of members: the documents concerned, the lists afterwards, and the events to emit. */
type Change = {
  event: 'addedToCollection' | 'removedFromCollection'
  before: 'beforeAddedToCollection' | 'beforeRemovedFromCollection'
  isConcerned: (id: string, members: ReadonlySet<string>) => boolean
  membersAfter: (members: readonly string[], concerned: ReadonlySet<string>) => string[]
  marksAfter: (marks: readonly string[], collection: string) => string[]
}

const ADDING: Change = {
  event: 'addedToCollection',
  before: 'beforeAddedToCollection',
  isConcerned: (id, members) => !members.has(id),
  membersAfter: (members, concerned) => [...members, ...concerned],
  marksAfter: (marks, collection) => (marks.includes(collection) ? [...marks] : [...marks, collection]),
}

const REMOVING: Change = {
  event: 'removedFromCollection',
  before: 'beforeRemovedFromCollection',
  isConcerned: (id, members) => members.has(id),
  membersAfter: (members, concerned) => members.filter((id) => !concerned.has(id)),
  marksAfter: (marks, collection) => marks.filter((id) => id !== collection),
}

/**
 * Stores on a member which collections it is in: neither version nor `dc:modified` change, and it needs no right
 * on the member. A proxy has no properties of its own, so nothing is stored there.
 */
const mark = (
  session: Session,
  document: DocumentRecord,
  {
    collection,
    change: { event, marksAfter },
    mayBeMany,
  }: { collection: DocumentRecord; change: Change; mayBeMany: boolean },
): Promise<DocumentRecord> =>
  writeQuietly(
    session,
    document.id,
    (current) => {
      if (current.isProxy) return {}
      const before = idsAt(current, COLLECTIONS)
      const ids = marksAfter(before, collection.id)
      if (ids.length > before.length && !mayBeMany)
        requireFewCollections(session, ids.length, nameOf(current))
      return ids.length === 0
        ? {
            properties: { [COLLECTIONS]: null },
            facets: current.facets.filter((facet) => facet !== MEMBER_FACET),
          }
        : { properties: { [COLLECTIONS]: ids }, facets: withFacet(session, current, MEMBER_FACET) }
    },
    (current) => [documentEvent(event, current, { collectionRef: collection.id })],
  )

/** Everybody has one such collection, so that no number of others keeps a document from being somebody's favourite. */
const isOwnFavorites = async (session: Session, { type, path }: DocumentRecord): Promise<boolean> => {
  if (type !== FAVORITES || path === null) return false
  const workspace = await findUserWorkspace(session)
  return workspace?.path ? path === childPath(workspace.path, FAVORITES) : false
}

/** Changes the members of a locked collection, and the marks of the documents concerned. */
const changeMembers = async (
  session: Session,
  {
    collection,
    documents,
    change,
  }: { collection: DocumentRecord; documents: readonly DocumentRecord[]; change: Change },
): Promise<DocumentRecord[]> => {
  const members = memberIds(collection)
  const known = new Set(members)
  const concerned = new Map(
    documents.filter(({ id }) => change.isConcerned(id, known)).map((document) => [document.id, document]),
  )
  if (concerned.size === 0) return [...documents]
  for (const document of concerned.values())
    await announce(session, change.before, document, { collectionRef: collection.id })
  const after = change.membersAfter(members, new Set(concerned.keys()))
  await updateDocument(session, collection, { [MEMBERS]: after })
  const mayBeMany = await isOwnFavorites(session, collection)
  for (const [id, document] of concerned)
    concerned.set(id, await mark(session, document, { collection, change, mayBeMany }))
  return documents.map((document) => concerned.get(document.id) ?? document)
}

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
 * Adds documents to a collection, at its end; members stay where they are
 * (workflow-audit.md §9). Concurrent additions are all kept.
 *
 * @returns the documents, as they are afterwards.
 * @throws badRequest for what is no collection, or cannot be in one or in one more; forbidden without `WriteProperties` on the
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
  return changeMembers(session, { collection: current, documents, change: ADDING })
}

/**
 * Removes documents from a collection; documents that are not in it are skipped.
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
  return changeMembers(session, { collection: current, documents, change: REMOVING })
}

/**
 * Moves a member after another one, or to the front when there is no other.
 *
 * @throws badRequest when one of them is not in the collection, and as `addToCollection`.
 */
export const moveMember = async (
  session: Session,
  collection: DocumentRecord,
  { member, after }: { member: DocumentRecord; after?: DocumentRecord | undefined },
): Promise<DocumentRecord> => {
  const current = await hold(session, collection)
  const ids = memberIds(current)
  for (const [field, document] of [
    ['member1', member],
    ['member2', after],
  ] as const)
    if (document && !ids.includes(document.id))
      throw fail('badRequest', `${field}: ${nameOf(document)} is not in the collection`)
  if (member.id === after?.id) return current
  const others = ids.filter((id) => id !== member.id)
  const at = after ? others.indexOf(after.id) + 1 : 0
  return updateDocument(session, current, { [MEMBERS]: others.toSpliced(at, 0, member.id) })
}

/** How many members are read at a time. */
const CHUNK = 500

/**
 * The members of a collection that the principal may read, each once, in their order, without those in the trash.
 *
 * @throws badRequest for what is no collection, forbidden without `Read` on it, tooLarge when they have more characters
 * than a list may have.
 */
export const getMembers = async (session: Session, collection: DocumentRecord): Promise<DocumentRecord[]> => {
  requireCollection(session, collection, 'input')
  await requirePermission(session, collection, 'Read')
  const ids = [...(await readableIds(session, [...new Set(memberIds(collection))]))]
  const members: DocumentRecord[] = []
  const spend = createCharacterBudget(
    (most) => `The members of ${nameOf(collection)} have more than ${most} characters`,
  )
  for (let at = 0; at < ids.length; at += CHUNK) {
    const found = await session.stores.documents.getMany(ids.slice(at, at + CHUNK))
    const kept = found.filter(({ isTrashed }) => !isTrashed)
    spend(kept)
    members.push(...kept)
  }
  return members
}

/**
 * How many documents are looked up in collections at a time, and for how long, milliseconds. Each look goes through all
 * members of each collection, of which there may be a hundred thousand.
 */
const LOOKED_UP = 10
const LOOKING_MS = 3_000

/** Looks of a process at the same time, and how long one waits for its turn, milliseconds. */
const looks = createFairSemaphore({ places: 2, waitTimeoutMs: 10_000 })

const tooManyLooks = tooManyAtOnce('looks at collections')

/** Which collections name which of some documents. @throws tooLarge when that takes too long. */
const holdingOf = async ({ stores, principal }: Session, ids: readonly string[]): Promise<Holding[]> => {
  const pairs: Holding[] = []
  const endsAt = performance.now() + LOOKING_MS
  for (let at = 0; at < ids.length; at += LOOKED_UP) {
    if (performance.now() > endsAt)
      throw fail(
        'tooLarge',
        'collections: the collections of so many documents have too many members: ask for a smaller page (pageSize)',
      )
    const some = ids.slice(at, at + LOOKED_UP)
    const found = await looks.within(principal.name, () => stores.collections.holding(some), tooManyLooks)
    for (const pair of found) pairs.push(pair)
  }
  return pairs
}

/**
 * The collections that some documents are in, by the id of the document and by path, as far as the principal may read
 * them; no versions, none in the trash. Each is read once.
 *
 * @param options `isWhole`: with all their properties, instead of title and date of modification alone.
 * @throws tooLarge when looking for them takes too long, or they are read as a whole and have more characters than a
 * list may have; tooManyRequests.
 */
export const getCollectionsOf = async (
  session: Session,
  documents: readonly DocumentRecord[],
  { isWhole }: { isWhole: boolean },
): Promise<ReadonlyMap<string, readonly DocumentRecord[]>> => {
  const { documents: stored } = session.stores
  const ids = [...new Set(documents.map(({ id }) => id))]
  const pairs = await holdingOf(session, ids)
  const readable = [...(await readableIds(session, [...new Set(pairs.map(({ collection }) => collection))]))]
  const found = await (isWhole ? stored.getMany(readable) : stored.briefly(readable, LISTED_PROPERTIES))
  const shown = found
    .filter(({ isTrashed, isVersion }) => !isTrashed && !isVersion)
    .sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1))
  const ranks = new Map(shown.map(({ id }, rank) => [id, rank]))
  const ranksOf = new Map<string, number[]>(ids.map((id) => [id, []]))
  for (const { member, collection } of pairs) {
    const rank = ranks.get(collection)
    if (rank !== undefined) ranksOf.get(member)?.push(rank)
  }
  return new Map([...ranksOf].map(([id, own]) => [id, own.sort((a, b) => a - b).map((rank) => shown[rank]!)]))
}

import { randomUUID } from 'node:crypto'
import {
  type DocumentRecord,
  type DocumentRef,
  defaultProperties,
  type Properties,
  requireKnownReferences,
  requireValid,
} from '../../../../model/properties/index.js'
import { fail, isArchivoltError, requireAtomic } from '../../../../platform/errors/index.js'
import { versioningRegistry } from '../../../versioning/policies/index.js'
import { getDocument, requirePermission } from '../../access/access.js'
import { requireAuditStays } from '../../access/audited-facets.js'
import { requireNoWorkflowDocument } from '../../access/workflow-documents.js'
import { announce, documentEvent, notifyListeners } from '../../events.js'
import { alternativeName, childPath, documentName } from '../../names.js'
import { positionIn, requireContainer } from '../../place.js'
import { conditionTest } from '../../reading/condition.js'
import { referenceLookup } from '../../reading/references.js'
import type { Session } from '../../session.js'
import { throwIfOver } from '../begin.js'
import { creationProperties, withoutProtected } from '../dublincore.js'
import { placeBlobs } from '../place-blobs.js'
import { staleDocument } from '../stale.js'
import { announcedEmpty } from './unsaved.js'

export type NewDocument = {
  /** A record that was read earlier in the transaction saves a read; where it has changed since, all is done again. */
  parent: DocumentRef | DocumentRecord
  name: string
  type: string
  properties?: Properties
  /** Facets that it has beside those of its type. */
  facets?: readonly string[]
  /** State to begin in; absent: the initial one of its life cycle. The caller has checked that it may. */
  lifecycleState?: string
  /** Of a caller that must know it before; absent: a new one. */
  id?: string
}

/** How many alternative names are tried; they differ by a millisecond. */
const MAX_NAME_ATTEMPTS = 50

/** No effective ACL has it: a root gets its own in the transaction that creates it. */
const NO_ACL = 0

/**
 * A new document: defaults, who created it and when, the initial state of its life cycle.
 *
 * @throws badRequest for an unknown type, forbidden for one of tasks or routes, invalid when a constraint of the content
 * model is violated.
 */
export const newRecord = async (
  session: Session,
  {
    parent,
    name,
    type,
    properties = {},
    facets = [],
    lifecycleState,
    position = null,
    id = randomUUID(),
  }: {
    /** Null for the root, whose ACL is computed after its creation. */
    parent: DocumentRecord | null
    name: string
    type: string
    properties?: Properties
    facets?: readonly string[]
    lifecycleState?: string
    /** Among the children of an ordered folder. */
    position?: number | null
    id?: string
  },
): Promise<DocumentRecord> => {
  const documentType = session.model.types.get(type)
  if (!documentType) throw fail('badRequest', `Type: ${type} does not exist`)
  requireNoWorkflowDocument(session, { type, facets: [...facets] })
  requireAuditStays(session, facets)
  const initialState = session.model.lifecycles.get(documentType.lifecycle)?.initial ?? null
  const { initialVersion } = session.snapshot.get(versioningRegistry)
  const schemas = session.model.schemasOf(type, facets)
  const values: Properties = {
    ...defaultProperties(schemas),
    ...creationProperties(session, type, facets),
    ...withoutProtected(session, properties),
  }
  requireValid(values, schemas, { transaction: session.stores })
  const draft: DocumentRecord = {
    id,
    parentId: parent?.id ?? null,
    name,
    path: parent ? childPath(parent.path ?? '', name) : '/',
    position,
    type,
    facets: [...facets],
    lifecycleState: lifecycleState ?? initialState,
    isVersion: false,
    isProxy: false,
    isCheckedIn: false,
    isTrashed: parent?.isTrashed ?? false,
    majorVersion: 0,
    minorVersion: 0,
    versionSeriesId: null,
    versionLabel: null,
    versionDescription: null,
    versionCreatedAt: null,
    isLatestVersion: false,
    isLatestMajorVersion: false,
    baseVersionId: null,
    proxyTargetId: null,
    proxyVersionSeriesId: null,
    lockOwner: null,
    lockedAt: null,
    systemToken: 0,
    userToken: 0,
    aclId: parent?.aclId ?? NO_ACL,
    properties: values,
  }
  const filled = await session.placeholders?.(session, { document: draft, previous: null })
  const record = { ...draft, properties: { ...values, ...filled } }
  await placeBlobs(session, type, record.properties)
  const isTrue = conditionTest(session, { previous: null, current: record })
  const creation = { previous: null, current: record, username: session.principal.name, isTrue }
  return { ...record, ...(await initialVersion(creation)) }
}

/** The parent, and whether it may be older than this call. */
const readParent = async (
  session: Session,
  parent: NewDocument['parent'],
): Promise<{ parent: DocumentRecord; mustBeUnchanged: boolean }> => {
  const isGiven = typeof parent !== 'string'
  const known = isGiven ? session.isAtomic && !session.isContended && parent : session.parents?.get(parent)
  if (known) {
    await requirePermission(session, known, 'Browse')
    return { parent: known, mustBeUnchanged: true }
  }
  const ref = isGiven ? parent.id : parent
  const read = await getDocument(session, ref, { permission: 'Browse' })
  session.parents?.set(ref, read)
  return { parent: read, mustBeUnchanged: false }
}

/**
 * Creates a child, the last one where children are ordered. A taken name is replaced by `name.<epoch millis>`;
 * it never fails. A document created in a trashed folder is trashed with it.
 *
 * @throws badRequest for an unknown type or an illegal name, notFound for the parent, forbidden without
 * `AddChildren` on it, invalid when a constraint of the content model is violated.
 */
export const createDocument = async (session: Session, wanted: NewDocument): Promise<DocumentRecord> => {
  const { parent: ref } = wanted
  const { parents } = session
  if (typeof ref !== 'string' || !parents?.get(ref)) return createBelow(session, wanted)
  try {
    return await createBelow(session, wanted)
  } catch (error) {
    // The database has refused nothing but a parent that has changed, and the rest may be right by it as it is now.
    if (!isArchivoltError(error)) throw error
    parents.delete(ref)
    return createBelow(session, wanted)
  }
}

const createBelow = async (session: Session, wanted: NewDocument): Promise<DocumentRecord> => {
  throwIfOver(session)
  const { parent, mustBeUnchanged } = await readParent(session, wanted.parent)
  const askedAs = typeof wanted.parent === 'string' ? wanted.parent : parent.id
  await requirePermission(session, parent, 'AddChildren', askedAs)
  const folder = requireContainer(parent, 'parent')
  const name = documentName(wanted.name)
  const given = withoutProtected(session, wanted.properties ?? {})
  const schemas = session.model.schemasOf(wanted.type, wanted.facets ?? [])
  await requireKnownReferences(given, schemas, { lookup: referenceLookup(session) })
  const position = await positionIn(session, folder)
  const begun = await announcedEmpty(session, { parent, name, type: wanted.type })
  const properties = { ...begun, ...wanted.properties }
  const drafted = await newRecord(session, { ...wanted, properties, parent, name, position })
  const document = await announced(session, drafted)
  if (session.listeners.of('documentCreated').length > 0) requireAtomic(session)
  for (let attempt = 0; attempt < MAX_NAME_ATTEMPTS; attempt++) {
    const record =
      attempt === 0
        ? document
        : renamed(document, folder.path, alternativeName(name, session.now, attempt - 1))
    const events = [documentEvent('documentCreated', record)]
    const outcome = await session.stores.documents.insert(record, events, { ...parent, mustBeUnchanged })
    if (outcome === 'inserted') return notifyListeners(session, record, events)
    if (outcome === 'parentChanged') throw staleDocument(parent.id)
  }
  throw fail('conflict', `name: '${name}' and its alternatives are taken under ${folder.path}`)
}

/** The draft with the properties that listeners set. */
export const announced = async (session: Session, draft: DocumentRecord): Promise<DocumentRecord> => {
  const asked = await announce(session, 'aboutToCreate', draft)
  if (Object.keys(asked).length === 0) return draft
  const properties = { ...draft.properties, ...asked }
  requireValid(properties, session.model.schemasOf(draft.type, draft.facets), { transaction: session.stores })
  return { ...draft, properties }
}

const renamed = (document: DocumentRecord, parentPath: string, name: string): DocumentRecord => ({
  ...document,
  name,
  path: childPath(parentPath, name),
})

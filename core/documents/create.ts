import { randomUUID } from 'node:crypto'
import { fail } from '../errors/index.js'
import { defaultProperties, requireValid } from '../properties/index.js'
import { getDocument, requirePermission } from './access.js'
import { creationProperties, withoutProtected } from './dublincore.js'
import { documentEvent } from './events.js'
import { alternativeName, childPath, documentName } from './names.js'
import type { Session } from './session.js'
import type { DocumentRecord, DocumentRef, Properties } from './types.js'
import { staleDocument } from './update.js'

export type NewDocument = {
  parent: DocumentRef
  name: string
  type: string
  properties?: Properties
}

/** How often a name gives way before the caller is told; each attempt differs by a millisecond. */
const MAX_NAME_ATTEMPTS = 50

/** No effective ACL has it: a root is given its own in the transaction that makes it. */
const NO_ACL = 0

/**
 * A document as it begins: defaults, who made it and when, the initial state of its life cycle.
 *
 * @throws badRequest for an unknown type, invalid when a constraint of the content model is violated.
 */
export const newRecord = (
  session: Session,
  {
    parent,
    name,
    type,
    properties = {},
  }: {
    /** Null for the root, whose ACL is computed once it is there. */
    parent: DocumentRecord | null
    name: string
    type: string
    properties?: Properties
  },
): DocumentRecord => {
  const documentType = session.model.types.get(type)
  if (!documentType) throw fail('badRequest', `Type: ${type} does not exist`)
  const lifecycle = session.model.lifecycles.get(documentType.lifecycle)
  const schemas = session.model.schemasOf(type, [])
  const values: Properties = {
    ...defaultProperties(schemas),
    ...creationProperties(session, type, []),
    ...withoutProtected(session, properties),
  }
  requireValid(values, schemas)
  return {
    id: randomUUID(),
    parentId: parent?.id ?? null,
    name,
    path: parent ? childPath(parent.path ?? '', name) : '/',
    position: null,
    type,
    facets: [],
    lifecycleState: lifecycle?.initial ?? null,
    isVersion: false,
    isProxy: false,
    isCheckedIn: false,
    isTrashed: false,
    majorVersion: 0,
    minorVersion: 0,
    versionSeriesId: null,
    versionLabel: null,
    versionDescription: null,
    versionCreatedAt: null,
    isLatestVersion: false,
    isLatestMajorVersion: false,
    baseVersionId: null,
    lockOwner: null,
    lockedAt: null,
    systemToken: 0,
    userToken: 0,
    aclId: parent?.aclId ?? NO_ACL,
    properties: values,
  }
}

/**
 * Makes a child. A taken name gives way to `name.<epoch millis>`; it never fails.
 *
 * @throws badRequest for an unknown type or an illegal name, notFound for the parent, forbidden without
 * `AddChildren` on it, invalid when a constraint of the content model is violated.
 */
export const createDocument = async (session: Session, wanted: NewDocument): Promise<DocumentRecord> => {
  const parent = await getDocument(session, wanted.parent, { permission: 'Browse' })
  await requirePermission(session, parent, 'AddChildren', wanted.parent)
  if (parent.path === null)
    throw fail('badRequest', `parent: ${parent.id} is a version and takes no children`)
  const name = documentName(wanted.name)
  const document = newRecord(session, { ...wanted, parent, name })
  for (let attempt = 0; attempt < MAX_NAME_ATTEMPTS; attempt++) {
    const record =
      attempt === 0
        ? document
        : renamed(document, parent.path, alternativeName(name, session.now, attempt - 1))
    const outcome = await session.store.insert(record, [documentEvent('documentCreated', record)], parent)
    if (outcome === 'inserted') return record
    if (outcome === 'parentChanged') throw staleDocument(parent.id)
  }
  throw fail('conflict', `name: '${name}' and its alternatives are taken under ${parent.path}`)
}

const renamed = (document: DocumentRecord, parentPath: string, name: string): DocumentRecord => ({
  ...document,
  name,
  path: childPath(parentPath, name),
})

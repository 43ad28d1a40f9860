import { randomUUID } from 'node:crypto'
import { type Acl, SYSTEM } from '../../../core/access/security/index.js'
import type { ContentStores } from '../../../core/content/stores/index.js'
import type { DocumentRecord } from '../../../core/model/properties/index.js'
import type { CoreEvent } from '../../../core/platform/events/index.js'
import type { ContentBackend } from './backend.js'

/** What a test says of a document; all else is as in a new one. */
export type Wanted = Partial<DocumentRecord>

/** A document below a parent, or one without a place, as it is before it is stored. */
export const recordOf = (parent: DocumentRecord | null, wanted: Wanted = {}): DocumentRecord => {
  const name = wanted.name ?? `d-${randomUUID()}`
  const above = parent?.path === '/' ? '' : parent?.path
  return {
    id: randomUUID(),
    parentId: parent?.id ?? null,
    name,
    path: parent ? `${above}/${name}` : null,
    position: null,
    type: 'File',
    facets: [],
    lifecycleState: 'project',
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
    proxyTargetId: null,
    proxyVersionSeriesId: null,
    lockOwner: null,
    lockedAt: null,
    systemToken: 0,
    userToken: 0,
    aclId: 0,
    properties: {},
    ...wanted,
  }
}

/** A version of a live document. */
export const versionOf = (live: DocumentRecord, major: number, minor: number): DocumentRecord =>
  recordOf(null, {
    name: live.name,
    type: live.type,
    isVersion: true,
    isCheckedIn: true,
    majorVersion: major,
    minorVersion: minor,
    versionSeriesId: live.id,
    versionLabel: `${major}.${minor}`,
    versionCreatedAt: new Date('2020-01-01T00:00:00.000Z'),
    isLatestVersion: true,
    isLatestMajorVersion: minor === 0,
    properties: live.properties,
  })

/** A proxy in a folder of a live document, or of a version. */
export const proxyOf = (target: DocumentRecord, folder: DocumentRecord): DocumentRecord =>
  recordOf(folder, {
    type: target.type,
    isProxy: true,
    proxyTargetId: target.id,
    proxyVersionSeriesId: target.versionSeriesId ?? target.id,
    properties: target.properties,
  })

export const eventOf = (event: string, document: DocumentRecord): CoreEvent => ({
  event,
  documentId: document.id,
  payload: { path: document.path },
})

const ROOT = '00000000-0000-4000-8000-0000000000ff'

/** Opens the root, which grants nothing to anybody but administrators, unless it is there. */
const openRoot = async ({ documents, acls }: ContentStores): Promise<DocumentRecord> => {
  const known = await documents.get('/', 'write')
  if (known) return known
  const root = recordOf(null, { id: ROOT, name: '', path: '/', type: 'Root' })
  await documents.insert(root, [eventOf('documentCreated', root)])
  return acls.setLocal(root, [])
}

/**
 * Writes a document with the event that an index of documents follows. @throws when its store refuses it.
 *
 * @param acls local ones to begin with.
 */
export const insertIndexed = async (
  { documents, acls: aclStore, outbox }: ContentStores,
  record: DocumentRecord,
  { parent, acls = [] }: { parent?: DocumentRecord | undefined; acls?: readonly Acl[] | undefined } = {},
): Promise<void> => {
  const outcome = await documents.insert(record, [eventOf('documentCreated', record)], parent)
  if (outcome !== 'inserted') throw new Error(`${record.path ?? record.id}: ${outcome}`)
  if (acls.length === 0) return
  await aclStore.setLocal(record, acls)
  await outbox.emit([eventOf('documentSecurityUpdated', record)])
}

/** Documents of a test, below a folder of its own. */
export type Tree = {
  /** A new folder at the top. */
  folder(wanted?: Wanted): Promise<DocumentRecord>
  create(parent: DocumentRecord, wanted?: Wanted): Promise<DocumentRecord>
  version(live: DocumentRecord, major: number, minor: number): Promise<DocumentRecord>
  proxy(target: DocumentRecord, folder: DocumentRecord): Promise<DocumentRecord>
  /** As it is now; undefined when it is gone. */
  read(document: { id: string }): Promise<DocumentRecord | undefined>
  within<Result>(work: (stores: ContentStores) => Promise<Result>): Promise<Result>
}

/** @param isIndexed whether searches are to find what is created: it is written with its event. */
export const createTree = (backend: ContentBackend, { isIndexed = false } = {}): Tree => {
  const within: Tree['within'] = (work) => backend.transaction(SYSTEM, ({ stores }) => work(stores))
  const stored = async (stores: ContentStores, { id }: DocumentRecord): Promise<DocumentRecord> => {
    const document = await stores.documents.get(id)
    if (!document) throw new Error(`The document ${id} was not stored`)
    return document
  }
  const add = async (stores: ContentStores, record: DocumentRecord, parent?: DocumentRecord) => {
    const events = isIndexed ? [eventOf('documentCreated', record)] : []
    const outcome = await stores.documents.insert(record, events, parent)
    if (outcome !== 'inserted') throw new Error(`${record.path}: ${outcome}`)
    return stored(stores, record)
  }
  return {
    within,
    folder: (wanted) =>
      within(async (stores) => {
        const root = await openRoot(stores)
        return add(stores, recordOf(root, { type: 'Folder', ...wanted }), root)
      }),
    create: (parent, wanted) => within((stores) => add(stores, recordOf(parent, wanted), parent)),
    version: (live, major, minor) => within((stores) => add(stores, versionOf(live, major, minor))),
    proxy: (target, folder) =>
      within(async (stores) => {
        await stores.proxies.holdTarget(target.id)
        return add(stores, proxyOf(target, folder), folder)
      }),
    read: ({ id }) => backend.reading(SYSTEM).documents.get(id),
  }
}

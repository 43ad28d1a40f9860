import {
  type DocumentRecord,
  type DocumentRef,
  type Properties,
  requireValid,
} from '../../../../model/properties/index.js'
import { fail, requireAtomic } from '../../../../platform/errors/index.js'
import { createFreeNames } from '../../../../platform/names/index.js'
import { getDocument, requirePermission } from '../../access/access.js'
import { announce, documentEvent, notifyListeners } from '../../events.js'
import { alternativeName, childPath, documentName } from '../../names.js'
import { isOrderable, requireContainer } from '../../place.js'
import type { Session } from '../../session.js'
import { staleDocument } from '../stale.js'
import { newRecord } from './create.js'

/** A document to import, with what is to lie below it. */
export type ImportedDocument = {
  name: string
  type: string
  properties?: Properties
  children?: readonly ImportedDocument[]
}

/** How many times alternative names are tried. */
const MAX_NAME_ATTEMPTS = 50

type Draft = { record: DocumentRecord; wanted: ImportedDocument }

/**
 * Creates many documents below a folder, with one statement for each level: the way in for large amounts. Each is
 * what `createDocument` would create, with the event `documentImported`; a taken name is replaced as there.
 * All of it is one transaction, the session's.
 *
 * @returns the documents, each level before the next.
 * @throws what `createDocument` does; nothing is imported then.
 */
export const importDocuments = async (
  session: Session,
  parentRef: DocumentRef,
  documents: readonly ImportedDocument[],
): Promise<DocumentRecord[]> => {
  requireAtomic(session)
  const parent = await getDocument(session, parentRef, { permission: 'Browse' })
  await requirePermission(session, parent, 'AddChildren', parentRef)
  const folder = requireContainer(parent, 'parent')
  const first = isOrderable(session, folder)
    ? ((await session.stores.children.nextPosition(folder.id)) ?? 0)
    : null
  const made: DocumentRecord[] = []
  let level = await drafts(session, documents, { parent: folder, first })
  while (level.length > 0) {
    const records = await insertLevel(session, folder, level)
    made.push(...records)
    const below = records.map((record, position) => {
      const { children = [] } = level[position]?.wanted ?? {}
      if (children.length === 0) return []
      return drafts(session, children, { parent: record, first: isOrderable(session, record) ? 0 : null })
    })
    level = (await Promise.all(below)).flat()
  }
  return made
}

const drafts = (
  session: Session,
  documents: readonly ImportedDocument[],
  { parent, first }: { parent: DocumentRecord; first: number | null },
): Promise<Draft[]> => {
  // Names that no other document of the same folder has in this import.
  const freeName = createFreeNames((name, count) => alternativeName(name, session.now, count - 1))
  return Promise.all(
    documents.map(async (wanted, index) => {
      const name = freeName(documentName(wanted.name))
      const position = first === null ? null : first + index
      const record = await newRecord(session, { ...wanted, parent, name, position })
      const asked = await announce(session, 'aboutToImport', record)
      if (Object.keys(asked).length === 0) return { record, wanted }
      const properties = { ...record.properties, ...asked }
      requireValid(properties, session.model.schemasOf(record.type, record.facets), {
        transaction: session.stores,
      })
      return { record: { ...record, properties }, wanted }
    }),
  )
}

const insertLevel = async (
  session: Session,
  folder: DocumentRecord,
  level: readonly Draft[],
): Promise<DocumentRecord[]> => {
  const records = level.map(({ record }) => record)
  let waiting = [...records.keys()]
  for (let attempt = 0; waiting.length > 0; attempt++) {
    if (attempt > MAX_NAME_ATTEMPTS)
      throw fail(
        'conflict',
        `name: the names of this import and their alternatives are taken under ${folder.path}`,
      )
    const rows = waiting.map((index) => records[index]!)
    const outcome = await session.stores.documents.insertMany(
      rows.map((record) => ({ record, event: documentEvent('documentImported', record) })),
      folder,
    )
    if (outcome === 'parentChanged') throw staleDocument(folder.id)
    waiting = waiting.filter((index) => !outcome.has(records[index]!.id))
    for (const index of waiting) {
      const wanted = level[index]!.record
      const name = alternativeName(wanted.name, session.now, index + attempt)
      const parentPath = wanted.path?.slice(0, -wanted.name.length - 1) || '/'
      records[index] = { ...wanted, name, path: childPath(parentPath, name) }
    }
  }
  const documents: DocumentRecord[] = []
  for (const record of records) {
    documents.push(await notifyListeners(session, record, [documentEvent('documentImported', record)]))
  }
  return documents
}

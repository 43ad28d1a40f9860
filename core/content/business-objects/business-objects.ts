import type { BlobUrl, DocumentRecord, DocumentRef, OnBlob } from '../../model/properties/index.js'
import { fail } from '../../platform/errors/index.js'
import type { ExpressionEngine } from '../../platform/sandbox/expressions/index.js'
import {
  createDocument,
  getDocument,
  removeDocument,
  requirePermission,
  type Session,
  unsavedDocument,
} from '../documents/index.js'
import { checkIn, type Increment, requireOption, saveDocument } from '../versioning/index.js'
import { type AdapterContent, adaptersPoint } from './adapters-point.js'
import { namedByField } from './by-field.js'
import { readObject } from './read-object.js'
import type { BusinessAdapter, BusinessField, BusinessObject } from './types.js'
import { writeObject } from './write-object.js'

type Fields = { [field: string]: unknown }

/** The version that a caller asks for, as `SaveOptions` has it. */
export type ObjectVersioning = {
  increment?: Increment | undefined
  field: string
  comment?: string | undefined
}

/** Business objects: documents seen through the adapters that are contributed (rest-documents.md §7). */
export type BusinessObjects = {
  /** Returns a test for documents that have an object of a name. @throws notFound for an unknown adapter. */
  fitting(session: Session, adapter: string): (document: DocumentRecord) => boolean
  /** @throws notFound for an unknown adapter, and for a document that does not have it. */
  read(
    session: Session,
    document: DocumentRecord,
    options: { adapter: string; blobUrl?: BlobUrl | undefined },
  ): Promise<BusinessObject>
  /**
   * Sets the properties that stand for the fields that are sent.
   *
   * @returns the document, or its new version when the caller asked for one.
   * @throws notFound as `read`, badRequest and invalid by the names of the fields, and whatever updating a
   *   document throws.
   */
  update(
    session: Session,
    document: DocumentRecord,
    change: {
      adapter: string
      value: Fields
      onBlob?: OnBlob | undefined
      versioning?: ObjectVersioning
    },
  ): Promise<DocumentRecord>
  /** Creates a document of the adapter's type, or of the subtype that the object names. @throws as `update`. */
  create(
    session: Session,
    wanted: {
      parent: DocumentRef
      name: string
      adapter: string
      value: Fields
      onBlob?: OnBlob | undefined
      versioning?: ObjectVersioning
    },
  ): Promise<DocumentRecord>
  /** Removes the document that has an object, and all below it. @throws as `read`, and as removing a document does. */
  remove(session: Session, document: DocumentRecord, adapter: string): Promise<void>
}

const fieldOf = (name: string, details: AdapterContent['fields'][string]): BusinessField => {
  if (typeof details === 'string')
    return { name, kind: 'property', xpath: details, type: undefined, isReadOnly: false }
  const { xpath, value, type, readOnly = false } = details
  if (xpath !== undefined) return { name, kind: 'property', xpath, type, isReadOnly: readOnly }
  // The extension point checks that one of the two is there.
  return { name, kind: 'derived', expression: value! }
}

const adapterOf = (name: string, { type, fields, onWrite }: AdapterContent): BusinessAdapter => ({
  name,
  // The extension point checks that it is there.
  documentType: type!,
  fields: Object.entries(fields).map(([field, details]) => fieldOf(field, details)),
  onWrite,
})

/** The business objects that a session's contributions define: they may come and go at run time. */
export const createBusinessObjects = (expressions: ExpressionEngine): BusinessObjects => {
  const built = new WeakMap<AdapterContent, BusinessAdapter>()

  const find = ({ contributions }: Session, name: string): BusinessAdapter => {
    const content = contributions.get(adaptersPoint).get(name)
    if (!content) throw fail('notFound', `No such business object: ${name}`)
    const adapter = built.get(content) ?? adapterOf(name, content)
    built.set(content, adapter)
    return adapter
  }

  const fits = (session: Session, { documentType }: BusinessAdapter, type: string): boolean =>
    session.model.subtypes(documentType).includes(type)

  const findFor = (session: Session, name: string, { id, type }: DocumentRecord): BusinessAdapter => {
    const adapter = find(session, name)
    if (!fits(session, adapter, type))
      throw fail('notFound', `Document ${id} of type ${type} has no business object ${name}`)
    return adapter
  }

  const typeOf = (session: Session, adapter: BusinessAdapter, { type }: Fields): string => {
    if (type === undefined || type === null || type === '') return adapter.documentType
    if (typeof type === 'string' && fits(session, adapter, type)) return type
    throw fail('badRequest', `value.type: must be ${adapter.documentType} or a type below it`)
  }

  return {
    fitting: (session, name) => {
      const adapter = find(session, name)
      return ({ type }) => fits(session, adapter, type)
    },
    read: async (session, document, { adapter, blobUrl }) =>
      readObject(document, {
        session,
        adapter: findFor(session, adapter, document),
        expressions,
        blobUrl,
      }),
    update: async (session, document, { adapter: name, value, onBlob, versioning }) => {
      const adapter = findFor(session, name, document)
      // Checked before its content, so that a caller without the right to write learns nothing about it.
      await requirePermission(session, document, 'WriteProperties')
      return namedByField(adapter, async () => {
        const changes = await writeObject(value, { session, adapter, expressions, document, onBlob })
        const saved = await saveDocument(session, document, changes, versioning)
        return saved.version ?? saved.document
      })
    },
    create: async (session, { parent, name, adapter: adapterName, value, onBlob, versioning }) => {
      const adapter = find(session, adapterName)
      const type = typeOf(session, adapter, value)
      const container = await getDocument(session, parent, { permission: 'AddChildren' })
      return namedByField(adapter, async () => {
        const document = unsavedDocument(session, { parent: container, name, type })
        const properties = await writeObject(value, { session, adapter, expressions, document, onBlob })
        const created = await createDocument(session, { parent: container.id, name, type, properties })
        if (versioning?.increment === undefined || versioning.increment === 'NONE') return created
        const { increment, field, comment } = versioning
        requireOption(session, created, { increment, field })
        return (await checkIn(session, created, { increment, comment })).document
      })
    },
    remove: async (session, document, adapter) => {
      findFor(session, adapter, document)
      await removeDocument(session, document)
    },
  }
}

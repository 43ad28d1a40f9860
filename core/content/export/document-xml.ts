import type { Ace, Acl } from '../../access/security/index.js'
import type { Field, Schema } from '../../model/content-model/index.js'
import {
  blobKey,
  type DocumentRecord,
  isBlobValue,
  type PropertyValue,
} from '../../model/properties/index.js'
import type { Session } from '../documents/index.js'
import { element, textElement, type Xml } from './xml-text.js'

/** Schemas have no URI of their own; an exported one only has to be the same everywhere. */
const namespaceOf = ({ name }: Schema): string => `urn:archivolt:schemas:${name}`

const sortedBy = <Item>(items: Iterable<Item>, name: (item: Item) => string): Item[] =>
  [...items].sort((a, b) => (name(a) < name(b) ? -1 : 1))

const aceXml = ({ username, permission, granted, creator, begin, end }: Ace): Xml =>
  element('entry', [], { principal: username, permission, grant: String(granted), creator, begin, end })

function* acesXml(aces: readonly Ace[]): Generator<string> {
  for (const ace of aces) yield* aceXml(ace)
}

function* aclsXml(acls: readonly Acl[]): Generator<string> {
  for (const { name, aces } of acls) yield* element('acl', acesXml(aces), { name })
}

/** A file's path in the archive is its key in the store: two files may have the same digest. */
function* blobXml(value: PropertyValue): Generator<string> {
  if (!isBlobValue(value)) return
  yield* textElement('encoding', value.encoding)
  yield* textElement('mime-type', value['mime-type'])
  yield* textElement('filename', value.name)
  yield* textElement('data', `${blobKey(value)}.blob`)
  yield* textElement('digest', value.digest)
}

type Placed = { field: Field; name: string; value: PropertyValue }

function* partsXml(field: Field, value: PropertyValue): Generator<string> {
  if (field.type === 'blob') yield* blobXml(value)
  const parts = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  for (const part of sortedBy(field.fields, (sub) => sub.name))
    yield* valueXml({ field: part, name: part.name, value: parts[part.name] ?? null })
}

const singleXml = ({ field, name, value }: Placed): Xml => {
  if (value === null) return []
  if (field.type !== 'blob' && field.type !== 'complex') return textElement(name, String(value))
  return element(name, partsXml(field, value))
}

function* itemsXml(field: Field, items: readonly PropertyValue[]): Generator<string> {
  for (const value of items) yield* singleXml({ field, name: 'item', value })
}

/** Items of a list stand below it, each under one and the same name. */
const valueXml = (placed: Placed): Xml => {
  const { field, name, value } = placed
  if (!field.isList) return singleXml(placed)
  return Array.isArray(value) && value.length > 0 ? element(name, itemsXml(field, value)) : []
}

type Exporting = Pick<Session, 'model' | 'repository'>

function* systemXml({ model }: Exporting, document: DocumentRecord, acls: readonly Acl[]): Generator<string> {
  const { lifecycle } = model.types.get(document.type) ?? {}
  yield* textElement('type', document.type)
  yield* textElement('path', document.path?.replace(/^\//, '') ?? document.name)
  if (document.lifecycleState !== null) yield* textElement('lifecycle-state', document.lifecycleState)
  if (lifecycle) yield* textElement('lifecycle-policy', lifecycle)
  for (const facet of model.facetsOf(document.type, document.facets).toSorted())
    yield* textElement('facet', facet)
  yield* element('access-control', aclsXml(acls))
}

function* fieldsXml(schema: Schema, { properties }: DocumentRecord): Generator<string> {
  for (const field of sortedBy(schema.fields.values(), ({ name }) => name)) {
    const name = `${schema.prefix}:${field.name}`
    yield* valueXml({ field, name, value: properties[name] ?? null })
  }
}

function* contentXml(from: Exporting, document: DocumentRecord, acls: readonly Acl[]): Generator<string> {
  yield* element('system', systemXml(from, document, acls))
  for (const schema of sortedBy(from.model.schemasOf(document.type, document.facets), ({ name }) => name)) {
    const declared = { name: schema.name, [`xmlns:${schema.prefix}`]: namespaceOf(schema) }
    yield* element('schema', fieldsXml(schema, document), declared)
  }
}

/**
 * A document in the XML of tree exports (blobs-conversions.md §7): facets, schemas and fields in order, fields
 * without a value left out, dates in ISO 8601, files described, and named by their keys.
 *
 * @param acls those of the document itself; empty for callers without `ReadSecurity`.
 */
export function* documentXml(
  from: Exporting,
  document: DocumentRecord,
  acls: readonly Acl[],
): Generator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n'
  yield* element('document', contentXml(from, document, acls), {
    repository: from.repository,
    id: document.id,
  })
  yield '\n'
}

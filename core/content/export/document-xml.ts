import { DOMImplementation, type Document, type Element, XMLSerializer } from '@xmldom/xmldom'
import type { Ace, Acl } from '../../access/security/index.js'
import type { Field, Schema } from '../../model/content-model/index.js'
import {
  blobKey,
  type DocumentRecord,
  isBlobValue,
  type PropertyValue,
} from '../../model/properties/index.js'
import type { Session } from '../documents/index.js'

/** Schemas have no URI of their own; an exported one only has to be the same everywhere. */
const namespaceOf = ({ name }: Schema): string => `urn:archivolt:schemas:${name}`

// What an XML document cannot hold at all, even escaped.
// biome-ignore lint/suspicious/noControlCharactersInRegex: see above
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

type Xml = { document: Document; add(parent: Element, name: string, text?: string): Element }

const createXml = (): Xml & { root: Element } => {
  const document = new DOMImplementation().createDocument(null, 'document')
  const root = document.documentElement
  if (!root) throw new Error('A new XML document has no root element')
  const add: Xml['add'] = (parent, name, text) => {
    const element = document.createElement(name)
    if (text !== undefined) element.appendChild(document.createTextNode(text.replace(UNWRITABLE, '')))
    parent.appendChild(element)
    return element
  }
  return { document, root, add }
}

const sortedBy = <Item>(items: Iterable<Item>, name: (item: Item) => string): Item[] =>
  [...items].sort((a, b) => (name(a) < name(b) ? -1 : 1))

const addAces = ({ add }: Xml, parent: Element, aces: readonly Ace[]): void => {
  for (const { username, permission, granted, creator, begin, end } of aces) {
    const entry = add(parent, 'entry')
    const attributes = { principal: username, permission, grant: String(granted), creator, begin, end }
    for (const [name, value] of Object.entries(attributes)) if (value) entry.setAttribute(name, value)
  }
}

/** A file's path in the archive is its key in the store: two files may have the same digest. */
const addBlob = ({ add }: Xml, parent: Element, value: PropertyValue): void => {
  if (!isBlobValue(value)) return
  add(parent, 'encoding', value.encoding ?? undefined)
  add(parent, 'mime-type', value['mime-type'] ?? undefined)
  add(parent, 'filename', value.name ?? undefined)
  add(parent, 'data', `${blobKey(value)}.blob`)
  add(parent, 'digest', value.digest)
}

const addSingle = (
  xml: Xml,
  parent: Element,
  at: { field: Field; name: string; value: PropertyValue },
): void => {
  const { field, name, value } = at
  if (value === null) return
  if (field.type !== 'blob' && field.type !== 'complex') {
    xml.add(parent, name, String(value))
    return
  }
  const element = xml.add(parent, name)
  if (field.type === 'blob') addBlob(xml, element, value)
  const parts = typeof value === 'object' && !Array.isArray(value) ? value : {}
  for (const part of sortedBy(field.fields, (sub) => sub.name))
    addValue(xml, element, { field: part, name: part.name, value: parts[part.name] ?? null })
}

/** Items of a list stand below it, each under one and the same name. */
const addValue = (
  xml: Xml,
  parent: Element,
  at: { field: Field; name: string; value: PropertyValue },
): void => {
  const { field, name, value } = at
  if (!field.isList) addSingle(xml, parent, at)
  if (!field.isList || !Array.isArray(value) || value.length === 0) return
  const list = xml.add(parent, name)
  for (const item of value) addSingle(xml, list, { field, name: 'item', value: item })
}

/**
 * A document in the XML of tree exports (blobs-conversions.md §7): facets, schemas and fields in order, fields
 * without a value left out, dates in ISO 8601, files described, and named by their keys.
 *
 * @param acls those of the document itself; empty for callers without `ReadSecurity`.
 */
export const documentXml = (
  { model, repository }: Pick<Session, 'model' | 'repository'>,
  document: DocumentRecord,
  acls: readonly Acl[],
): string => {
  const xml = createXml()
  const { root, add } = xml
  root.setAttribute('repository', repository)
  root.setAttribute('id', document.id)
  const system = add(root, 'system')
  add(system, 'type', document.type)
  add(system, 'path', document.path?.replace(/^\//, '') ?? document.name)
  if (document.lifecycleState !== null) add(system, 'lifecycle-state', document.lifecycleState)
  const { lifecycle } = model.types.get(document.type) ?? {}
  if (lifecycle) add(system, 'lifecycle-policy', lifecycle)
  for (const facet of model.facetsOf(document.type, document.facets).toSorted()) add(system, 'facet', facet)
  const control = add(system, 'access-control')
  for (const { name, aces } of acls) {
    const acl = add(control, 'acl')
    acl.setAttribute('name', name)
    addAces(xml, acl, aces)
  }
  for (const schema of sortedBy(model.schemasOf(document.type, document.facets), ({ name }) => name)) {
    const element = add(root, 'schema')
    element.setAttribute('name', schema.name)
    element.setAttribute(`xmlns:${schema.prefix}`, namespaceOf(schema))
    for (const field of sortedBy(schema.fields.values(), ({ name }) => name)) {
      const name = `${schema.prefix}:${field.name}`
      addValue(xml, element, { field, name, value: document.properties[name] ?? null })
    }
  }
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(xml.document)}\n`
}

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

const ESCAPES: { readonly [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
}

const textOf = (text: string): string =>
  text.replace(UNWRITABLE, '').replace(/[&<>\r]/g, (character) => ESCAPES[character]!)

const attributeOf = (text: string): string =>
  text.replace(UNWRITABLE, '').replace(/[&<>"\t\n\r]/g, (character) => ESCAPES[character]!)

type Attributes = { readonly [name: string]: string | null | undefined }

/**
 * Written as text: a tree of objects takes a hundred times as long for long lists, in which nobody else is answered.
 *
 * @param content of the element, in XML.
 */
const element = (name: string, content = '', attributes: Attributes = {}): string => {
  const written = Object.entries(attributes)
    .map(([attribute, value]) => (value ? ` ${attribute}="${attributeOf(value)}"` : ''))
    .join('')
  return content === '' ? `<${name}${written}/>` : `<${name}${written}>${content}</${name}>`
}

const textElement = (name: string, text: string | null | undefined): string =>
  element(name, textOf(text ?? ''))

const sortedBy = <Item>(items: Iterable<Item>, name: (item: Item) => string): Item[] =>
  [...items].sort((a, b) => (name(a) < name(b) ? -1 : 1))

const aceXml = ({ username, permission, granted, creator, begin, end }: Ace): string =>
  element('entry', '', { principal: username, permission, grant: String(granted), creator, begin, end })

/** A file's path in the archive is its key in the store: two files may have the same digest. */
const blobXml = (value: PropertyValue): string =>
  isBlobValue(value)
    ? textElement('encoding', value.encoding) +
      textElement('mime-type', value['mime-type']) +
      textElement('filename', value.name) +
      textElement('data', `${blobKey(value)}.blob`) +
      textElement('digest', value.digest)
    : ''

type Placed = { field: Field; name: string; value: PropertyValue }

const singleXml = ({ field, name, value }: Placed): string => {
  if (value === null) return ''
  if (field.type !== 'blob' && field.type !== 'complex') return textElement(name, String(value))
  const parts = typeof value === 'object' && !Array.isArray(value) ? value : {}
  const inner = sortedBy(field.fields, (sub) => sub.name).map((part) =>
    valueXml({ field: part, name: part.name, value: parts[part.name] ?? null }),
  )
  return element(name, (field.type === 'blob' ? blobXml(value) : '') + inner.join(''))
}

/** Items of a list stand below it, each under one and the same name. */
const valueXml = (placed: Placed): string => {
  const { field, name, value } = placed
  if (!field.isList) return singleXml(placed)
  if (!Array.isArray(value) || value.length === 0) return ''
  return element(name, value.map((item) => singleXml({ field, name: 'item', value: item })).join(''))
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
  const { lifecycle } = model.types.get(document.type) ?? {}
  const system = [
    textElement('type', document.type),
    textElement('path', document.path?.replace(/^\//, '') ?? document.name),
    document.lifecycleState === null ? '' : textElement('lifecycle-state', document.lifecycleState),
    lifecycle ? textElement('lifecycle-policy', lifecycle) : '',
    ...model
      .facetsOf(document.type, document.facets)
      .toSorted()
      .map((facet) => textElement('facet', facet)),
    element(
      'access-control',
      acls.map(({ name, aces }) => element('acl', aces.map(aceXml).join(''), { name })).join(''),
    ),
  ]
  const schemas = sortedBy(model.schemasOf(document.type, document.facets), ({ name }) => name).map(
    (schema) => {
      const fields = sortedBy(schema.fields.values(), ({ name }) => name).map((field) => {
        const name = `${schema.prefix}:${field.name}`
        return valueXml({ field, name, value: document.properties[name] ?? null })
      })
      const declared = { name: schema.name, [`xmlns:${schema.prefix}`]: namespaceOf(schema) }
      return element('schema', fields.join(''), declared)
    },
  )
  const content = element('system', system.join('')) + schemas.join('')
  const root = element('document', content, { repository, id: document.id })
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`
}

import type { ArchivedDocument, ArchivedField, ArchivedSchema } from './archived-document.js'
import { localName, type XmlNode } from './xml-node.js'

export type FieldMapping = {
  srcSchema: string
  srcField: string
  dstSchema?: string | null | undefined
  dstField?: string | null | undefined
}

export const isSchema = (name: string) => {
  const wanted = name.toLowerCase()
  return (schema: ArchivedSchema): boolean => schema.name.toLowerCase() === wanted
}

const without = (schema: ArchivedSchema, name: string): ArchivedSchema => ({
  ...schema,
  fields: schema.fields.filter((field) => field.name !== name),
})

/** What comes to a field that has a text is put behind it. */
const joined = (nodes: readonly XmlNode[]): XmlNode | undefined =>
  nodes[0] && {
    ...nodes[0],
    text: nodes.map(({ text }) => text).join(''),
    children: nodes.flatMap(({ children }) => children),
  }

const withField = (schema: ArchivedSchema, name: string, moved: readonly ArchivedField[]): ArchivedSchema => {
  const there = schema.fields.find((field) => field.name === name)
  const node = joined([...(there ? [there] : []), ...moved].map((field) => field.node))
  if (!node) return schema
  const others = schema.fields.filter((field) => field.name !== name)
  return { ...schema, fields: [...others, { name, node }] }
}

/**
 * Moves the value of a field to another one, or away. The target's schema and field are created where they are
 * missing; a document without the source stays as it is.
 */
export const mapField = (
  document: ArchivedDocument,
  { srcSchema, srcField, dstSchema, dstField }: FieldMapping,
): ArchivedDocument => {
  const isSource = isSchema(srcSchema)
  const source = localName(srcField)
  const moved = document.schemas.filter(isSource).flatMap(({ fields }) => fields)
  const values = moved.filter(({ name }) => name === source)
  if (values.length === 0) return document
  const schemas = document.schemas.map((schema) => (isSource(schema) ? without(schema, source) : schema))
  if (!dstField) return { ...document, schemas }
  const target = dstSchema || srcSchema
  const isTarget = isSchema(target)
  const all = schemas.some(isTarget) ? schemas : [...schemas, { name: target, prefix: target, fields: [] }]
  const place = all.findIndex(isTarget)
  const name = localName(dstField)
  return {
    ...document,
    schemas: all.map((schema, index) => (index === place ? withField(schema, name, values) : schema)),
  }
}

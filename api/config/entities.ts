import type { VariableSchema } from '../../core/automation/routing/model/index.js'
import type {
  ContentModel,
  DocumentType,
  Facet,
  Field,
  Schema,
} from '../../core/model/content-model/index.js'
import { constraintsOf } from '../../core/model/properties/index.js'

/** Whether `fetch-schema: fields` was asked for: fields are then written with their constraints. */
export type SchemaOptions = { hasConstraints: boolean }

/** A field's type: its name, or a map when it has more properties (rest-documents.md §10). */
const fieldEntity = (field: Field, options: SchemaOptions): unknown => {
  const type = field.isList ? `${field.type}[]` : field.type
  if (field.type === 'complex') return { type, fields: fieldsEntity(field.fields, options) }
  if (!options.hasConstraints || field.type === 'blob') return type
  const { own, ofItems } = constraintsOf(field)
  return { type, constraints: own, ...(field.isList && { itemConstraints: ofItems }) }
}

const fieldsEntity = (fields: Iterable<Field>, options: SchemaOptions): { [name: string]: unknown } =>
  Object.fromEntries([...fields].map((field) => [field.name, fieldEntity(field, options)]))

/** An entry of the list of all schemas. */
export const schemaSummary = (schema: Schema, options: SchemaOptions) => ({
  name: schema.name,
  '@prefix': schema.prefix,
  fields: fieldsEntity(schema.fields.values(), options),
})

/** A schema by itself, or inside a type or a facet: without a prefix of its own it has none. */
export const schemaEntity = (schema: Schema, options: SchemaOptions) => ({
  'entity-type': 'schema',
  name: schema.name,
  ...(schema.hasPrefix && { prefix: schema.prefix, '@prefix': schema.prefix }),
  fields: fieldsEntity(schema.fields.values(), options),
})

/** Variables of a task as a schema. */
export const variableSchemaEntity = ({ name, fields }: VariableSchema) => ({
  'entity-type': 'schema',
  name,
  prefix: name,
  '@prefix': name,
  fields,
})

const schemasNamed = ({ schemas }: ContentModel, names: readonly string[], options: SchemaOptions) =>
  names.flatMap((name) => {
    const schema = schemas.get(name)
    return schema ? [schemaEntity(schema, options)] : []
  })

export const typeEntity = (model: ContentModel, type: DocumentType, options: SchemaOptions) => ({
  'entity-type': 'docType',
  name: type.name,
  parent: type.parent,
  facets: type.facets,
  schemas: schemasNamed(model, type.schemas, options),
})

export const facetSummary = (model: ContentModel, { name, schemas }: Facet, options: SchemaOptions) => ({
  name,
  ...(schemas.length > 0 && { schemas: schemasNamed(model, schemas, options) }),
})

export const facetEntity = (model: ContentModel, facet: Facet, options: SchemaOptions) => ({
  'entity-type': 'facet',
  ...facetSummary(model, facet, options),
})

/** What the reference platform writes for a type that extends nothing; clients compare with it. */
const NO_PARENT = 'None!!!'

/** All types and schemas in one response, types before those that extend them. */
export const typesEntity = ({ types, schemas }: ContentModel, options: SchemaOptions) => ({
  doctypes: Object.fromEntries(
    inOrder(types).map(({ name, parent, facets, schemas: own }) => [
      name,
      { parent: parent ?? NO_PARENT, facets, schemas: own },
    ]),
  ),
  schemas: Object.fromEntries(
    [...schemas.values()].map((schema) => [
      schema.name,
      { '@prefix': schema.prefix, ...fieldsEntity(schema.fields.values(), options) },
    ]),
  ),
})

const inOrder = (types: ReadonlyMap<string, DocumentType>): DocumentType[] => {
  const depth = ({ parent }: DocumentType): number => {
    const above = parent === null ? undefined : types.get(parent)
    return above ? depth(above) + 1 : 0
  }
  return [...types.values()].sort((a, b) => depth(a) - depth(b))
}

import { z } from 'zod'
import { component } from '../openapi/index.js'
import { commaList } from '../parse/index.js'

/** The name of a type, or a map when it has more properties (rest-documents.md §10). */
const field = component(
  'schemaField',
  z.union([
    z.string(),
    z.object({
      type: z.string(),
      get fields() {
        return z.record(z.string(), field).optional()
      },
      constraints: z.array(z.looseObject({})).optional(),
      itemConstraints: z.array(z.looseObject({})).optional(),
    }),
  ]),
)

const fields = z.record(z.string(), field)

export const schema = component(
  'schema',
  z.object({
    'entity-type': z.literal('schema'),
    name: z.string(),
    prefix: z.string().optional(),
    '@prefix': z.string().optional(),
    fields,
  }),
  'A schema',
)

export const docType = component(
  'docType',
  z.object({
    'entity-type': z.literal('docType'),
    name: z.string(),
    parent: z.string().nullable(),
    facets: z.array(z.string()),
    schemas: z.array(schema),
  }),
  'A document type',
)

const facetFields = { name: z.string(), schemas: z.array(schema).optional() }

export const facet = component(
  'facet',
  z.object({ 'entity-type': z.literal('facet'), ...facetFields }),
  'A facet',
)

export const typesList = component(
  'types',
  z.object({
    doctypes: z.record(
      z.string(),
      z.object({ parent: z.string(), facets: z.array(z.string()), schemas: z.array(z.string()) }),
    ),
    schemas: z.record(z.string(), z.record(z.string(), field)),
  }),
  'Types and schemas by name',
)

export const schemasList = z
  .array(z.object({ name: z.string(), '@prefix': z.string(), fields }))
  .describe('The schemas')

export const facetsList = z.array(z.object(facetFields)).describe('The facets')

export const propertiesList = component(
  'configurationProperties',
  z.object({
    'entity-type': z.literal('configurationProperties'),
    entries: z.array(
      z.object({
        name: z.string(),
        aliases: z.array(z.string()),
        value: z.string(),
        default: z.string().nullable().describe('null: the product does not know the property'),
        description: z.string().nullable(),
        isContributed: z.boolean(),
      }),
    ),
  }),
  'Values that a deployment may change, by name',
)

export const configQuery = z.object({ 'fetch-schema': commaList.describe('fields: with their constraints') })

import { z } from 'zod'
import { component, inPath, json, type RouteDoc } from '../openapi/index.js'
import { commaList } from '../parse/index.js'

/** The name of a type, or a map when there is more to say (rest-documents.md §10). */
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

const schema = component(
  'schema',
  z.object({
    'entity-type': z.literal('schema'),
    name: z.string(),
    prefix: z.string().optional(),
    '@prefix': z.string().optional(),
    fields,
  }),
)

const docType = component(
  'docType',
  z.object({
    'entity-type': z.literal('docType'),
    name: z.string(),
    parent: z.string().nullable(),
    facets: z.array(z.string()),
    schemas: z.array(schema),
  }),
)

const facetFields = { name: z.string(), schemas: z.array(schema).optional() }

const facet = component('facet', z.object({ 'entity-type': z.literal('facet'), ...facetFields }))

const allTypes = component(
  'types',
  z.object({
    doctypes: z.record(
      z.string(),
      z.object({ parent: z.string(), facets: z.array(z.string()), schemas: z.array(z.string()) }),
    ),
    schemas: z.record(z.string(), z.record(z.string(), field)),
  }),
)

const tag = 'content model'
const query = z.object({ 'fetch-schema': commaList.describe('fields: with their constraints') })

/** The content model (rest-documents.md §10). */
export const configDocs: readonly RouteDoc[] = [
  {
    method: 'GET',
    path: '/config/types',
    operationId: 'listTypes',
    summary: 'All types and schemas, types before those that extend them',
    tag,
    parameters: { query },
    responses: { 200: json('Types and schemas by name', allTypes) },
  },
  {
    method: 'GET',
    path: '/config/types/{type}',
    operationId: 'getType',
    summary: 'A document type',
    tag,
    parameters: { path: inPath({ type: 'Its name' }), query },
    responses: { 200: json('The type', docType) },
  },
  {
    method: 'GET',
    path: '/config/schemas',
    operationId: 'listSchemas',
    summary: 'All schemas',
    tag,
    parameters: { query },
    responses: {
      200: json('The schemas', z.array(z.object({ name: z.string(), '@prefix': z.string(), fields }))),
    },
  },
  {
    method: 'GET',
    path: '/config/schemas/{schema}',
    operationId: 'getSchema',
    summary: 'A schema',
    tag,
    parameters: { path: inPath({ schema: 'Its name' }), query },
    responses: { 200: json('The schema', schema) },
  },
  {
    method: 'GET',
    path: '/config/facets',
    operationId: 'listFacets',
    summary: 'All facets',
    tag,
    parameters: { query },
    responses: { 200: json('The facets', z.array(z.object(facetFields))) },
  },
  {
    method: 'GET',
    path: '/config/facets/{facet}',
    operationId: 'getFacet',
    summary: 'A facet',
    tag,
    parameters: { path: inPath({ facet: 'Its name' }), query },
    responses: { 200: json('The facet', facet) },
  },
]

import { Hono } from 'hono'
import { findVariableSchema, routesPoint } from '../../core/automation/routing/model/index.js'
import type { ContentModel } from '../../core/model/content-model/index.js'
import { listProperties } from '../../core/platform/configuration/index.js'
import { fail } from '../../core/platform/errors/index.js'
import { configurationProperties, type Platform } from '../../runtime/index.js'
import { API, type Environment, type RequestContext } from '../edge/index.js'
import { routeGroup } from '../openapi/index.js'
import { entityOptions } from '../rest/index.js'
import {
  configQuery,
  docType,
  facet,
  facetsList,
  propertiesList,
  schema,
  schemasList,
  typesList,
} from './config.schema.js'
import {
  facetEntity,
  facetSummary,
  type SchemaOptions,
  schemaEntity,
  schemaSummary,
  typeEntity,
  typesEntity,
  variableSchemaEntity,
} from './entities.js'

const optionsOf = (c: RequestContext): SchemaOptions => ({
  hasConstraints: entityOptions(c, 'schema').fetch.includes('fields'),
})

const find = <Value>(map: ReadonlyMap<string, Value>, name: string, kind: string): Value => {
  const found = map.get(name)
  if (!found) throw fail('notFound', `No such ${kind}: ${name}`)
  return found
}

const describeModel = routeGroup({
  tag: 'content model',
  path: { type: 'Its name', schema: 'Its name', facet: 'Its name' },
})
const query = configQuery

export const configDocs = describeModel({
  listTypes: [
    'GET /config/types',
    'All types and schemas, types before those that extend them',
    { query, 200: typesList },
  ],
  getType: ['GET /config/types/{type}', 'A document type', { query, 200: docType }],
  listSchemas: ['GET /config/schemas', 'All schemas', { query, 200: schemasList }],
  getSchema: ['GET /config/schemas/{schema}', 'A schema', { query, 200: schema }],
  listFacets: ['GET /config/facets', 'All facets', { query, 200: facetsList }],
  listProperties: [
    'GET /config/properties',
    'Values that contributions to `configuration` may change, for administrators',
    { 200: propertiesList, errors: [403] },
  ],
  getFacet: ['GET /config/facets/{facet}', 'A facet', { query, 200: facet }],
})

/** The content model as clients read it (rest-documents.md §10). */
export const createConfigRoutes = (platform: Pick<Platform, 'snapshot'>): Hono<Environment> => {
  const modelNow = (): ContentModel => platform.snapshot().model
  const app = new Hono<Environment>()

  app.get(`${API}/config/types`, (c) => c.json(typesEntity(modelNow(), optionsOf(c))))
  app.get(`${API}/config/types/:name`, (c) => {
    const model = modelNow()
    return c.json(typeEntity(model, find(model.types, c.req.param('name'), 'document type'), optionsOf(c)))
  })

  app.get(`${API}/config/schemas`, (c) =>
    c.json([...modelNow().schemas.values()].map((schema) => schemaSummary(schema, optionsOf(c)))),
  )
  app.get(`${API}/config/schemas/:name`, (c) => {
    const name = c.req.param('name')
    const { model, contributions } = platform.snapshot()
    const ofVariables = model.schemas.has(name)
      ? undefined
      : findVariableSchema(contributions.get(routesPoint), name)
    if (ofVariables) return c.json(variableSchemaEntity(ofVariables))
    return c.json(schemaEntity(find(model.schemas, name, 'schema'), optionsOf(c)))
  })

  app.get(`${API}/config/facets`, (c) => {
    const model = modelNow()
    return c.json([...model.facets.values()].map((facet) => facetSummary(model, facet, optionsOf(c))))
  })
  app.get(`${API}/config/facets/:name`, (c) => {
    const model = modelNow()
    return c.json(facetEntity(model, find(model.facets, c.req.param('name'), 'facet'), optionsOf(c)))
  })

  app.get(`${API}/config/properties`, (c) => {
    const { isAdministrator, name } = c.get('principal')
    if (!isAdministrator)
      throw fail('forbidden', `User '${name}' may not read the configuration: only administrators may`)
    const entries = listProperties(platform.snapshot().contributions, configurationProperties)
    return c.json({ 'entity-type': 'configurationProperties', entries })
  })

  return app
}

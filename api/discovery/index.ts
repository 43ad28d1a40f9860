import { Hono } from 'hono'
import { z } from 'zod'
import { API, contextPathOf, type Environment } from '../edge/index.js'
import { component, json, routeGroup, text } from '../openapi/index.js'

const PRODUCT = 'Archivolt'

const repositoryInfo = z.object({
  repositoryId: z.string(),
  repositoryName: z.string(),
  vendorName: z.string(),
  productName: z.string(),
  productVersion: z.string(),
  rootFolderUrl: z.string(),
})

const capabilities = component(
  'capabilities',
  z.object({
    server: z.object({
      distributionName: z.string(),
      distributionVersion: z.string(),
      distributionServer: z.string(),
    }),
    cluster: z.object({ enabled: z.boolean(), nodeId: z.string() }),
    repository: z.record(z.string(), z.object({ queryBlobKeys: z.boolean() })),
  }),
  'The capabilities of the server',
)

export const discoveryDocs = routeGroup({ tag: 'discovery' })({
  getRepositories: [
    'GET //json/cmis',
    'The repositories, with the emulated release',
    { 200: z.record(z.string(), repositoryInfo).describe('By name') },
  ],
  getCapabilities: ['GET /capabilities', 'The capabilities of the server', { 200: capabilities }],
  getOpenapi: [
    'GET /openapi.json',
    'This document',
    {
      200: {
        ...json('OpenAPI 3.1', z.looseObject({ openapi: z.string() })),
        headers: { ETag: 'Of this content model' },
      },
      304: 'It matches If-None-Match',
    },
  ],
  getReference: [
    'GET /reference',
    'This document as pages to read and search',
    {
      query: z.object({
        at: z.string().optional().describe('The page of this method and path'),
        schema: z.string().optional().describe('The page of this schema'),
        q: z.string().optional().describe('Words that all have to occur'),
      }),
      200: text('text/html', 'A page'),
      404: text('text/html', 'A page that says that there is none'),
    },
  ],
})

/**
 * Discovery for clients: `/json/cmis` and `/api/v1/capabilities`.
 *
 * @param version the release of the reference platform that clients may expect: from 10.2 on they move documents to the
 *   trash by its operations (rest-documents.md §10).
 */
export const createDiscoveryRoutes = ({
  repositories,
  version,
  node,
}: {
  repositories: readonly string[]
  version: string
  node: string
}): Hono<Environment> => {
  const routes = new Hono<Environment>()
  routes.get('/json/cmis', (c) =>
    c.json({
      ...Object.fromEntries(
        repositories.map((name) => [
          name,
          {
            repositoryId: name,
            repositoryName: PRODUCT,
            vendorName: PRODUCT,
            productName: PRODUCT,
            productVersion: version,
            rootFolderUrl: `${new URL(c.req.url).origin}${contextPathOf(c.req.url)}/json/cmis/${name}/root`,
          },
        ]),
      ),
    }),
  )
  routes.get(`${API}/capabilities`, (c) =>
    c.json({
      server: {
        distributionName: PRODUCT.toLowerCase(),
        distributionVersion: version,
        distributionServer: PRODUCT,
      },
      cluster: { enabled: true, nodeId: node },
      repository: Object.fromEntries(repositories.map((name) => [name, { queryBlobKeys: false }])),
    }),
  )
  return routes
}

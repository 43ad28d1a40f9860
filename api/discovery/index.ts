export { discoveryDocs } from './discovery.docs.js'

import { Hono } from 'hono'
import { contextPathOf } from '../edge/index.js'
import type { Environment } from '../environment.js'

/**
 * The release of the reference platform whose habits clients may expect: from 10.2 on they move documents to
 * the trash by its operations (rest-documents.md §10).
 */
const COMPATIBLE_RELEASE = '10.10'
const PRODUCT = 'Archivolt'

/** What clients ask for to learn whom they talk to: `/json/cmis` and `/api/v1/capabilities`. */
export const createDiscoveryRoutes = (repositories: readonly string[]): Hono<Environment> => {
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
            productVersion: COMPATIBLE_RELEASE,
            rootFolderUrl: `${new URL(c.req.url).origin}${contextPathOf(c.req.url)}/json/cmis/${name}/root`,
          },
        ]),
      ),
    }),
  )
  routes.get('/api/v1/capabilities', (c) =>
    c.json({
      server: {
        distributionName: PRODUCT.toLowerCase(),
        distributionVersion: COMPATIBLE_RELEASE,
        distributionServer: PRODUCT,
      },
      cluster: { enabled: true },
      repository: Object.fromEntries(repositories.map((name) => [name, { queryBlobKeys: false }])),
    }),
  )
  return routes
}

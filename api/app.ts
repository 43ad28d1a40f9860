import { Hono } from 'hono'
import { fail } from '../core/platform/errors/index.js'
import type { Platform } from '../runtime/index.js'
import { authenticate, authenticationSchemes, isOpen } from './auth/index.js'
import { createOperationPaths } from './automation/index.js'
import { dropConsumed } from './consumed-uploads/index.js'
import { crossOrigin } from './cross-origin/index.js'
import {
  byWhatIsCurrent,
  compressed,
  createMetrics,
  type Environment,
  mountOf,
  observeRequests,
  pathByRepository,
  plainBodies,
  requestedRepository,
  responseHeaders,
  traceRequests,
  UNKNOWN_REPOSITORY,
} from './edge/index.js'
import type { Engine } from './engine.js'
import { describedMethods, errorHandler, notFoundHandler, refuseOtherMethods } from './errors/index.js'
import { createHealthRoutes } from './health/index.js'
import { refuseUnhonoured } from './idempotency/index.js'
import { settleSearches } from './management/index.js'
import { createOpenapiRoutes } from './openapi/index.js'
import { protocols } from './protocols.js'
import { refuseDryRun } from './refuse-dry-run.js'
import { createRestServices, linksOf } from './rest/index.js'
import { describedComponents, routeDocs } from './route-docs.js'

/**
 * The HTTP edge: every protocol of the product on one server. Requests are routed by the one spelling that
 * `routedPath` gives to their address, so each route is written once, under `/api/v1` or at the top, and mounted
 * for each repository.
 *
 * @param engine executes automation and conversions; without it only documents are served.
 */
export const createApp = (platform: Platform, engine?: Engine): Hono<Environment> => {
  const { logger, settings } = platform
  const metrics = createMetrics(platform.metrics.extended())
  engine?.runtime.counters.follow(metrics.registry)
  const { repositories } = platform
  const app = new Hono<Environment>({
    getPath: pathByRepository(platform.repository, new Set(repositories.keys())),
  })

  app.onError(errorHandler(logger, settings.http))
  const docs = routeDocs({ hasEngine: engine !== undefined })
  const methodsOf = describedMethods(docs)
  app.notFound(notFoundHandler(app, methodsOf))
  if (settings.tracing.isEnabled) app.use(traceRequests)
  app.use(observeRequests({ logger, metrics, node: settings.node }))
  app.use(responseHeaders(platform))
  app.use(compressed)
  app.use(crossOrigin(platform))
  app.use(byWhatIsCurrent(platform.currency, { isOpen, answer: ({ req, env }) => app.fetch(req.raw, env) }))
  app.use(authenticate(authenticationSchemes(platform)))
  app.use(refuseOtherMethods(methodsOf))
  const described = routeDocs({ hasEngine: true })
  app.use(refuseUnhonoured(described))
  app.use(refuseDryRun(described))
  app.use(plainBodies)
  app.use(settleSearches(platform))
  app.use(dropConsumed(platform.uploads))

  const checks = engine ? [...platform.healthChecks, ...engine.healthChecks] : platform.healthChecks
  app.route('/', createHealthRoutes({ checks, metrics }))
  mount(app, { at: '/', platform, engine })
  for (const [name, other] of repositories) {
    if (name !== platform.repository)
      mount(app, { at: mountOf(name), platform: other, engine: engine?.on(other) })
  }
  app.all(`${UNKNOWN_REPOSITORY}/*`, (c) => {
    throw fail('notFound', `No such repository: ${requestedRepository(c.req.raw)}`)
  })
  return app
}

/** The routes of one repository, and the shared ones, which respond alike under each. */
const mount = (
  app: Hono<Environment>,
  { at, platform, engine }: { at: string; platform: Platform; engine: Engine | undefined },
): void => {
  const rest = createRestServices(platform)
  for (const { routes } of protocols) app.route(at, routes({ platform, rest, engine }))
  const { settings, repository } = platform
  app.route(
    at,
    createOpenapiRoutes({
      platform,
      docs: routeDocs({ hasEngine: engine !== undefined }),
      components: describedComponents,
      further: engine && createOperationPaths(engine.runtime.chains.current),
      baseOf: (c) => linksOf(c, { publicUrl: settings.http.publicUrl, repository }).base,
    }),
  )
}

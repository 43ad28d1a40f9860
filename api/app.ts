import { Hono } from 'hono'
import type { Platform } from '../storage/platform/index.js'
import { authenticate, basicScheme } from './auth/index.js'
import { createDiscoveryRoutes } from './discovery/index.js'
import { createDownloadRoutes } from './download/index.js'
import { createMetrics, observeRequests, routedPath, securityHeaders, traceRequests } from './edge/index.js'
import type { Engine } from './engine.js'
import { createEngineRoutes } from './engine-routes.js'
import type { Environment } from './environment.js'
import { answerError, answerUnmatched } from './errors/index.js'
import { createHealthRoutes } from './health/index.js'
import { createIdentityRoutes } from './identity/index.js'
import { createDocumentRoutes, createRestServices } from './rest/index.js'
import { createSearchRoutes } from './search/index.js'

/**
 * The HTTP edge: every protocol of the product on one server. Requests are routed by the one spelling that
 * `routedPath` gives to their address, so each route is written once, under `/api/v1` or at the top.
 *
 * @param engine executes automation and conversions; without it documents alone are served.
 */
export const createApp = (platform: Platform, engine?: Engine): Hono<Environment> => {
  const { logger } = platform
  const metrics = createMetrics()
  const rest = createRestServices(platform)
  const app = new Hono<Environment>({ getPath: (request) => routedPath(request.url) })

  app.onError(answerError(logger))
  app.notFound(answerUnmatched(app))
  if (platform.settings.tracing.isEnabled) app.use(traceRequests)
  app.use(observeRequests({ logger, metrics }))
  app.use(securityHeaders)
  app.use(authenticate([basicScheme(platform.authenticator)]))

  const checks = engine ? [...platform.healthChecks, engine.healthCheck] : platform.healthChecks
  app.route('/', createHealthRoutes({ checks, metrics }))
  app.route('/', engine ? createEngineRoutes(rest, engine) : createDocumentRoutes(rest, []))
  app.route('/', createSearchRoutes(rest))
  app.route('/', createIdentityRoutes(platform))
  app.route('/', createDiscoveryRoutes())
  app.route('/', createDownloadRoutes(platform))
  return app
}

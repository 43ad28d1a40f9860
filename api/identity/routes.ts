import { Hono } from 'hono'
import { DEFAULT_REPOSITORY } from '../../core/platform/settings/index.js'
import type { Platform } from '../../runtime/index.js'
import type { Environment } from '../edge/index.js'
import { createGroupRoutes, groupDocs } from './group-routes.js'
import { createUserRoutes, userDocs } from './user-routes.js'

export const identityDocs = [...userDocs, ...groupDocs]

/** Users and groups: the same under the address of every repository. */
export const createIdentityRoutes = (platform: Platform): Hono<Environment> => {
  const main = platform.repositories.get(DEFAULT_REPOSITORY) ?? platform
  const routes = new Hono<Environment>()
  routes.route('/', createUserRoutes(main))
  routes.route('/', createGroupRoutes(main))
  return routes
}

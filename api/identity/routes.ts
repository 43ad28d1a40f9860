import { Hono } from 'hono'
import { fail } from '../../core/errors/index.js'
import type { Platform } from '../../storage/platform/index.js'
import { createIdentityStore } from '../../storage/postgres/index.js'
import type { Environment } from '../environment.js'
import { entityResponse, requireJsonAccepted } from '../rest/index.js'
import { userEntity } from './user-entity.js'

const API = '/api/v1'

/** Users as clients look at them when they connect: `/me` and `/user/{name}` (rest-documents.md §10). */
export const createIdentityRoutes = ({ database, authenticator }: Platform): Hono<Environment> => {
  const identities = createIdentityStore(database.sql)

  const find = async (username: string) => {
    const user = username.includes('\0') ? undefined : await identities.user(username)
    const principal = user && (await authenticator.principal(username))
    if (!user || !principal) throw fail('notFound', 'user does not exist')
    return userEntity(user, { ...principal, ownGroups: await identities.directGroupsOf(username) })
  }

  const routes = new Hono<Environment>()
  routes.get(`${API}/me`, async (c) => {
    requireJsonAccepted(c)
    return entityResponse(await find(c.get('principal').name))
  })
  routes.get(`${API}/user/:name`, async (c) => {
    requireJsonAccepted(c)
    return entityResponse(await find(c.req.param('name')))
  })
  return routes
}

import { Hono } from 'hono'
import {
  addToGroup,
  changeOwnPassword,
  createUser,
  deleteUser,
  removeFromGroup,
  requireUser,
  searchUsers,
  type User,
  updateUser,
} from '../../core/access/identity/index.js'
import type { Session } from '../../core/content/documents/index.js'
import { fail } from '../../core/platform/errors/index.js'
import type { Platform } from '../../runtime/index.js'
import { API, type Environment, type RequestContext } from '../edge/index.js'
import { routeGroup, text } from '../openapi/index.js'
import { listEntity, listRange } from '../paging/index.js'
import { parseInput, parseQuery } from '../parse/index.js'
import { entityResponse, readJson, requireJsonAccepted } from '../rest/index.js'
import { attemptsIn, nameIn, namesIn } from './addresses.js'
import { userEntities } from './entities/index.js'
import {
  identitySearch,
  passwordChange,
  userEntitySchema,
  userRequest,
  usersPage,
} from './identity.schema.js'

const USER = `${API}/user`

const userResponse = async (session: Session, user: User, status = 200): Promise<Response> => {
  const [entity] = await userEntities(session, [user])
  return entityResponse(entity!, status)
}

const user = userEntitySchema
const path = { user: 'Name of the user', group: 'Name of the group, its slashes as they are' }

export const userDocs = [
  ...routeGroup({ tag: 'users', path })({
    getMe: ['GET /me', 'The caller', { 200: user }],
    changePassword: [
      'PUT /me/changepassword',
      'Changes the caller’s password',
      { body: passwordChange, 200: user, isOwn: true },
    ],
    searchUsers: ['GET /user/search', 'Searches users by name', { query: identitySearch, 200: usersPage }],
    createUser: ['POST /user', 'Creates a user', { body: userRequest, 201: user }],
    getUser: ['GET /user/{user}', 'Reads a user', { 200: user }],
    updateUser: [
      'PUT /user/{user}',
      'Changes the properties that are sent',
      { body: userRequest, 200: user },
    ],
    deleteUser: ['DELETE /user/{user}', 'Removes a user', { 204: 'It is removed' }],
    resetLoginAttempts: [
      'DELETE /user/{user}/@loginAttempts',
      'Lets a user log in again for whom too many wrong passwords were sent; administrators only',
      { 204: 'They are forgotten' },
    ],
  }),
  ...routeGroup({ tag: 'groups', path })({
    addToGroup: ['POST /user/{user}/group/{group}', 'Adds a user to a group', { 201: user }],
    removeFromGroup: [
      'DELETE /user/{user}/group/{group}',
      'Removes a user from a group',
      { 200: text('text/plain', 'The name of the user') },
    ],
  }),
]

/**
 * Users, and the caller's own one (rest-documents.md §10).
 *
 * @param main the platform on the main database, which users belong to.
 */
export const createUserRoutes = (main: Platform): Hono<Environment> => {
  const { maxJsonBytes } = main.settings.http
  const read = (c: RequestContext): Session => main.readSession(c.get('principal'))
  const write = <Result>(c: RequestContext, work: (session: Session) => Promise<Result>) =>
    main.withSession(c.get('principal'), work)
  const propertiesIn = async (c: RequestContext) => {
    const { id, properties = {} } = parseInput(userRequest, await readJson(c, maxJsonBytes))
    return { ...properties, username: properties.username ?? id }
  }

  const resetAttempts = async (c: RequestContext, name: string): Promise<Response> => {
    if (!c.get('principal').isAdministrator)
      throw fail('forbidden', 'Only administrators may reset the login attempts of a user')
    const { username } = await requireUser(read(c), name)
    await main.authenticator.resetAttempts(username)
    return c.body(null, 204)
  }

  const routes = new Hono<Environment>()

  routes.get(`${API}/me`, async (c) => {
    requireJsonAccepted(c)
    const session = read(c)
    return userResponse(session, await requireUser(session, session.principal.name))
  })

  routes.put(`${API}/me/changepassword`, async (c) => {
    const { oldPassword, newPassword } = parseInput(passwordChange, await readJson(c, maxJsonBytes))
    return write(c, async (session) =>
      userResponse(session, await changeOwnPassword(session, { oldPassword, newPassword })),
    )
  })

  routes.get(`${USER}/search`, async (c) => {
    requireJsonAccepted(c)
    const range = listRange(c)
    const session = read(c)
    const { entries, total } = await searchUsers(session.identities, parseQuery(c, identitySearch).q, range)
    return entityResponse(
      listEntity('users', range, { entries: await userEntities(session, entries), total }),
    )
  })

  routes.post(USER, async (c) => {
    const given = await propertiesIn(c)
    return write(c, async (session) => userResponse(session, await createUser(session, given), 201))
  })

  routes.get(`${USER}/*`, async (c) => {
    requireJsonAccepted(c)
    const session = read(c)
    return userResponse(session, await requireUser(session, nameIn(c, USER)))
  })

  routes.put(`${USER}/*`, async (c) => {
    const given = await propertiesIn(c)
    return write(c, async (session) =>
      userResponse(session, await updateUser(session, nameIn(c, USER), given)),
    )
  })

  routes.post(`${USER}/*`, async (c) => {
    const [username, groupname] = namesIn(c, USER, 'group') ?? []
    if (username === undefined || groupname === undefined) return c.notFound()
    return write(c, async (session) => {
      await addToGroup(session, { username, groupname })
      return userResponse(session, await requireUser(session, username), 201)
    })
  })

  routes.delete(`${USER}/*`, async (c) => {
    const attempted = attemptsIn(c, USER)
    if (attempted !== undefined) return resetAttempts(c, attempted)
    const [username, groupname] = namesIn(c, USER, 'group') ?? []
    if (username !== undefined && groupname !== undefined) {
      await write(c, (session) => removeFromGroup(session, { username, groupname }))
      return c.text(username)
    }
    await write(c, (session) => deleteUser(session, nameIn(c, USER)))
    return c.body(null, 204)
  })

  return routes
}

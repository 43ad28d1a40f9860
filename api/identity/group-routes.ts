import { Hono } from 'hono'
import type { z } from 'zod'
import {
  addToGroup,
  createGroup,
  deleteGroup,
  type Group,
  removeFromGroup,
  requireGroup,
  requireUser,
  searchGroups,
  updateGroup,
} from '../../core/access/identity/index.js'
import type { Session } from '../../core/content/documents/index.js'
import type { Platform } from '../../runtime/index.js'
import { API, type Environment, type RequestContext } from '../edge/index.js'
import { routeGroup, text } from '../openapi/index.js'
import { listEntity, listRange } from '../paging/index.js'
import { parseInput, parseQuery } from '../parse/index.js'
import { entityOptions, entityResponse, readJson, requireJsonAccepted } from '../rest/index.js'
import { membersIn, nameIn, namesIn } from './addresses.js'
import { groupEntities, userEntities } from './entities/index.js'
import {
  groupEntitySchema,
  groupRequest,
  groupsPage,
  identitySearch,
  userEntitySchema,
  usersPage,
} from './identity.schema.js'

const GROUP = `${API}/group`

const entitiesOf = (c: RequestContext, session: Session, groups: readonly Group[]) =>
  groupEntities(session, groups, entityOptions(c, 'group').fetch)

const groupResponse = async (
  c: RequestContext,
  { session, group, status = 200 }: { session: Session; group: Group; status?: number },
): Promise<Response> => {
  const [entity] = await entitiesOf(c, session, [group])
  return entityResponse(entity!, status)
}

/** Current clients send the values as `properties`, those of 7.4 beside them; the latter are the edited ones. */
const valuesOf = ({
  'entity-type': _type,
  id,
  properties,
  ...flat
}: z.output<typeof groupRequest>): Record<string, unknown> => {
  const values: Record<string, unknown> = { groupname: id, ...properties }
  for (const [name, value] of Object.entries(flat))
    if (value !== undefined && value !== null) values[name] = value
  return values
}

const describeGroups = routeGroup({
  tag: 'groups',
  path: { group: 'Name of the group, its slashes as they are', user: 'Name of the user' },
})
const group = groupEntitySchema
const query = identitySearch

export const groupDocs = describeGroups({
  searchGroups: ['GET /group/search', 'Searches groups by name and label', { query, 200: groupsPage }],
  createGroup: ['POST /group', 'Creates a group', { body: groupRequest, 201: group }],
  getGroup: ['GET /group/{group}', 'Reads a group', { 200: group }],
  updateGroup: [
    'PUT /group/{group}',
    'Changes the sent properties; a list of members replaces the previous one',
    { body: groupRequest, 200: group },
  ],
  deleteGroup: ['DELETE /group/{group}', 'Removes a group', { 204: 'It is removed' }],
  listMemberUsers: ['GET /group/{group}/@users', 'Users in a group', { query, 200: usersPage }],
  listMemberGroups: ['GET /group/{group}/@groups', 'Groups in a group', { query, 200: groupsPage }],
  addToGroupOfGroup: ['POST /group/{group}/user/{user}', 'Adds a user to a group', { 201: userEntitySchema }],
  removeFromGroupOfGroup: [
    'DELETE /group/{group}/user/{user}',
    'Removes a user from a group',
    { 200: text('text/plain', 'The name of the user') },
  ],
})

/**
 * Groups and their members (rest-documents.md §10).
 *
 * @param main the platform on the main database, which groups belong to.
 */
export const createGroupRoutes = (main: Platform): Hono<Environment> => {
  const { maxJsonBytes } = main.settings.http
  const read = (c: RequestContext): Session => main.readSession(c.get('principal'))
  const write = <Result>(c: RequestContext, work: (session: Session) => Promise<Result>) =>
    main.withSession(c.get('principal'), work)
  const groupIn = async (c: RequestContext) =>
    valuesOf(parseInput(groupRequest, await readJson(c, maxJsonBytes)))

  const membersOf = async (c: RequestContext, name: string, kind: 'user' | 'group'): Promise<Response> => {
    const range = listRange(c)
    const session = read(c)
    const { identities } = session
    await requireGroup(session, name)
    const text = parseQuery(c, identitySearch).q.replace(/^\*+|(?<!\*)\*+$/g, '')
    const { entries: names, total } = await identities.members(name, kind, { text, ...range })
    const entries: object[] =
      kind === 'user'
        ? await userEntities(session, await identities.users(names))
        : await entitiesOf(c, session, await identities.groups(names))
    return entityResponse(listEntity(`${kind}s`, range, { entries, total }))
  }

  const routes = new Hono<Environment>()

  routes.get(`${GROUP}/search`, async (c) => {
    requireJsonAccepted(c)
    const range = listRange(c)
    const session = read(c)
    const { entries, total } = await searchGroups(session.identities, parseQuery(c, identitySearch).q, range)
    return entityResponse(
      listEntity('groups', range, { entries: await entitiesOf(c, session, entries), total }),
    )
  })

  routes.post(GROUP, async (c) => {
    const given = await groupIn(c)
    return write(c, async (session) =>
      groupResponse(c, { session, group: await createGroup(session, given), status: 201 }),
    )
  })

  routes.get(`${GROUP}/*`, async (c) => {
    requireJsonAccepted(c)
    const members = membersIn(c, GROUP)
    if (members) return membersOf(c, members.name, members.kind)
    const session = read(c)
    return groupResponse(c, { session, group: await requireGroup(session, nameIn(c, GROUP)) })
  })

  routes.put(`${GROUP}/*`, async (c) => {
    const given = await groupIn(c)
    return write(c, async (session) =>
      groupResponse(c, { session, group: await updateGroup(session, nameIn(c, GROUP), given) }),
    )
  })

  routes.post(`${GROUP}/*`, async (c) => {
    const [groupname, username] = namesIn(c, GROUP, 'user') ?? []
    if (username === undefined || groupname === undefined) return c.notFound()
    return write(c, async (session) => {
      await addToGroup(session, { username, groupname })
      const [entity] = await userEntities(session, [await requireUser(session, username)])
      return entityResponse(entity!, 201)
    })
  })

  routes.delete(`${GROUP}/*`, async (c) => {
    const [groupname, username] = namesIn(c, GROUP, 'user') ?? []
    if (username !== undefined && groupname !== undefined) {
      await write(c, (session) => removeFromGroup(session, { username, groupname }))
      return c.text(username)
    }
    await write(c, (session) => deleteGroup(session, nameIn(c, GROUP)))
    return c.body(null, 204)
  })

  return routes
}

import { Hono } from 'hono'
import {
  createEntry,
  type Directory,
  type DirectoryEntry,
  deleteEntry,
  findEntries,
  getEntry,
  noSuchEntry,
  requireDirectory,
  requireWrite,
  updateEntry,
} from '../../core/content/directories/index.js'
import type { Session } from '../../core/content/documents/index.js'
import { fail } from '../../core/platform/errors/index.js'
import { DEFAULT_REPOSITORY } from '../../core/platform/settings/index.js'
import type { Platform } from '../../runtime/index.js'
import { API, decodePath, type Environment, type RequestContext, routedPath } from '../edge/index.js'
import { routeGroup } from '../openapi/index.js'
import { listEntity, listRange } from '../paging/index.js'
import { parseInput, parseQuery } from '../parse/index.js'
import {
  directoryEntryEntity,
  entityOptions,
  entityResponse,
  languagesOf,
  readJson,
  requireJsonAccepted,
} from '../rest/index.js'
import {
  directoriesEntity,
  directoriesQuery,
  directoryEntries,
  directoryEntry,
  entryRendering,
  entryRequest,
  listQuery,
} from './directories.schema.js'

const DIRECTORY = `${API}/directory`
const SYSTEM = 'system'

type Place = { name: string; id: string | undefined }

/** The directory of a path, and the entry's id, which may contain slashes. */
const placeIn = (c: RequestContext): Place => {
  const rest = routedPath(c.req.url).slice(DIRECTORY.length + 1)
  const slash = rest.indexOf('/')
  if (slash < 0) return { name: decodePath(rest), id: undefined }
  const id = decodePath(rest.slice(slash + 1))
  return { name: decodePath(rest.slice(0, slash)), id: id === '' ? undefined : id }
}

/** Users and groups are served, and changed, by their own routes alone (rest-documents.md §10). */
const requireServed = (session: Session, name: string): Directory => {
  const directory = requireDirectory(session, name)
  if (directory.backend === 'users' || directory.backend === 'groups')
    throw fail('badRequest', `Directory '${name}' is served by /${directory.backend.slice(0, -1)}`)
  return directory
}

const definition = ({ name, schema, idField, parentDirectory }: Directory) => ({
  'entity-type': 'directory',
  name,
  schema: schema.name,
  idField,
  parent: parentDirectory,
})

const entityOf = (c: RequestContext, session: Session, name: string, entry: DirectoryEntry) =>
  directoryEntryEntity(session, {
    directory: name,
    entry,
    options: {
      ...entityOptions(c, 'directoryEntry'),
      languages: languagesOf(c.req.header('Accept-Language')),
    },
  })

type Given = { id: string | undefined; values: Record<string, unknown> }

/**
 * An entry in a request: its id is in the entity, else in the id field of the directory.
 *
 * @throws badRequest when it is no entry, or belongs to another directory.
 */
const givenEntry = (body: unknown, { name, idField }: Directory): Given & { isNamed: boolean } => {
  const { directoryName, id, properties: values } = parseInput(entryRequest, body)
  if (directoryName !== undefined && directoryName !== name)
    throw fail('badRequest', `directoryName: must be '${name}', not ${JSON.stringify(directoryName)}`)
  const said = id ?? values[idField]
  return {
    id: typeof said === 'string' || typeof said === 'number' ? String(said) : undefined,
    values,
    isNamed: directoryName !== undefined,
  }
}

/** The error of a method that entries support and directories do not, or the reverse. */
const refused = (c: RequestContext, allow: string): Error => {
  c.header('Allow', allow)
  return fail('methodNotAllowed', `${c.req.method} is not among ${allow}`)
}

const describeDirectories = routeGroup({
  tag: 'directories',
  path: { directory: 'Name of the directory', entry: 'Id of the entry, its slashes as they are' },
})
const ofEntries = { query: entryRendering, 200: directoryEntry }

export const directoryDocs = describeDirectories({
  listDirectories: [
    'GET /directory',
    'The directories, except those of the system',
    { query: directoriesQuery, 200: directoriesEntity },
  ],
  listEntries: [
    'GET /directory/{directory}',
    'The entries of a directory',
    { query: listQuery.extend(entryRendering.shape), 200: directoryEntries },
  ],
  createEntry: [
    'POST /directory/{directory}',
    'Adds an entry',
    { query: entryRendering, body: entryRequest, 201: directoryEntry },
  ],
  updateNamedEntry: [
    'PUT /directory/{directory}',
    'Changes the entry whose id is in the body',
    { ...ofEntries, body: entryRequest },
  ],
  getEntry: ['GET /directory/{directory}/{entry}', 'Reads an entry', ofEntries],
  updateEntry: [
    'PUT /directory/{directory}/{entry}',
    'Changes an entry',
    { ...ofEntries, body: entryRequest },
  ],
  deleteEntry: ['DELETE /directory/{directory}/{entry}', 'Removes an entry', { 204: 'It is removed' }],
})

/** Directories and their entries (rest-documents.md §10): the same under the address of every repository. */
export const createDirectoryRoutes = (platform: Platform): Hono<Environment> => {
  const main = platform.repositories.get(DEFAULT_REPOSITORY) ?? platform
  const { maxJsonBytes } = main.settings.http
  const routes = new Hono<Environment>()

  routes.on('GET', [DIRECTORY, `${DIRECTORY}/`], async (c) => {
    requireJsonAccepted(c)
    const { types } = parseQuery(c, directoriesQuery)
    const { registry } = main.readSession(c.get('principal')).directories
    const entries = [...registry.values()]
      .filter((directory) => !directory.types.includes(SYSTEM))
      .filter((directory) => types.length === 0 || directory.types.some((type) => types.includes(type)))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map(definition)
    return entityResponse({ 'entity-type': 'directories', entries } as { 'entity-type': string })
  })

  routes.get(`${DIRECTORY}/*`, async (c) => {
    requireJsonAccepted(c)
    const session = main.readSession(c.get('principal'))
    const { name, id } = placeIn(c)
    requireServed(session, name)
    if (id !== undefined) {
      const entry = await getEntry(session, name, id)
      if (!entry) throw noSuchEntry(name, id)
      return entityResponse(await entityOf(c, session, name, entry))
    }
    const range = listRange(c)
    const { limit, offset } = range
    const { entries, total } = await findEntries(session, name, { limit, offset })
    const entities = await sequentially(entries, (entry) => entityOf(c, session, name, entry))
    return entityResponse(listEntity('directoryEntries', range, { entries: entities, total }))
  })

  /** Before a body is read: who may not change the directory learns nothing else. */
  const requireWritable = (c: RequestContext, name: string): void => {
    const session = main.readSession(c.get('principal'))
    requireWrite(session, requireServed(session, name))
  }

  routes.post(`${DIRECTORY}/*`, async (c) => {
    const { name, id } = placeIn(c)
    if (id !== undefined) throw refused(c, 'GET, HEAD, PUT, DELETE, OPTIONS')
    requireWritable(c, name)
    const body = await readJson(c, maxJsonBytes)
    return main.withSession(c.get('principal'), async (session) => {
      const directory = requireServed(session, name)
      const { id: given, values } = givenEntry(body, directory)
      const entry = await createEntry(session, name, { ...values, ...idValue(directory, given) })
      return entityResponse(await entityOf(c, session, name, entry), 201)
    })
  })

  routes.put(`${DIRECTORY}/*`, async (c) => {
    const { name, id: addressed } = placeIn(c)
    requireWritable(c, name)
    const body = await readJson(c, maxJsonBytes)
    return main.withSession(c.get('principal'), async (session) => {
      const { id, values, isNamed } = givenEntry(body, requireServed(session, name))
      if (!isNamed) throw fail('badRequest', 'directoryName: is missing')
      if (id === undefined) throw fail('badRequest', 'id: is missing')
      if (addressed !== undefined && addressed !== id)
        throw fail('badRequest', `id: '${id}' is not the entry '${addressed}' of the address`)
      const entry = await updateEntry(session, name, { id, values })
      return entityResponse(await entityOf(c, session, name, entry))
    })
  })

  routes.delete(`${DIRECTORY}/*`, async (c) => {
    const { name, id } = placeIn(c)
    if (id === undefined) throw refused(c, 'GET, HEAD, POST, PUT, OPTIONS')
    requireWritable(c, name)
    await main.withSession(c.get('principal'), async (session) => {
      requireServed(session, name)
      await deleteEntry(session, name, id)
    })
    return c.body(null, 204)
  })

  return routes
}

const idValue = ({ idField, autoincrementIdField }: Directory, id: string | undefined) =>
  id === undefined || autoincrementIdField ? {} : { [idField]: id }

/** One after the other, so that a page of entries does not use all connections. */
const sequentially = async <Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> => {
  const results: Result[] = []
  for (const item of items) results.push(await work(item))
  return results
}

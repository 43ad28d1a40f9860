import { Hono } from 'hono'
import type { FolderImports } from '../../core/automation/folder-imports/index.js'
import { getDocument } from '../../core/content/documents/index.js'
import { fail, isArchivoltError } from '../../core/platform/errors/index.js'
import type { Platform } from '../../runtime/index.js'
import { refuseForeignChange } from '../cross-origin/index.js'
import type { Environment, RequestContext } from '../edge/index.js'
import { routeGroup, text } from '../openapi/index.js'
import { parseQuery } from '../parse/index.js'
import { runQuery } from './importers.schema.js'
import { readImportRequest } from './read-request.js'

const PLACE = '/site/fileImporter'

/** Milliseconds that an interactive import is waited for. */
const WAIT_MS = 60_000

const describeImporters = routeGroup({ tag: 'importers', errors: [403, 503] })

const answer = (description: string) => text('text/plain', description)

export const importerDocs = describeImporters({
  runFileImporter: [
    `GET /${PLACE}/run`,
    'Imports a folder of the server, as a run in the background',
    { query: runQuery, 200: answer('`Started`, or why nothing can be imported'), errors: [400] },
  ],
  getFileImporterLog: [`GET /${PLACE}/log`, 'The log of the last import', { 200: answer('Its lines') }],
  activateFileImporterLog: [
    `GET /${PLACE}/logActivate`,
    'Lets the import that is under way log what it does, as each does at first',
    { 200: answer('Whether it does') },
  ],
  deactivateFileImporterLog: [
    `GET /${PLACE}/logDesactivate`,
    'Lets the import that is under way log nothing more',
    { 200: answer('Whether it does') },
  ],
  getFileImporterStatus: [
    `GET /${PLACE}/status`,
    'Whether an import is under way',
    { 200: answer('`Running` or `Not Running`') },
  ],
  isFileImporterRunning: [
    `GET /${PLACE}/running`,
    'Whether an import is under way',
    { 200: answer('`true` or `false`') },
  ],
  killFileImporter: [
    `GET /${PLACE}/kill`,
    'Stops the import that is under way between two of its transactions',
    { 200: answer('`Killed` or `Not Running`') },
  ],
})

const NOT_RUNNING = 'Not Running'

/** The bulk importer (blobs-conversions.md §7), for administrators: every answer is a text. */
export const createImporterRoutes = (
  platform: Pick<Platform, 'settings' | 'snapshot' | 'readSession'>,
  imports: FolderImports,
): Hono<Environment> => {
  const requireAdministrator = (c: RequestContext): void => {
    if (!c.get('principal').isAdministrator)
      throw fail('forbidden', 'Unauthorized access: only administrators may import folders of the server')
  }

  /** A GET that changes something: not by a page of another site, and not by a HEAD. */
  const changing = async (c: RequestContext, change: () => Promise<string>): Promise<Response> => {
    requireAdministrator(c)
    refuseForeignChange(c, platform)
    return c.text(c.req.method === 'HEAD' ? '' : await change())
  }

  const reading = async (c: RequestContext, read: () => Promise<string>): Promise<Response> => {
    requireAdministrator(c)
    return c.text(await read())
  }

  /** Why a target takes nothing; undefined when it is there. */
  const objectionTo = async (c: RequestContext, targetPath: string): Promise<string | undefined> => {
    try {
      await getDocument(platform.readSession(c.get('principal')), targetPath)
      return undefined
    } catch (error) {
      if (!isArchivoltError(error) || error.code !== 'notFound') throw error
      return `targetPath: there is no document ${targetPath}`
    }
  }

  const run = async (c: RequestContext): Promise<string> => {
    const query = parseQuery(c, runQuery)
    const request = readImportRequest(query, platform)
    if (typeof request === 'string') return `Can not import, ${request}`
    const objection = await objectionTo(c, request.targetPath)
    if (objection !== undefined) return `Can not import, ${objection}`
    if (!(await imports.start(request, c.get('principal'))))
      return 'Can not import, another import is running'
    if (query.interactive) await imports.settled(WAIT_MS)
    return 'Started'
  }

  const routes = new Hono<Environment>()
  routes.get(`${PLACE}/run`, (c) => changing(c, () => run(c)))
  routes.get(`${PLACE}/kill`, (c) =>
    changing(c, async () => ((await imports.kill()) ? 'Killed' : NOT_RUNNING)),
  )
  routes.get(`${PLACE}/logActivate`, (c) =>
    changing(c, async () => ((await imports.setLogging(true)) ? 'Logging activated' : NOT_RUNNING)),
  )
  routes.get(`${PLACE}/logDesactivate`, (c) =>
    changing(c, async () => ((await imports.setLogging(false)) ? 'Logging desactivated' : NOT_RUNNING)),
  )
  routes.get(`${PLACE}/log`, (c) => reading(c, async () => (await imports.log()).join('\n')))
  routes.get(`${PLACE}/status`, (c) =>
    reading(c, async () => ((await imports.isRunning()) ? 'Running' : NOT_RUNNING)),
  )
  routes.get(`${PLACE}/running`, (c) => reading(c, async () => String(await imports.isRunning())))
  return routes
}

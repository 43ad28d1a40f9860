import { Hono } from 'hono'
import type { Principal } from '../../core/access/security/index.js'
import { requireMayCall } from '../../core/automation/language/index.js'
import {
  type EndedInlineRun,
  failuresWithPaths,
  type InlineRequest,
} from '../../core/automation/run-store/index.js'
import { getDocument, type Session } from '../../core/content/documents/index.js'
import { fail, isArchivoltError } from '../../core/platform/errors/index.js'
import type { Environment, RequestContext } from '../edge/index.js'
import { parseInput, parseQuery } from '../parse/index.js'
import { parseJson, readText } from '../rest/index.js'
import { itemsQuery, itemsRequest, retryQuery, runsQuery } from './automation.schema.js'
import { createBulkRuns } from './bulk-runs.js'
import type { AutomationDependencies } from './dependencies.js'
import { retryInline } from './inline.js'
import { inlineReport } from './inline-report.js'
import { reportWithPaths } from './item-paths.js'
import { noRun } from './run-access.js'
import { mayBeInline } from './run-ids.js'
import { type FailedItemsPage, type ItemsPage, pageOfItems } from './run-items.js'
import type { RunReport, RunSummary } from './run-report.js'
import { summarized } from './run-summaries.js'

const KEEPS_DEFINITION = 'definition: a bulk command keeps the definition with which it was given'

const PAGE_SIZE = 50
const MAX_PAGE_SIZE = 1000

/** Runs are indexed by what their callers wrote: an id or a path, of which each names the other. */
const namesOf = async (session: Session, name: string | undefined): Promise<string[] | undefined> => {
  if (name === undefined) return undefined
  try {
    const { id, path } = await getDocument(session, name)
    return [...new Set([name, id, ...(path === null ? [] : [path])])]
  } catch (error) {
    if (isArchivoltError(error) && error.code === 'notFound') return [name]
    throw error
  }
}

/** Of whom runs are asked for; ordinary users are shown their own. */
const userOf = (principal: Principal, asked: string | undefined): string | undefined => {
  if (principal.isAdministrator) return asked
  if (asked !== undefined && asked !== principal.name)
    throw fail('forbidden', 'user: the runs of others are shown to administrators alone')
  return principal.name
}

type Found = EndedInlineRun & { request?: InlineRequest }

/** What is known of runs, and what can be done to them: `/runs` below the automation service. */
export const createRunRoutes = (deps: AutomationDependencies): Hono<Environment> => {
  const { runs } = deps
  const app = new Hono<Environment>()
  const current = async () => {
    const registry = await deps.registry()
    return { registry, segments: deps.segments(registry) }
  }
  const unitOf = async (principal: Principal) => {
    const { registry, segments } = await current()
    return { registry, segments, reading: segments.units.reading(principal) }
  }

  const findInline = async (runId: string, principal: Principal): Promise<Found | undefined> => {
    if (!mayBeInline(runId)) return undefined
    const { reading } = await unitOf(principal)
    const run = await reading.inlineRuns.find(runId)
    if (run && !principal.isAdministrator && run.principal !== principal.name)
      throw fail('notFound', noRun(runId))
    return run
  }

  const bulkRuns = createBulkRuns({ runs, current })

  const reportOf = async (runId: string, principal: Principal): Promise<RunReport> => {
    const inline = await findInline(runId, principal)
    if (inline) return inlineReport((await unitOf(principal)).reading, inline)
    const command = await bulkRuns.find(runId, principal)
    return command ? bulkRuns.report(command, principal) : runs.report(runId, principal)
  }

  const itemsOf = async (runId: string, principal: Principal, page: ItemsPage): Promise<FailedItemsPage> => {
    const command = await bulkRuns.find(runId, principal)
    if (command) return bulkRuns.items(command, principal, page)
    // One transaction has none.
    if (await findInline(runId, principal)) return pageOfItems([], page)
    return runs.items(runId, principal, page)
  }

  /** Whoever may not call a chain any more may not start it again either. */
  const requireCallable = async (c: RequestContext, chainId: string): Promise<void> => {
    const { registry, reading } = await unitOf(c.get('principal'))
    const callable = registry.find(chainId)
    const isSecure = deps.restRootOf(c).startsWith('https:')
    if (callable) requireMayCall(reading.session, { id: chainId, callable }, { isSecure })
  }

  /** What a run is to go on with, unless it is what it began with. */
  const registryOf = async (definition: 'original' | 'current' | undefined) =>
    definition === 'current' ? (await current()).registry : undefined

  const outdated = async (runId: string, principal: Principal): Promise<boolean> => {
    try {
      return await runs.isOutdated(runId, principal, (await current()).registry)
    } catch (error) {
      // A run that cannot be started again says so itself.
      if (isArchivoltError(error)) return false
      throw error
    }
  }

  const entityOf = (report: RunReport | RunSummary) => ({ 'entity-type': 'run', ...report })

  const toldTo = async (principal: Principal, report: RunReport) =>
    entityOf(await reportWithPaths((await unitOf(principal)).reading, report))

  app.get('/', async (c) => {
    const principal = c.get('principal')
    const { chain, execution, state, user, document, from, to, pageSize, cursor } = parseQuery(c, runsQuery)
    const { reading } = await unitOf(principal)
    const filter = {
      chainId: chain,
      execution,
      state,
      principal: userOf(principal, user),
      documentIds: await namesOf(reading.session, document),
      from,
      to,
    }
    const size = Math.min(pageSize || PAGE_SIZE, MAX_PAGE_SIZE)
    const { entries, ...page } = await runs.list(filter, principal, { pageSize: size, cursor })
    return c.json({
      'entity-type': 'runs',
      entries: (await summarized(reading, entries)).map(entityOf),
      ...page,
      isNextPageAvailable: page.nextCursor !== undefined,
    })
  })

  app.get('/:execution', async (c) => {
    const principal = c.get('principal')
    return c.json(await toldTo(principal, await reportOf(c.req.param('execution'), principal)))
  })

  app.delete('/:execution', async (c) => {
    const runId = c.req.param('execution')
    const principal = c.get('principal')
    const { status } = await reportOf(runId, principal)
    if (status !== 'RUNNING') throw fail('conflict', `The run ${runId} has ended: it is ${status}`)
    await runs.cancel(runId, principal)
    return c.body(null, 202)
  })

  app.post('/:execution/retry', async (c) => {
    const runId = c.req.param('execution')
    const principal = c.get('principal')
    const { definition } = parseQuery(c, retryQuery)
    const command = await bulkRuns.find(runId, principal)
    if (command) {
      if (definition === 'current') throw fail('conflict', KEEPS_DEFINITION)
      return c.json(await toldTo(principal, await bulkRuns.resume(command, principal)), 202)
    }
    const inline = await findInline(runId, principal)
    await requireCallable(c, inline?.chainId ?? (await runs.describe(runId, principal)).chainId)
    const isOutdated = !inline && definition !== 'current' && (await outdated(runId, principal))
    if (inline) {
      const { registry, segments } = await unitOf(principal)
      const owner = await deps.principal(inline.principal)
      if (!owner) throw fail('conflict', `User ${inline.principal} does not exist or is disabled`)
      const call = { principal: owner, requestId: c.get('requestId'), signal: c.req.raw.signal }
      await retryInline(segments, { ...call, run: inline, registry })
    } else await runs.retry(runId, principal, await registryOf(definition))
    const told = await toldTo(principal, await reportOf(runId, principal))
    return c.json({ ...told, ...(isOutdated && { isOutdated }) }, 202)
  })

  app.get('/:execution/items', async (c) => {
    const runId = c.req.param('execution')
    const principal = c.get('principal')
    const { pageSize, ...asked } = parseQuery(c, itemsQuery)
    const size = Math.min(pageSize || PAGE_SIZE, MAX_PAGE_SIZE)
    const { entries, ...page } = await itemsOf(runId, principal, { ...asked, pageSize: size })
    return c.json({
      'entity-type': 'runItems',
      entries: (await failuresWithPaths((await unitOf(principal)).reading, entries)).map((item) => ({
        'entity-type': 'runItem',
        ...item,
      })),
      ...page,
      isNextPageAvailable: 'nextCursor' in page,
    })
  })

  app.post('/:execution/items/retry', async (c) => {
    const runId = c.req.param('execution')
    const principal = c.get('principal')
    const text = await readText(c, deps.limits.maxJsonBytes)
    const asked = parseInput(itemsRequest, text.trim() === '' ? undefined : parseJson(text))
    const { definition } = parseQuery(c, retryQuery)
    const command = await bulkRuns.find(runId, principal)
    if (command) {
      if (definition === 'current') throw fail('conflict', KEEPS_DEFINITION)
      const repair = { ...asked, requestId: c.get('requestId') }
      return c.json(await toldTo(principal, await bulkRuns.repair(command, principal, repair)), 202)
    }
    if (await findInline(runId, principal))
      throw fail('notFound', `The run ${runId} has no such failed items: it is one transaction`)
    await requireCallable(c, (await runs.describe(runId, principal)).chainId)
    const repairId = await runs.retryItems(runId, principal, { ...asked }, await registryOf(definition))
    const isOutdated = definition !== 'current' && (await outdated(runId, principal))
    const told = await toldTo(principal, await runs.report(repairId, principal))
    return c.json({ ...told, ...(isOutdated && { isOutdated }) }, 202)
  })

  return app
}

import { Hono } from 'hono'
import {
  boundaryOf,
  type Callable,
  type ChainDefinition,
  chainOfOne,
  createDocumentReader,
  mayCall,
  namedDocuments,
  type Registry,
  runOperation,
  type SegmentDependencies,
  type Value,
  withTimeLimit,
} from '../../core/automation/index.js'
import type { BlobStore } from '../../core/blobs/index.js'
import { writeYamlView } from '../../core/chains/index.js'
import type { Session } from '../../core/documents/index.js'
import { fail } from '../../core/errors/index.js'
import type { Principal } from '../../core/security/index.js'
import type { Environment, RequestContext } from '../environment.js'
import type { AutomationRequest } from './decode.js'
import { type DocDependencies, docPage } from './doc/index.js'
import { checkIdempotencyKey, operationKey } from './idempotency.js'
import { callInline, inlineRunId } from './inline.js'
import { chainJson, operationJson, registryJson } from './registry-json.js'
import { type BodyLimits, readAutomationRequest } from './request.js'
import { type EntityWriter, respondWith } from './respond.js'
import { createRunRoutes } from './run-routes.js'
import type { Runs } from './runs.js'

export type AutomationDependencies = {
  /** The operations and chains that can be called, by now, or at least those that have an id. */
  registry(id?: string): Promise<Registry>
  segments(registry: Registry): Promise<SegmentDependencies>
  runs: Runs
  blobs: BlobStore
  limits: BodyLimits
  /** A writer of documents with the selections that this request asks for. */
  writerOf(c: RequestContext, session: Session): EntityWriter
  /** A user as calls are made for; undefined for one that is unknown or disabled. */
  principal(name: string): Promise<Principal | undefined>
  /** Absolute address of the REST tree as the client reached it: `…/api/v1`. */
  restRootOf(c: RequestContext): string
  /** Absolute address of a file that was kept for its caller, as the client reached the server. */
  downloadUrlOf(c: RequestContext, key: string): string
  temporal: DocDependencies['temporal']
}

const callerOf = (c: RequestContext) => ({ principal: c.get('principal'), requestId: c.get('requestId') })

/** The caller's own limit on the transaction, in seconds; what is no number is passed over (automation.md §3). */
const limitOf = (c: RequestContext): AbortSignal => {
  const { signal } = c.req.raw
  const seconds = Number(c.req.header('Nuxeo-Transaction-Timeout'))
  return seconds > 0 ? withTimeLimit(signal, seconds) : signal
}

const WORKFLOW_ID = 'Archivolt-Workflow-Id'

type Call = {
  callable: Callable
  request: AutomationRequest
  principal: Principal
  requestId: string
  registry: Registry
}

/** What must run as a workflow: chains, and operations that commit on their way. */
const chainOf = ({ callable, request }: Call): ChainDefinition | undefined => {
  if (callable.kind === 'chain') return callable.chain
  const chain = chainOfOne(callable.operation, request.params)
  const [step] = chain.steps
  return step && boundaryOf(callable.operation, step) ? chain : undefined
}

/** What an operation of the Run… family is asked to call. */
const targetOf = (callable: Callable, { params }: AutomationRequest): string | undefined =>
  callable.kind === 'operation' && callable.operation.callsTarget && typeof params.id === 'string'
    ? params.id
    : undefined

export type AutomationRoutes = {
  app: Hono<Environment>
  /** A call that names its input by its address, `…/@op/{id}`: that of its body is not looked at. */
  callOn(c: RequestContext, id: string, input: Value): Promise<Response>
}

/**
 * The automation service: the registry, calls, and calls that are not waited for (automation.md §1).
 * Mounted at `/site/automation` and `/api/v1/automation`.
 */
export const createAutomationRoutes = (deps: AutomationDependencies): AutomationRoutes => {
  const { runs } = deps
  const app = new Hono<Environment>()

  const respond = async (
    c: RequestContext,
    principal: Principal,
    registry: Registry,
    value: Value,
  ): Promise<Response> => {
    if (c.req.header('X-NXVoidOperation')?.toLowerCase() === 'true') return c.body(null, 204)
    if (value.type === 'blob' && value.download) return c.redirect(deps.downloadUrlOf(c, value.download), 302)
    const { units } = await deps.segments(registry)
    const unit = units.reading(principal)
    return respondWith(value, { unit, blobs: deps.blobs, writer: deps.writerOf(c, unit.session) })
  }

  /** Tells what the caller may call. */
  const opennessFor = async (c: RequestContext, registry: Registry) => {
    const { units } = await deps.segments(registry)
    const { session } = units.reading(c.get('principal'))
    const isSecure = deps.restRootOf(c).startsWith('https:')
    return (called: Callable): boolean => mayCall(session, called, { isSecure })
  }

  /** Resolves the id and reads the body; what the caller may not run looks as if it were not there. */
  const readCall = async (c: RequestContext, id: string): Promise<Call | undefined> => {
    const { principal, requestId } = callerOf(c)
    const registry = await deps.registry(id)
    const callable = registry.get(id)
    const isOpen = await opennessFor(c, registry)
    if (!isOpen(callable)) return undefined
    const request = await readAutomationRequest(c, { blobs: deps.blobs, limits: deps.limits })
    const target = targetOf(callable, request)
    const called = target === undefined ? undefined : registry.find(target)
    if (called && !isOpen(called)) throw fail('notFound', `No operation or chain '${target}' is registered`)
    return { callable, request, principal, requestId, registry }
  }

  /**
   * Refuses an input that is not there before anything is done with it: steps that take no input would not
   * look at it. A call that is repeated may find that its first run has removed its input.
   */
  const requireInput = async (
    { request, principal, registry }: Call,
    chain?: ChainDefinition,
  ): Promise<void> => {
    const input = chain ? namedDocuments(request.input, { chain, registry }) : request.input
    if (input.type !== 'document' && input.type !== 'documents') return
    const { units } = await deps.segments(registry)
    const { session, transient } = units.reading(principal)
    await createDocumentReader(session, transient).many(input)
  }

  const start = async (c: RequestContext, call: Call, chain: ChainDefinition): Promise<string> => {
    const idempotencyKey = checkIdempotencyKey(c.req.header('Idempotency-Key'))
    if (idempotencyKey === undefined) await requireInput(call, chain)
    return runs.start({ ...call, chain, idempotencyKey })
  }

  app.get('/', async (c) => {
    const body = registryJson(await deps.registry())
    return c.body(JSON.stringify(body, null, c.req.query('pretty') === 'true' ? 2 : undefined), 200, {
      'content-type': 'application/json',
    })
  })

  app.post('/login', (c) => {
    const { principal } = callerOf(c)
    return c.json({
      'entity-type': 'login',
      username: principal.name,
      isAdministrator: principal.isAdministrator,
      groups: principal.groups,
    })
  })

  app.get('/doc', async (c) => {
    const registry = await deps.registry()
    return docPage(c, { registry, isOpen: await opennessFor(c, registry), temporal: deps.temporal })
  })

  app.route('/runs', createRunRoutes(deps))

  app.get('/:id', async (c) => {
    const registry = await deps.registry(c.req.param('id'))
    const found = registry.get(c.req.param('id'))
    return c.json(
      found.kind === 'chain'
        ? chainJson(found.chain, registry, found.chain.id)
        : operationJson(found.operation),
    )
  })

  /** How chains are written is for administrators (automation.md §9); an operation has no steps to show. */
  app.get('/:id/yaml', async (c) => {
    const found = (await deps.registry(c.req.param('id'))).get(c.req.param('id'))
    if (found.kind === 'chain' && !c.get('principal').isAdministrator)
      throw fail('forbidden', 'Only administrators may read how a chain is written')
    const text = found.kind === 'chain' ? writeYamlView(found.chain) : '{}\n'
    return c.body(text, 200, { 'content-type': 'application/yaml' })
  })

  const executeInline = async (c: RequestContext, call: Call, chain: ChainDefinition): Promise<Response> => {
    const { principal, registry } = call
    const idempotencyKey = checkIdempotencyKey(c.req.header('Idempotency-Key'))
    if (idempotencyKey === undefined) await requireInput(call, chain)
    const runId = inlineRunId({ chain, principal }, idempotencyKey)
    c.header(WORKFLOW_ID, runId)
    const output = await callInline(
      await deps.segments(registry),
      { ...call, chain, signal: limitOf(c) },
      { runId, once: idempotencyKey !== undefined },
    )
    const response = await respond(c, principal, registry, output)
    response.headers.set(WORKFLOW_ID, runId)
    return response
  }

  const execute = async (c: RequestContext, call: Call): Promise<Response> => {
    const { principal, registry, request, callable } = call
    const chain = chainOf(call)
    if (chain?.execution === 'inline') return executeInline(c, call, chain)
    if (chain) {
      const workflowId = await start(c, call, chain)
      c.header(WORKFLOW_ID, workflowId)
      const { input } = await runs.result(workflowId, principal)
      const response = await respond(c, principal, registry, input)
      response.headers.set(WORKFLOW_ID, workflowId)
      return response
    }
    const operation = callable.kind === 'operation' ? callable.operation.id : callable.chain.id
    const idempotencyKey = c.req.header('Idempotency-Key')
    const runsOthers = callable.kind === 'operation' && callable.operation.callsTarget
    if (runsOthers && idempotencyKey === undefined) await requireInput(call)
    const output = await runOperation(await deps.segments(registry), {
      principal,
      call: { operation, ...request },
      key: operationKey(idempotencyKey, { principal, operation, request }),
      signal: limitOf(c),
    })
    return respond(c, principal, registry, output)
  }

  app.post('/:id', async (c) => {
    const call = await readCall(c, c.req.param('id'))
    return call ? execute(c, call) : c.body(null, 404)
  })

  const statusUrl = (c: RequestContext, id: string, workflowId: string): string =>
    `${deps.restRootOf(c)}/automation/${encodeURIComponent(id)}/@async/${encodeURIComponent(workflowId)}/status`

  app.post('/:id/@async', async (c) => {
    const call = await readCall(c, c.req.param('id'))
    if (!call) return c.body(null, 404)
    const chain =
      call.callable.kind === 'chain'
        ? call.callable.chain
        : chainOfOne(call.callable.operation, call.request.params)
    const workflowId = await start(c, call, chain)
    c.header(WORKFLOW_ID, workflowId)
    c.header('Location', statusUrl(c, c.req.param('id'), workflowId))
    return c.body(null, 202)
  })

  app.get('/:id/@async/:execution/status', async (c) => {
    const { principal } = callerOf(c)
    const workflowId = c.req.param('execution')
    const { status } = await runs.describe(workflowId, principal)
    c.header(WORKFLOW_ID, workflowId)
    if (status === 'RUNNING') return c.json({ 'entity-type': 'string', value: 'RUNNING' })
    return c.redirect(statusUrl(c, c.req.param('id'), workflowId).replace(/\/status$/, ''), 303)
  })

  app.get('/:id/@async/:execution', async (c) => {
    const { principal } = callerOf(c)
    const workflowId = c.req.param('execution')
    const { status } = await runs.describe(workflowId, principal)
    if (status === 'RUNNING') throw fail('notFound', `The run ${workflowId} is not complete`)
    const { input } = await runs.result(workflowId, principal)
    const response = await respond(c, principal, await deps.registry(), input)
    response.headers.set(WORKFLOW_ID, workflowId)
    return response
  })

  app.delete('/:id/@async/:execution', async (c) => {
    const { principal } = callerOf(c)
    await runs.cancel(c.req.param('execution'), principal)
    return c.json({ 'entity-type': 'string', value: 'ABORTED' })
  })

  return {
    app,
    callOn: async (c, id, input) => {
      const call = await readCall(c, id)
      return call ? execute(c, { ...call, request: { ...call.request, input } }) : c.body(null, 404)
    },
  }
}

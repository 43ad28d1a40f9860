import type { Principal } from '../../../core/access/security/index.js'
import { namedDocuments } from '../../../core/automation/execution/index.js'
import {
  type Callable,
  type ChainDefinition,
  checkSentParameters,
  createDocumentReader,
  mayCall,
  notCallable,
  type Registry,
  secretNamesOf,
} from '../../../core/automation/language/index.js'
import type { RunRequest } from '../../../core/automation/planning/index.js'
import { consumeUpload } from '../../consumed-uploads/index.js'
import type { RequestContext } from '../../edge/index.js'
import type { AutomationDependencies } from '../dependencies.js'
import { decodeRequest, withFlatParameters, withoutNulls } from './body/decode.js'
import { readAutomationRequest } from './body/request.js'
import { requireTypes } from './body/require-types.js'
import { withUploads } from './body/uploads.js'

/** A call as requested, with its caller. */
export type Call = {
  /** As in the request. */
  id: string
  callable: Callable
  request: RunRequest
  principal: Principal
  requestId: string
  registry: Registry
  /**
   * Present while the look at what is current is under way: whether nothing has changed. Await it before any effect,
   * inside a transaction or outside of it.
   */
  isCurrent?: Promise<boolean> | undefined
}

/** The target of an operation of the Run… family. */
const targetOf = (callable: Callable, { params }: RunRequest): string | undefined =>
  callable.kind === 'operation' && callable.operation.callsTarget && typeof params.id === 'string'
    ? params.id
    : undefined

export type Calls = {
  /** What the caller may call. */
  opennessFor(c: RequestContext): (called: Callable) => boolean
  /** Resolves the id and reads the body; undefined for what the caller may not run, which is reported as not found. */
  read(c: RequestContext, id: string): Promise<Call | undefined>
  /**
   * The same for a synchronous call: that of an operation or an inline chain has `isCurrent`.
   *
   * @param body the JSON of the call; that of the request when absent.
   */
  readAhead(c: RequestContext, id: string, body?: object): Promise<Call | undefined>
  /** Reads an outdated call again, with what is deployed, and what its caller may do, now. */
  again(c: RequestContext, call: Call): Promise<Call | undefined>
  /**
   * Refuses a missing input before anything runs, as steps that take no input would not notice, and parameters of a
   * chain that are not of their types. A repeated call may find that its first run has removed the input.
   */
  requireInput(call: Call, chain?: ChainDefinition): Promise<void>
}

/** Reads calls, and checks what they name with the rights of their callers. */
export const createCalls = (deps: AutomationDependencies): Calls => {
  const opennessFor: Calls['opennessFor'] = (c) => {
    const caller = { principal: c.get('principal'), contributions: deps.contributions() }
    const isSecure = deps.restRootOf(c).startsWith('https:')
    return (called) => mayCall(caller, called, { isSecure })
  }

  const callIn = async (
    c: RequestContext,
    id: string,
    { registry, body }: { registry: Registry; body?: object | undefined },
  ): Promise<Call | undefined> => {
    const callable = registry.get(id)
    const isOpen = opennessFor(c)
    if (!isOpen(callable)) return undefined
    const services = { blobs: deps.blobs.ownedBy(c.get('principal')), limits: deps.limits }
    const sent = body === undefined ? await readAutomationRequest(c, services) : decodeRequest(body)
    const uploaded = await withUploads(withoutNulls(callable, sent), (upload) =>
      consumeUpload(c, deps.uploads, upload),
    )
    const request = withFlatParameters(id, uploaded)
    requireTypes(callable, request)
    const target = targetOf(callable, request)
    const called = target === undefined ? undefined : registry.find(target)
    if (target !== undefined && called && !isOpen(called)) throw notCallable(target)
    return { id, callable, request, principal: c.get('principal'), requestId: c.get('requestId'), registry }
  }

  const read: Calls['readAhead'] = async (c, id, body) => callIn(c, id, { registry: deps.registry(), body })

  const readCurrent: Calls['readAhead'] = async (c, id, body) => {
    if (!((await c.get('isCurrent')) ?? true)) await c.get('authenticateAgain')(c)
    return read(c, id, body)
  }

  return {
    opennessFor,
    read: (c, id) => read(c, id),

    readAhead: async (c, id, body) => {
      const isCurrent = c.get('isCurrent')
      const known = deps.registry().find(id)
      const isOneTransaction = known?.kind === 'operation' || known?.chain.execution === 'inline'
      if (!isCurrent || !isOneTransaction) return readCurrent(c, id, body)
      const call = await read(c, id, body)
      return call ? { ...call, isCurrent } : readCurrent(c, id, body)
    },

    again: async (c, { id, isCurrent: _, ...call }) => {
      await c.get('authenticateAgain')(c)
      const registry = deps.registry()
      const callable = registry.get(id)
      const principal = c.get('principal')
      return opennessFor(c)(callable) ? { ...call, id, callable, registry, principal } : undefined
    },

    requireInput: async ({ callable, request, principal, registry }, chain) => {
      const input = chain ? namedDocuments(request.input, { chain, registry }) : request.input
      if (input.type === 'document' || input.type === 'documents') {
        const { session, transient } = deps.segments(registry).units.reading(principal)
        await createDocumentReader(session, transient).many(input)
      }
      if (callable.kind === 'chain')
        checkSentParameters(callable.chain, request.params, secretNamesOf(deps.contributions()))
    },
  }
}

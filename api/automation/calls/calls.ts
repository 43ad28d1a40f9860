import type { Principal } from '../../../core/access/security/index.js'
import { namedDocuments } from '../../../core/automation/execution/index.js'
import {
  type Callable,
  type ChainDefinition,
  createDocumentReader,
  mayCall,
  notCallable,
  type Registry,
} from '../../../core/automation/language/index.js'
import type { RunRequest } from '../../../core/automation/planning/index.js'
import type { RequestContext } from '../../edge/index.js'
import type { AutomationDependencies } from '../dependencies.js'
import { withFlatParameters } from './decode.js'
import { readAutomationRequest } from './request.js'

/** What a request asks for, and who asks. */
export type Call = {
  /** As it was asked for. */
  id: string
  callable: Callable
  request: RunRequest
  principal: Principal
  requestId: string
  registry: Registry
  /**
   * Where the call is of what was deployed at the last look, and the next one is under way: whether nothing has been
   * deployed since. To be waited for before anything is done, in a transaction or out of it.
   */
  isCurrent?: Promise<boolean> | undefined
}

/** What an operation of the Run… family is asked to call. */
const targetOf = (callable: Callable, { params }: RunRequest): string | undefined =>
  callable.kind === 'operation' && callable.operation.callsTarget && typeof params.id === 'string'
    ? params.id
    : undefined

export type Calls = {
  /** What the caller may call. */
  opennessFor(c: RequestContext): (called: Callable) => boolean
  /** Resolves the id and reads the body; undefined for what the caller may not run, which looks as if it were not there. */
  read(c: RequestContext, id: string): Promise<Call | undefined>
  /** The same for a call that is done at once: that of an inline chain has `isCurrent`. */
  readAhead(c: RequestContext, id: string): Promise<Call | undefined>
  /** A call that was not of what is deployed, as it is now. */
  again(c: RequestContext, call: Call): Promise<Call | undefined>
  /**
   * Refuses an input that is not there before anything is done with it: steps that take no input would not
   * look at it. A call that is repeated may find that its first run has removed its input.
   */
  requireInput(call: Call, chain?: ChainDefinition): Promise<void>
}

/** Reads calls, and looks at what they name with their callers' rights. */
export const createCalls = (deps: AutomationDependencies): Calls => {
  const opennessFor: Calls['opennessFor'] = (c) => {
    const caller = { principal: c.get('principal'), contributions: deps.contributions() }
    const isSecure = deps.restRootOf(c).startsWith('https:')
    return (called) => mayCall(caller, called, { isSecure })
  }

  const callIn = async (c: RequestContext, id: string, registry: Registry): Promise<Call | undefined> => {
    const callable = registry.get(id)
    const isOpen = opennessFor(c)
    if (!isOpen(callable)) return undefined
    const sent = await readAutomationRequest(c, { blobs: deps.blobs, limits: deps.limits })
    const request = withFlatParameters(id, sent)
    const target = targetOf(callable, request)
    const called = target === undefined ? undefined : registry.find(target)
    if (target !== undefined && called && !isOpen(called)) throw notCallable(target)
    return { id, callable, request, principal: c.get('principal'), requestId: c.get('requestId'), registry }
  }

  const read: Calls['read'] = async (c, id) => callIn(c, id, await deps.registry(id))

  return {
    opennessFor,
    read,

    readAhead: async (c, id) => {
      const registry = deps.latest()
      const known = registry.find(id)
      if (known?.kind !== 'chain' || known.chain.execution !== 'inline') return read(c, id)
      const contributions = deps.contributions()
      const isCurrent = deps
        .registry(id)
        .then((current) => current === registry && deps.contributions() === contributions)
      // The request may turn out to be wrong before anybody waits for it.
      isCurrent.catch(() => undefined)
      const call = await callIn(c, id, registry)
      return call ? { ...call, isCurrent } : read(c, id)
    },

    again: async (c, { id, isCurrent: _, ...call }) => {
      const registry = await deps.registry(id)
      const callable = registry.get(id)
      return opennessFor(c)(callable) ? { ...call, id, callable, registry } : undefined
    },

    requireInput: async ({ request, principal, registry }, chain) => {
      const input = chain ? namedDocuments(request.input, { chain, registry }) : request.input
      if (input.type !== 'document' && input.type !== 'documents') return
      const { units } = deps.segments(registry)
      const { session, transient } = units.reading(principal)
      await createDocumentReader(session, transient).many(input)
    },
  }
}

import {
  type Callable,
  type ChainDefinition,
  createDocumentReader,
  mayCall,
  namedDocuments,
  notCallable,
  type Registry,
  type RunRequest,
} from '../../core/automation/index.js'
import type { Principal } from '../../core/security/index.js'
import type { RequestContext } from '../environment.js'
import { withFlatParameters } from './decode.js'
import type { AutomationDependencies } from './dependencies.js'
import { readAutomationRequest } from './request.js'

/** What a request asks for, and who asks. */
export type Call = {
  callable: Callable
  request: RunRequest
  principal: Principal
  requestId: string
  registry: Registry
}

/** What an operation of the Run… family is asked to call. */
const targetOf = (callable: Callable, { params }: RunRequest): string | undefined =>
  callable.kind === 'operation' && callable.operation.callsTarget && typeof params.id === 'string'
    ? params.id
    : undefined

export type Calls = {
  /** Tells what the caller may call. */
  opennessFor(c: RequestContext, registry: Registry): Promise<(called: Callable) => boolean>
  /** Resolves the id and reads the body; undefined for what the caller may not run, which looks as if it were not there. */
  read(c: RequestContext, id: string): Promise<Call | undefined>
  /**
   * Refuses an input that is not there before anything is done with it: steps that take no input would not
   * look at it. A call that is repeated may find that its first run has removed its input.
   */
  requireInput(call: Call, chain?: ChainDefinition): Promise<void>
}

/** Reads calls, and looks at what they name with their callers' rights. */
export const createCalls = (deps: AutomationDependencies): Calls => {
  const opennessFor: Calls['opennessFor'] = async (c, registry) => {
    const { units } = await deps.segments(registry)
    const { session } = units.reading(c.get('principal'))
    const isSecure = deps.restRootOf(c).startsWith('https:')
    return (called) => mayCall(session, called, { isSecure })
  }

  return {
    opennessFor,

    read: async (c, id) => {
      const registry = await deps.registry(id)
      const callable = registry.get(id)
      const isOpen = await opennessFor(c, registry)
      if (!isOpen(callable)) return undefined
      const sent = await readAutomationRequest(c, { blobs: deps.blobs, limits: deps.limits })
      const request = withFlatParameters(id, sent)
      const target = targetOf(callable, request)
      const called = target === undefined ? undefined : registry.find(target)
      if (target !== undefined && called && !isOpen(called)) throw notCallable(target)
      return { callable, request, principal: c.get('principal'), requestId: c.get('requestId'), registry }
    },

    requireInput: async ({ request, principal, registry }, chain) => {
      const input = chain ? namedDocuments(request.input, { chain, registry }) : request.input
      if (input.type !== 'document' && input.type !== 'documents') return
      const { units } = await deps.segments(registry)
      const { session, transient } = units.reading(principal)
      await createDocumentReader(session, transient).many(input)
    },
  }
}

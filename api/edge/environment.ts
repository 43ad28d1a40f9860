import type { Context } from 'hono'
import type { Principal } from '../../core/access/security/index.js'
import type { ArchivoltError } from '../../core/platform/errors/index.js'

/** Variables of a request that the edge sets for its handlers. */
export type Environment = {
  Variables: {
    requestId: string
    /** Set once the caller is authenticated: on every route but the public ones. */
    principal: Principal
    /** The route's template for metrics, where a dispatcher knows more than the router. */
    routeTemplate?: string
    /** Schemas of documents that the body of an automation call asks for (reference: automation.md §3). */
    documentProperties?: string
    /** Members of the body of a call that there are none of. */
    unknownMembers?: readonly string[]
    /** Whether what is answered was done for an earlier request with the same `Idempotency-Key`. */
    isReplayed?: boolean
    /** Why the page that calls may not have done what costs work, though it may read. */
    refusalOfWork?: ArchivoltError | undefined
    /** Whether the principal was known without looking anything up. */
    isRemembered?: boolean
    /**
     * Present where the handler waits by itself for the look at what is current: whether nothing has changed since the
     * caller was authenticated. `authenticateAgain` is the way on otherwise.
     */
    isCurrent?: Promise<boolean>
    /** Batches of uploads that the request uses, and whether one that fails removes them, too. */
    consumedBatches?: Map<string, boolean>
    /** Looks up the principal again. @throws unauthenticated. */
    authenticateAgain(c: Context<Environment>): Promise<void>
  }
}

export type RequestContext = Context<Environment>

import type { Context } from 'hono'
import type { Principal } from '../../core/access/security/index.js'

/** What the edge knows of a request, for its handlers. */
export type Environment = {
  Variables: {
    requestId: string
    /** Set once the caller is authenticated, so on every route but the open ones. */
    principal: Principal
    /** The route's template for metrics, when a dispatcher knows it better than the router. */
    routeTemplate?: string
    /** Schemas of documents that the body of an automation call asks for (automation.md §3). */
    documentProperties?: string
  }
}

export type RequestContext = Context<Environment>

import { shortened } from '../../core/platform/limits/index.js'
import type { RequestContext } from './environment.js'

/** Characters that logs and traces have of a path: strangers choose it, and logs are kept. */
const MAX_LOGGED = 500

/** The path of a request as logs and traces show it. */
export const loggedPath = (c: RequestContext): string => shortened(c.req.path, MAX_LOGGED)

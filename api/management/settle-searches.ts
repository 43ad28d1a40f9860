import type { MiddlewareHandler } from 'hono'
import type { Platform } from '../../runtime/index.js'
import { type Environment, requestedRepository } from '../edge/index.js'

/** Milliseconds that an answer waits for the index; then it is sent, as the change has been made. */
const WAIT_MS = 60_000

const READING = new Set(['GET', 'HEAD', 'OPTIONS'])

/** With `nx-es-sync: true` a change is answered once searches find it (rest-documents.md §3). */
export const settleSearches =
  ({ repositories, repository }: Platform): MiddlewareHandler<Environment> =>
  async (c, next) => {
    await next()
    if (c.req.header('nx-es-sync')?.toLowerCase() !== 'true') return
    if (READING.has(c.req.method) || c.res.status >= 400) return
    const platform = repositories.get(requestedRepository(c.req.raw) ?? repository)
    await platform?.readSession(c.get('principal')).stores.search.settled(WAIT_MS)
  }

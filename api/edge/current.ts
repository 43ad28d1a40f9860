import type { MiddlewareHandler } from 'hono'
import type { Platform } from '../../runtime/index.js'
import type { Environment, RequestContext } from './environment.js'

/** What a request without a body, and without effects, may be answered by twice. */
const READING = new Set(['GET', 'HEAD'])

/** Synchronous calls of operations and chains of a repository, which look while their transaction begins. */
const CALL = /^(?:\/~[^/]*)?\/api\/v1\/automation\/[^/]+$/

/** A dry run does not: it reads the call in another way. */
const looksByItself = ({ req }: RequestContext): boolean =>
  req.method === 'POST' &&
  CALL.test(req.path) &&
  !req.path.endsWith('/login') &&
  req.query('dryRun') === undefined

/**
 * Decides each request by what any process had committed when it arrived: rights and passwords, policies, types, scripts,
 * entries of directories.
 * The look costs a round trip. A request that only reads is answered meanwhile, and once more if something has
 * changed; a call of an operation waits for it where it writes, any other request at once.
 *
 * @param isOpen whether nothing of that decides a request.
 * @param answer answers a request again, from the beginning.
 */
export const byWhatIsCurrent = (
  { current, known }: Platform['currency'],
  {
    isOpen,
    answer,
  }: { isOpen(c: RequestContext): boolean; answer(c: RequestContext): Response | Promise<Response> },
): MiddlewareHandler<Environment> => {
  const repeated = new WeakSet<Request>()
  return async (c, next) => {
    if (isOpen(c) || repeated.has(c.req.raw)) return await next()
    const before = known()
    const isCurrent = current().then(() => {
      const { identities, entries, deployed } = known()
      // A caller who was not remembered has been looked up since.
      const isSameCaller = identities === before.identities || !c.get('isRemembered')
      return isSameCaller && entries === before.entries && deployed === before.deployed
    })
    // It may fail before anybody waits for it.
    isCurrent.catch(() => undefined)
    if (looksByItself(c)) {
      c.set('isCurrent', isCurrent)
      return await next()
    }
    if (!READING.has(c.req.method)) {
      await isCurrent
      return await next()
    }
    await next()
    if (await isCurrent) return
    repeated.add(c.req.raw)
    await c.res.body?.cancel()
    const again = await answer(c)
    // Hono keeps the headers of an answer that is replaced by another.
    c.res = undefined
    c.res = again
  }
}

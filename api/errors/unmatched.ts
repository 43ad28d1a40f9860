import type { Hono, NotFoundHandler } from 'hono'
import { TrieRouter } from 'hono/router/trie-router'
import { fail } from '../../core/platform/errors/index.js'
import { type Environment, routedPath } from '../edge/index.js'
import type { MethodsOf } from './described-methods.js'

/** Methods by path, from the routes of the app; routes for all methods reject the others themselves. */
const methodTable = (app: Hono<Environment>) => {
  const router = new TrieRouter<string>()
  for (const { method, path } of app.routes) {
    if (method !== 'ALL') router.add('ALL', path, method)
  }
  return (path: string): readonly string[] => {
    const found = new Set(router.match('ALL', path)[0].map(([method]) => method))
    if (found.has('GET')) found.add('HEAD')
    return [...found]
  }
}

/**
 * Responds to requests that match no route: 404 for an unknown path, 405 with `Allow` for a known one with another
 * method, and OPTIONS.
 *
 * @param described the methods of addresses with a route of their own.
 */
export const notFoundHandler = (
  app: Hono<Environment>,
  described: MethodsOf,
): NotFoundHandler<Environment> => {
  let methodsOf: ReturnType<typeof methodTable> | undefined
  return (c) => {
    // All routes are registered by the first request.
    methodsOf ??= methodTable(app)
    const methods = described(c.req.path) ?? methodsOf(c.req.path)
    // A described method that no route takes: the names in the address are none that there are.
    const isUnknown = methods.length === 0 || methods.includes(c.req.method)
    if (isUnknown) throw fail('notFound', `No such resource: ${routedPath(c.req.url)}`)
    const allow = [...methods, 'OPTIONS'].join(', ')
    c.header('Allow', allow)
    if (c.req.method === 'OPTIONS') return c.body(null, 200)
    throw fail('methodNotAllowed', `${c.req.method} is not among ${allow}`)
  }
}

import type { MiddlewareHandler } from 'hono'
import { fail } from '../../core/platform/errors/index.js'
import { API, type Environment } from '../edge/index.js'

type DescribedRoute = { method: string; path: string }

/** The methods of an address that has a route of its own; undefined where names decide which route it is. */
export type MethodsOf = (path: string) => readonly string[] | undefined

/** Where the routes of other repositories are mounted. */
const MOUNT = /^\/~[^/]+/

const OF_DOCUMENTS = /^\/(?:id|path)\//

/** A chain may be called like a word beside it, and is called there. */
const OF_CHAINS = /^\/automation\/[^/]+$/

const isName = (segment: string): boolean => segment.startsWith('{')

/** Names before an adapter may have slashes. */
const patternOf = (path: string): RegExp => {
  const name = path.includes('/@') ? '.+' : '[^/]+'
  return new RegExp(`^${path.replace(/\{\w+\}/g, name)}$`)
}

/** By the descriptions of routes that end in a fixed word, which no name of a route beside them takes over. */
export const describedMethods = (routes: readonly DescribedRoute[]): MethodsOf => {
  const byPath = new Map<string, string[]>()
  for (const { method, path } of routes) {
    if (OF_DOCUMENTS.test(path) || OF_CHAINS.test(path) || isName(path.slice(path.lastIndexOf('/') + 1)))
      continue
    const full = path.startsWith('//') ? path.slice(1) : `${API}${path}`
    byPath.set(full, [...(byPath.get(full) ?? []), method])
  }
  for (const methods of byPath.values()) if (methods.includes('GET')) methods.push('HEAD')
  const patterns = [...byPath].flatMap(([path, methods]) =>
    path.includes('{') ? [{ pattern: patternOf(path), methods }] : [],
  )
  return (path) => {
    const routed = path.replace(MOUNT, '')
    return byPath.get(routed) ?? patterns.find(({ pattern }) => pattern.test(routed))?.methods
  }
}

/**
 * Refuses methods that an address does not have, before the route of a name takes its last word for one.
 *
 * @throws methodNotAllowed, with `Allow`.
 */
export const refuseOtherMethods =
  (methodsOf: MethodsOf): MiddlewareHandler<Environment> =>
  (c, next) => {
    const { method, path } = c.req
    const methods = method === 'OPTIONS' ? undefined : methodsOf(path)
    if (methods === undefined || methods.includes(method)) return next()
    const allow = [...methods, 'OPTIONS'].join(', ')
    c.header('Allow', allow)
    throw fail('methodNotAllowed', `${method} is not among ${allow}`)
  }

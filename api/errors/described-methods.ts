import type { MiddlewareHandler } from 'hono'
import { fail } from '../../core/platform/errors/index.js'
import { API, type Environment } from '../edge/index.js'

type DescribedRoute = { method: string; path: string }

/** The methods of an address that has a route of its own; undefined where names decide which route it is. */
export type MethodsOf = (path: string) => readonly string[] | undefined

/** Where the routes of other repositories are mounted. */
const MOUNT = /^\/~[^/]+/

const OF_DOCUMENTS = /^\/(?:id|path)\//

/** A chain may be called like a word beside it, and is called there; the login is no name for one. */
const OF_CHAINS = /^\/automation\/(?!login$)[^/]+$/

/** Names that are sent with their slashes as they are. */
const WITH_SLASHES: readonly string[] = ['user', 'group', 'entry', 'file']

/** Names before an adapter may have slashes. */
const patternOf = (path: string): RegExp => {
  const isBeforeAdapter = path.includes('/@')
  const pattern = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    isBeforeAdapter || WITH_SLASHES.includes(name) ? '.+' : '[^/]+',
  )
  return new RegExp(`^${pattern}$`)
}

/** Of two addresses that fit, the one with more fixed words is meant: `/group/{group}/user/{user}`. */
const wordsOf = (path: string): number => path.split('/').filter((part) => !part.startsWith('{')).length

/** Of as many, the one that names an adapter: a chain may be called `files`, and started at `/automation/files/@async`. */
const isOfAdapter = (path: string): number => Number(path.includes('/@'))

/** By the descriptions of routes, except those of documents and chains, where names decide. */
export const describedMethods = (routes: readonly DescribedRoute[]): MethodsOf => {
  const byPath = new Map<string, string[]>()
  for (const { method, path } of routes) {
    if (OF_DOCUMENTS.test(path) || OF_CHAINS.test(path)) continue
    const full = path.startsWith('//') ? path.slice(1) : `${API}${path}`
    byPath.set(full, [...(byPath.get(full) ?? []), method])
  }
  for (const methods of byPath.values()) if (methods.includes('GET')) methods.push('HEAD')
  const patterns = [...byPath]
    .flatMap(([path, methods]) =>
      path.includes('{')
        ? [{ pattern: patternOf(path), methods, words: wordsOf(path), adapters: isOfAdapter(path) }]
        : [],
    )
    .sort((one, other) => other.words - one.words || other.adapters - one.adapters)
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

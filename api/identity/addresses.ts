import { decodePath, type RequestContext, routedPath } from '../edge/index.js'

/** What follows a prefix in the path of a request, still percent-encoded: names may contain slashes. */
const restOf = (c: RequestContext, prefix: string): string => routedPath(c.req.url).slice(prefix.length + 1)

/** The name at the end of a path. */
export const nameIn = (c: RequestContext, prefix: string): string => decodePath(restOf(c, prefix))

/**
 * The two names of `…/user/{u}/group/{g}` and `…/group/{g}/user/{u}`; undefined when the path has one alone. A
 * name that holds the word between slashes must be sent percent-encoded.
 */
export const namesIn = (
  c: RequestContext,
  prefix: string,
  between: 'user' | 'group',
): [string, string] | undefined => {
  const rest = restOf(c, prefix)
  const at = rest.indexOf(`/${between}/`)
  return at <= 0
    ? undefined
    : [decodePath(rest.slice(0, at)), decodePath(rest.slice(at + between.length + 2))]
}

/** The name before `/@loginAttempts`; undefined when the path ends otherwise. */
export const attemptsIn = (c: RequestContext, prefix: string): string | undefined => {
  const [, name] = /^(.+)\/@loginAttempts$/.exec(restOf(c, prefix)) ?? []
  return name === undefined ? undefined : decodePath(name)
}

/** The name before `/@users` or `/@groups`; undefined when the path ends with neither. */
export const membersIn = (
  c: RequestContext,
  prefix: string,
): { name: string; kind: 'user' | 'group' } | undefined => {
  const [, name, kind] = /^(.+)\/@(user|group)s$/.exec(restOf(c, prefix)) ?? []
  return name === undefined ? undefined : { name: decodePath(name), kind: kind as 'user' | 'group' }
}

import { filledIn, type QueryCaller, type Session } from '../../core/content/documents/index.js'
import { fail } from '../../core/platform/errors/index.js'
import type { RequestContext } from '../edge/index.js'
import { parseQuery } from '../parse/index.js'
import { pagingQuery, type RestServices, sortQuery } from '../rest/index.js'
import { backendParameters, nxqlParameters, providerParameters, queryParameters } from './search.schema.js'

/** Parameters with a meaning of their own; every other one is a named parameter (rest-documents.md §9). */
const RESERVED = new Set([
  ...[queryParameters, backendParameters, nxqlParameters, providerParameters, pagingQuery, sortQuery].flatMap(
    ({ shape }) => Object.keys(shape),
  ),
  'nxrepository',
])

/** A session of whoever asks, whose searches the backend answers that the request names. @throws badRequest. */
export const searchSession = ({ platform }: Pick<RestServices, 'platform'>, c: RequestContext): Session => {
  const { backend, queryEngine } = parseQuery(c, backendParameters)
  const searchBackend = backend ?? queryEngine
  const session = platform.readSession(c.get('principal'))
  return searchBackend === undefined ? session : { ...session, searchBackend }
}

/** Values of `?`, one for each occurrence of the parameter: they may hold commas. */
export const positionalParameters = (c: RequestContext, caller: QueryCaller): string[] =>
  parseQuery(c, queryParameters).queryParams.map((value) => filledIn(value, caller))

/** Values of `:name`; a parameter sent several times is a list. */
export const namedParameters = (
  c: RequestContext,
  caller: QueryCaller,
): { [name: string]: string | string[] } => {
  const named: { [name: string]: string | string[] } = Object.create(null)
  for (const [name, values] of Object.entries(c.req.queries())) {
    if (RESERVED.has(name)) continue
    const [first = '', ...others] = values.map((value) => filledIn(value, caller))
    named[name] = others.length > 0 ? [first, ...others] : first
  }
  return named
}

/**
 * What controls how results are rendered (rest-documents.md §5), what browsers add against caches, and the provider that
 * the JavaScript client repeats behind its name in the path.
 */
const WITHOUT_EFFECT =
  /^(?:_|depth|pageProvider|(?:x-nx)?(?:repository|properties|documentproperties|context-category|(?:enrichers|fetch|translate)[.-][\w-]+))$/i

/**
 * Refuses parameters that a query has no use for: whoever sends them expects another answer.
 *
 * @param known the named parameters of the query.
 * @throws badRequest naming the first one.
 */
export const refuseUnknownParameters = (c: RequestContext, known: ReadonlySet<string>): void => {
  for (const name of Object.keys(c.req.queries())) {
    if (RESERVED.has(name) || known.has(name) || WITHOUT_EFFECT.test(name)) continue
    throw fail('badRequest', `${name}: the query has no parameter of this name`)
  }
}

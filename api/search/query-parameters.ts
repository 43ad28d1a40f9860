import type { Principal } from '../../core/security/index.js'
import { REPOSITORY } from '../edge/index.js'
import type { RequestContext } from '../environment.js'

/** Parameters with a meaning of their own; every other one is a named parameter (rest-documents.md §9). */
const RESERVED = new Set([
  'query',
  'queryParams',
  'pageSize',
  'currentPageIndex',
  'offset',
  'maxResults',
  'sortBy',
  'sortOrder',
  'quickFilters',
  'highlight',
])

const replaced = (value: string, principal: Principal): string => {
  if (value === '$currentUser') return principal.name
  return value === '$currentRepository' ? REPOSITORY : value
}

/** Values of `?`, one for each occurrence of the parameter: they may hold commas. */
export const positionalParameters = (c: RequestContext, principal: Principal): string[] =>
  (c.req.queries('queryParams') ?? []).map((value) => replaced(value, principal))

/** Values of `:name`; a parameter given several times is a list. */
export const namedParameters = (
  c: RequestContext,
  principal: Principal,
): { [name: string]: string | string[] } => {
  const named: { [name: string]: string | string[] } = Object.create(null)
  for (const [name, values] of Object.entries(c.req.queries())) {
    if (RESERVED.has(name)) continue
    const [first = '', ...others] = values.map((value) => replaced(value, principal))
    named[name] = others.length > 0 ? [first, ...others] : first
  }
  return named
}

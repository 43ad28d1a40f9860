import { suggestion } from '../../core/platform/contributions/index.js'
import type { RequestContext } from '../edge/index.js'

/** Parameters that clients send with every request: they name the repository, or what entities show. */
export const IGNORED_QUERY = /^(?:nxrepository$|x-nx|properties$|depth$|(?:fetch|enrichers|translate)[.-])/i

/** What is said of parameters of a query that its route has none of. */
export const unknownQueryParameters = (
  c: RequestContext,
  { of, known }: { of: string; known: readonly string[] },
): string[] =>
  [...new Set(new URL(c.req.url).searchParams.keys())]
    .filter((name) => !IGNORED_QUERY.test(name) && !known.includes(name))
    .map((name) => {
      const meant = suggestion(name, known) || `; known are ${known.join(', ')}`
      return `unknown parameter "${name}" of ${of}${meant}`
    })

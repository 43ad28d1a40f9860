import type { RequestContext } from '../../edge/index.js'
import { splitCommas } from '../../parse/index.js'

/** The requested form of the entities of a kind: enrichers, expanded references, translated labels. */
export type EntityOptions = {
  enrichers: readonly string[]
  fetch: readonly string[]
  translate: readonly string[]
}

const valuesOf = (c: RequestContext, spellings: readonly string[]): string[] => {
  const headers = spellings.map((name) => c.req.header(name) ?? '')
  if (!c.req.url.includes('?')) return headers.flatMap(splitCommas)
  const wanted = spellings.map((name) => name.toLowerCase())
  const parameters = Object.entries(c.req.queries()).flatMap(([name, values]) =>
    wanted.includes(name.toLowerCase()) ? values : [],
  )
  return [...headers, ...parameters].flatMap(splitCommas)
}

/** The current spelling and those of older clients (rest-documents.md §5). */
const spellings = (verb: string, entity: string): string[] => [
  `${verb}-${entity}`,
  `${verb}.${entity}`,
  `X-NX${verb}.${entity}`,
  `X-NX${verb}-${entity}`,
]

/**
 * The options for entities of one kind, from headers and query parameters in any spelling, merged
 * (rest-documents.md §5). Kinds: user, group, directoryEntry, acls, schema, aggregate, …
 */
export const entityOptions = (c: RequestContext, entity: string): EntityOptions => ({
  enrichers: valuesOf(c, spellings('enrichers', entity)),
  fetch: valuesOf(c, spellings('fetch', entity)),
  translate: valuesOf(c, spellings('translate', entity)),
})

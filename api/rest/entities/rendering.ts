import { isUnversioned, type RequestContext } from '../../edge/index.js'
import { splitCommas } from '../../parse/index.js'

/** The requested form of the documents in a response (rest-documents.md §5). */
export type Rendering = {
  /** Schema names; `*` for all. */
  properties: readonly string[]
  enrichers: readonly string[]
  /** Groups of enrichers, which a deployment defines. */
  categories: readonly string[]
  /** What to expand: `versionLabel`, `lock`, … */
  fetch: readonly string[]
  /** How many levels of documents inside enrichers are rendered in the same way. */
  depth: number
}

type Lists = Pick<Rendering, 'properties' | 'enrichers' | 'categories' | 'fetch'>

const DEPTHS: ReadonlyMap<string, number> = new Map([
  ['root', 0],
  ['children', 1],
  ['max', 2],
])

const KINDS: ReadonlyMap<string, keyof Lists> = new Map(
  Object.entries({
    properties: 'properties',
    'x-nxproperties': 'properties',
    'x-nxdocumentproperties': 'properties',
    'enrichers-document': 'enrichers',
    'enrichers.document': 'enrichers',
    'x-nxenrichers.document': 'enrichers',
    'x-nxenrichers-document': 'enrichers',
    'x-nxcontext-category': 'categories',
    'fetch-document': 'fetch',
    'fetch.document': 'fetch',
    'x-nxfetch.document': 'fetch',
    'x-nxfetch-document': 'fetch',
  } as const),
)

/** Of documents inside enrichers at the default depth `root`: neither properties nor context. */
export const PLAIN_RENDERING: Rendering = {
  properties: [],
  enrichers: [],
  categories: [],
  fetch: [],
  depth: 0,
}

/** Headers and query parameters of any spelling, merged. */
export const renderingOf = (c: RequestContext): Rendering => {
  const found: { kind: keyof Lists; value: string }[] = []
  for (const [name, kind] of KINDS) {
    const value = c.req.header(name)
    if (value !== undefined) found.push({ kind, value })
  }
  const asked = c.get('documentProperties')
  if (asked !== undefined) found.push({ kind: 'properties', value: asked })
  if (c.req.url.includes('?')) {
    for (const [name, values] of Object.entries(c.req.queries())) {
      const kind = KINDS.get(name.toLowerCase())
      if (kind) found.push(...values.map((value) => ({ kind, value })))
    }
  }
  if (isUnversioned(c.req.url) && !found.some(({ kind }) => kind === 'properties'))
    found.push({ kind: 'properties', value: '*' })
  if (found.length === 0) return PLAIN_RENDERING
  const lists: { [kind in keyof Lists]: string[] } = {
    properties: [],
    enrichers: [],
    categories: [],
    fetch: [],
  }
  for (const { kind, value } of found) lists[kind].push(...splitCommas(value))
  return { ...lists, depth: DEPTHS.get(c.req.header('depth') ?? c.req.query('depth') ?? 'root') ?? 0 }
}

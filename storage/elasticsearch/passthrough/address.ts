import { fail } from '../../../core/platform/errors/index.js'
import type { Part } from './refuse.js'

/** `field:asc,field` as the engine writes it in addresses. */
const sortOf = (text: string) =>
  text.split(',').map((key) => {
    const match = /^(.*):(asc|desc)$/.exec(key)
    return match ? { [match[1]!]: match[2]! } : key
  })

const numberOf = (text: string, name: string): number => {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw fail('badRequest', `${name}: must be a number, not '${text}'`)
}

const trueOrNumber = (text: string, name: string): boolean | number =>
  text === 'true' || text === 'false' ? text === 'true' : numberOf(text, name)

const READ: { readonly [name: string]: (text: string, name: string) => unknown } = {
  size: numberOf,
  from: numberOf,
  sort: sortOf,
  _source: (text) => (text === 'true' || text === 'false' ? text === 'true' : text.split(',')),
  track_total_hits: trueOrNumber,
}

/** How an answer is written: it is always written in one way. */
const WITHOUT_EFFECT = new Set([
  ...['pretty', 'human', 'ignore_unavailable', 'allow_no_indices', 'typed_keys'],
  ...['search_type', 'rest_total_hits_as_int'],
])

const WORDS = ['q', 'df', 'default_operator']

/** `q` in the syntax of `query_string` (nxql-search.md §9.7). */
const queryOf = (parameters: ReadonlyMap<string, string>): Part | undefined => {
  const query = parameters.get('q')
  if (query === undefined) return undefined
  return {
    query_string: {
      query,
      default_field: parameters.get('df') ?? 'all_field',
      default_operator: parameters.get('default_operator') ?? 'OR',
    },
  }
}

/**
 * The body that says what the parameters of an address say.
 *
 * @throws badRequest for a parameter that is not allowed, and for a value that is not of its kind.
 */
export const bodyOfAddress = (parameters: ReadonlyMap<string, string>): Part => {
  const query = queryOf(parameters)
  const options = [...parameters].flatMap(([name, text]) => {
    if (WORDS.includes(name) || WITHOUT_EFFECT.has(name)) return []
    if (!Object.hasOwn(READ, name)) throw fail('badRequest', `${name}: is not a parameter of a search`)
    return [[name, READ[name]!(text, name)]]
  })
  return { ...(query && { query }), ...Object.fromEntries(options) }
}

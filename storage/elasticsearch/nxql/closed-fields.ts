import { HIDING_LISTS } from '../../../core/content/documents/index.js'
import { matchesStars } from '../../../core/platform/patterns/index.js'

/**
 * Fields that say something of documents which whoever searches may not see: how many are in the index, and which have the
 * same rights.
 */
const CLOSED_FIELDS = ['_seq_no', '_primary_term', '_doc', '_shard_doc', 'ecm:scope'] as const

/** Beside them those with ids in lists that hide some. */
export const HIDING_FIELDS: readonly string[] = [...CLOSED_FIELDS, ...HIDING_LISTS]

/** And that whose values name places that somebody may not see: it is compared with what is named alone. */
export const UNSHOWN_FIELDS: readonly string[] = [...HIDING_FIELDS, 'ecm:ancestorId']

/** Words of the engine's query strings, which whatever else may end, and the colon behind those that name a field. */
const WORDS = /((?:\\[\s\S]|[\p{L}\p{N}_.*])+)(\s*:)?/gu

/** What weighs a word or lets it be a near one; the next may stand right behind it. */
const WEIGHTS = /[\^~][\d.]*/g

const UNICODE = /\\u([0-9A-Fa-f]{4})/g

/** A character that is escaped by its number stands for itself, whatever it means elsewhere. */
const unescapedUnicode = (text: string): string =>
  text.replace(UNICODE, (_, code: string) => `\\${String.fromCharCode(Number.parseInt(code, 16))}`)

/** A closed field that a name means, with a boost, subfields or wildcards; that of all fields means none. */
export const closedField = (
  written: string,
  closed: readonly string[] = UNSHOWN_FIELDS,
): string | undefined => {
  const name = written.split('^', 1)[0]!
  if (name === '*') return undefined
  if (!name.includes('*')) return closed.find((field) => name === field || name.startsWith(`${field}.`))
  return closed.find((field) => matchesStars(field, name))
}

/** The same of the fields that a query string names before a colon. */
export const closedFieldIn = (
  text: string,
  closed: readonly string[] = UNSHOWN_FIELDS,
): string | undefined => {
  for (const [, name, colon] of unescapedUnicode(text).replace(WEIGHTS, ' ').matchAll(WORDS)) {
    if (!colon) continue
    const found = closedField(name!.replaceAll('\\', ''), closed)
    if (found !== undefined) return found
  }
  return undefined
}

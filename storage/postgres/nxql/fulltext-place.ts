import type { Reference } from '../../../core/model/nxql/index.js'
import { fail } from '../../../core/platform/errors/index.js'
import type { Context } from './context.js'
import type { ValuePlace } from './place.js'

/**
 * Words of documents: `weight` is the mark of one index among the words of all (A, B, or D for the texts of
 * files), null for every index. A property that has no index of its own is searched as text.
 */
export type SearchPlace =
  | { kind: 'search'; weight: 'A' | 'B' | 'D' | null }
  | { kind: 'searchText'; place: ValuePlace }

const NAME = /^ecm:fulltext(?:_(\w+))?(?:\.(.+))?$/

/** The place of `ecm:fulltext`, `ecm:fulltext_name` or `ecm:fulltext.property` (nxql-search.md §6). */
export const fulltextPlace = (
  reference: Reference,
  context: Context,
  propertyPlace: (reference: Reference, context: Context) => ValuePlace,
): SearchPlace | undefined => {
  if (reference.name === 'ecm:binarytext') return { kind: 'search', weight: 'D' }
  const match = NAME.exec(reference.name)
  if (!match) return undefined
  const [, name = 'default', property] = match
  const { indexes } = context.model.fulltext
  const index = indexes.get(name)
  if (!index) throw fail('badRequest', `No such fulltext index: ${name} at offset ${reference.offset}`)
  if (property === undefined) return { kind: 'search', weight: index.weight }
  const key = context.model.resolve(property)?.xpath
  const own = [...indexes.values()].find(({ fields }) => fields.length === 1 && fields[0] === key)
  if (own) return { kind: 'search', weight: own.weight }
  return { kind: 'searchText', place: propertyPlace({ ...reference, name: property }, context) }
}

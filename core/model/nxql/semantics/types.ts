import { fail } from '../../../platform/errors/index.js'
import type { ContentModel } from '../../content-model/index.js'
import type { Query } from '../ast.js'
import { refuse } from './refuse.js'

/** Documents of these types, or of all others. */
export type TypeCondition = { names: readonly string[]; isExcluding: boolean }

/**
 * What the FROM clause asks: a type and its subtypes; `Document`, in any casing, is everything but the root and
 * relations (reference: nxql-search.md §2).
 *
 * @throws badRequest for a type that the model does not have, and for a place.
 */
export const typesOf = ({ kind, names }: Query['from'], model: ContentModel): TypeCondition => {
  if (kind === 'location')
    throw refuse(
      'FROM takes types, a place is asked for by ecm:path or ecm:ancestorId:',
      names[0]?.offset ?? 0,
    )
  const included = new Set<string>()
  let isEverything = false
  for (const { name, offset } of names) {
    if (name.toLowerCase() === 'document') {
      isEverything = true
      continue
    }
    const subtypes = model.subtypes(name)
    if (subtypes.length === 0) throw fail('badRequest', `Unknown type: ${name} at offset ${offset}`)
    for (const subtype of subtypes) included.add(subtype)
  }
  if (!isEverything) return { names: [...included], isExcluding: false }
  const hidden = ['Root', ...model.subtypes('Relation')].filter((name) => !included.has(name))
  return { names: hidden, isExcluding: true }
}

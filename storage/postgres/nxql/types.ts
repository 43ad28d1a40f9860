import type { Query } from '../../../core/model/nxql/index.js'
import { fail } from '../../../core/platform/errors/index.js'
import type { Context } from './context.js'
import { refuse } from './unsupported.js'

/**
 * The FROM clause: a type and its subtypes; `Document`, in any casing, is everything but the root and
 * relations (reference: nxql-search.md §2).
 */
export const compileTypes = ({ kind, names }: Query['from'], { model, binder }: Context): string => {
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
  if (!isEverything) return `d.type = ANY(${binder.bind([...included], 'text[]')})`
  const hidden = ['Root', ...model.subtypes('Relation')].filter((name) => !included.has(name))
  return `d.type <> ALL(${binder.bind(hidden, 'text[]')})`
}

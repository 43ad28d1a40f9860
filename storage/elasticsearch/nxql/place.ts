import type { Source, SpecialProperty, ValuePlace } from '../../../core/model/nxql/index.js'
import type { Mapping, Mappings } from '../mapping/index.js'
import type { Context } from './context.js'
import { notAnswerable } from './not-answerable.js'

/**
 * Where values stand in the index.
 *
 * - `one`: a document has at most one.
 * - `list`: a list named without a wildcard: its conditions hold for any, their negations for no element.
 * - `element`: any element of a list of scalars; where there is none, a null one.
 * - `inner`, `innerList`: a value or a list inside elements, which the index does not distinguish.
 */
export type IndexPlace = {
  field: string
  mapping: Mapping
  type: ValuePlace['type']
  reach: 'one' | 'list' | 'element' | 'inner' | 'innerList'
}

const ALIASES: { readonly [name: string]: string } = {
  'ecm:isCheckedInVersion': 'ecm:isVersion',
  'ecm:lock': 'ecm:lockOwner',
}

/** They are not indexed by themselves: all the same for every document, or made of two fields. */
const COMPUTED: ReadonlySet<SpecialProperty> = new Set([
  'ecm:isTrashed',
  'ecm:isRecord',
  'ecm:hasLegalHold',
  'ecm:retainUntil',
])

const isWildcard = ({ kind }: { kind: string }): boolean => kind === 'any' || kind === 'variable'

const propertyReach = ({ steps }: Extract<Source, { kind: 'property' }>, isList: boolean) => {
  const wildcards = steps.filter(isWildcard).length
  if (wildcards === 0) return isList ? 'list' : 'one'
  const last = steps.at(-1)
  if (isList) return 'innerList'
  return wildcards === 1 && last && isWildcard(last) ? 'element' : 'inner'
}

const locate = ({
  source,
  isList,
  reference,
}: ValuePlace): { path: string[]; reach: IndexPlace['reach'] } => {
  switch (source.kind) {
    case 'special':
      if (COMPUTED.has(source.name)) throw notAnswerable(`${reference.name} is not in the index`)
      return { path: [ALIASES[source.name] ?? source.name], reach: 'one' }
    case 'property': {
      const names = source.steps.flatMap((step) => {
        if (step.kind === 'index') throw notAnswerable(`${reference.name} asks for a place in a list`)
        return step.kind === 'field' ? [step.name] : []
      })
      return { path: [source.key, ...names], reach: propertyReach(source, isList) }
    }
    case 'tag':
      return { path: ['ecm:tag'], reach: 'element' }
    default:
      throw notAnswerable(`${reference.name} is not in the index`)
  }
}

const mappingAt = (mappings: Mappings, path: readonly string[]): Mapping | undefined => {
  const [name = '', ...rest] = path
  const mapping = mappings[name]
  if (rest.length === 0 || mapping === undefined) return mapping
  return 'properties' in mapping && mapping.properties ? mappingAt(mapping.properties, rest) : undefined
}

const isIndexed = (mapping: Mapping | undefined): mapping is Mapping =>
  mapping !== undefined &&
  mapping.type !== 'object' &&
  mapping.type !== undefined &&
  (mapping as { index?: boolean }).index !== false

/** @throws NotAnswerable for what the index does not have. */
export const fieldOf = (place: ValuePlace, { mappings }: Pick<Context, 'mappings'>): IndexPlace => {
  const { path, reach } = locate(place)
  const mapping = mappingAt(mappings, path)
  if (!isIndexed(mapping)) throw notAnswerable(`${place.reference.name} is not in the index`)
  return { field: path.join('.'), mapping, type: place.type, reach }
}

/**
 * Notes the numbered wildcards of a condition. One that a single condition mentions is as good as an unnumbered one.
 *
 * @throws NotAnswerable for a wildcard that several conditions mention: the index does not distinguish elements.
 */
export const noteVariables = (variables: readonly string[], context: Context): void => {
  for (const xpath of variables) {
    if (context.equivalences > 0 || context.variables.has(xpath))
      throw notAnswerable(`${xpath} is the same element in several conditions`)
    context.variables.add(xpath)
  }
}

import { fail } from '../../../platform/errors/index.js'
import type { ContentModel, ResolvedField } from '../../content-model/index.js'
import type { Reference } from '../ast.js'
import { type Kind, kindOf } from './kinds.js'
import type { AceColumn, Place, Source, Step, ValuePlace } from './place.js'
import { refuse } from './refuse.js'
import { isSpecialProperty, specialKind } from './special.js'

const PLACES: ReadonlyMap<string, Place> = new Map([
  ['ecm:path', { kind: 'path' }],
  ['ecm:ancestorId', { kind: 'ancestor' }],
  ['ecm:mixinType', { kind: 'facets' }],
  ['ecm:isTrashed', { kind: 'trash' }],
  ['ecm:currentLifeCycleState', { kind: 'state' }],
  ['ecm:fulltextScore', { kind: 'score' }],
])

/** Special properties that conditions ask in ways of their own, or that are computed. */
export const specialPlaces: readonly string[] = [...PLACES.keys()]

const valuePlace = (reference: Reference, type: Kind, source: Source, isList = false): ValuePlace => ({
  kind: 'value',
  type,
  isDay: false,
  source,
  isList,
  reference,
})

/** The element of an unnumbered wildcard is not the same twice, so no element below it is the same either. */
const stepsOf = ({ key, steps }: ResolvedField): Step[] => {
  let xpath = key
  let isAny = false
  return steps.map((step): Step => {
    xpath = `${xpath}/${step}`
    if (typeof step === 'number') return { kind: 'index', index: step }
    if (!step.startsWith('*')) return { kind: 'field', name: step }
    isAny ||= step === '*'
    return isAny ? { kind: 'any' } : { kind: 'variable', xpath }
  })
}

const propertyPlace = (reference: Reference, model: ContentModel): ValuePlace => {
  const resolved = model.resolve(reference.name)
  if (!resolved) throw fail('badRequest', `No such property: ${reference.name} at offset ${reference.offset}`)
  const source = { kind: 'property', key: resolved.key, steps: stepsOf(resolved) } as const
  return valuePlace(reference, kindOf(resolved.field.type), source, resolved.field.isList)
}

const TAG = /^ecm:tag(?:\/(\*\d{0,9}))?$/
const ACE = /^ecm:acl\/(\*\d{0,9})\/(\w+)$/

const ACE_KINDS: { readonly [column in AceColumn]: Kind } = {
  principal: 'text',
  permission: 'text',
  grant: 'boolean',
  name: 'text',
  pos: 'number',
  creator: 'text',
  begin: 'date',
  end: 'date',
  status: 'number',
}

const isAceColumn = (name: string): name is AceColumn => Object.hasOwn(ACE_KINDS, name)

/** Special properties that a document has several of: tags, entries of local ACLs, keys of blobs. */
const listPlace = (reference: Reference): ValuePlace | undefined => {
  const { name } = reference
  if (name === 'ecm:blobKeys') return valuePlace(reference, 'text', { kind: 'blobKeys' }, true)
  const tag = TAG.exec(name)
  // `ecm:tag` is the same tag throughout the query, `ecm:tag/*` another one each time.
  if (tag) {
    const variable = tag[1] === '*' ? null : `ecm:tag/${tag[1] ?? ''}`
    return valuePlace(reference, 'text', { kind: 'tag', variable })
  }
  const [, wildcard, column = ''] = ACE.exec(name) ?? []
  if (wildcard === undefined || !isAceColumn(column)) return undefined
  const variable = wildcard === '*' ? null : `ecm:acl/${wildcard}`
  return valuePlace(reference, ACE_KINDS[column], { kind: 'ace', variable, column })
}

const FULLTEXT = /^ecm:fulltext(?:_(\w+))?(?:\.(.+))?$/

/** `ecm:fulltext`, `ecm:fulltext_name` or `ecm:fulltext.property` (nxql-search.md §6). */
const searchPlace = (reference: Reference, model: ContentModel): Place | undefined => {
  if (reference.name === 'ecm:binarytext') return { kind: 'search', weight: 'D' }
  const match = FULLTEXT.exec(reference.name)
  if (!match) return undefined
  const [, name = 'default', property] = match
  const { indexes } = model.fulltext
  const index = indexes.get(name)
  if (!index) throw fail('badRequest', `No such fulltext index: ${name} at offset ${reference.offset}`)
  if (property === undefined) return { kind: 'search', weight: index.weight }
  const key = model.resolve(property)?.xpath
  const own = [...indexes.values()].find(({ fields }) => fields.length === 1 && fields[0] === key)
  if (own) return { kind: 'search', weight: own.weight }
  return { kind: 'searchText', place: propertyPlace({ ...reference, name: property }, model) }
}

const specialValue = (reference: Reference): ValuePlace | undefined => {
  const { name } = reference
  return isSpecialProperty(name)
    ? valuePlace(reference, specialKind(name), { kind: 'special', name })
    : undefined
}

const specialPlace = (reference: Reference, model: ContentModel): Place => {
  const place =
    PLACES.get(reference.name) ??
    specialValue(reference) ??
    listPlace(reference) ??
    searchPlace(reference, model)
  if (place) return place
  throw fail('badRequest', `Unknown field: ${reference.name} at offset ${reference.offset}`)
}

/**
 * Finds what a reference means.
 *
 * @throws badRequest `Unknown field: ecm:x` or `No such property: x`, with its offset; for a DATE cast of no date.
 */
export const locate = (reference: Reference, model: ContentModel): Place => {
  const place = reference.name.startsWith('ecm:')
    ? specialPlace(reference, model)
    : propertyPlace(reference, model)
  if (reference.cast === null) return place
  if (place.kind !== 'value' || place.type !== 'date')
    throw refuse(`${reference.name} is not a date: DATE()`, reference.offset)
  return { ...place, type: 'day', isDay: true }
}

/** The value itself, where one is wanted and not a condition; undefined for a place that has none. */
export const valueAt = (place: Place, reference: Reference): ValuePlace | undefined =>
  place.kind === 'value' ? place : specialValue(reference)

/** The place of a value by its reference; undefined for one that has none. @throws badRequest as `locate` does. */
export const locateValue = (reference: Reference, model: ContentModel): ValuePlace | undefined =>
  valueAt(locate(reference, model), reference)

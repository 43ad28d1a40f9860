import type { ResolvedField } from '../../../core/model/content-model/index.js'
import type { Reference } from '../../../core/model/nxql/index.js'
import { fail } from '../../../core/platform/errors/index.js'
import type { Context } from './context.js'
import { fulltextPlace, type SearchPlace } from './fulltext-place.js'
import { asJson, elementsOf, type JsonPath } from './json-path.js'
import { dayOf, jsonScalar, type Scalar } from './scalar.js'
import { SPECIAL_COLUMNS } from './special.js'
import { specialListPlace } from './special-lists.js'
import { type Table, tableOfElements } from './tables.js'
import { refuse } from './unsupported.js'

/**
 * What a reference means. `wildcards` are the tables of elements to look through for an unnumbered `*`;
 * `list` is the table of a list named without one: its conditions hold for any, their negations for no element.
 */
export type ValuePlace = {
  kind: 'value'
  scalar: Scalar
  wildcards: readonly Table[]
  list: string | null
  /** It is in an element of a numbered wildcard. */
  isCorrelated: boolean
  /** The JSON text of a document that has `value` (JSON text) here, when containment can say it. */
  containing: ((value: string) => string) | null
  /** SQL of type `jsonb`, for what is no scalar. */
  json: string | null
  /** What an index answers of a document that has the value here, bound already; null when there is none. */
  prefilter?: (value: string) => string
}

export type Place =
  | ValuePlace
  | { kind: 'path' | 'ancestor' | 'mixin' | 'trash' | 'state' | 'score' }
  | SearchPlace

const PLACES: ReadonlyMap<string, Place> = new Map([
  ['ecm:path', { kind: 'path' }],
  ['ecm:ancestorId', { kind: 'ancestor' }],
  ['ecm:mixinType', { kind: 'mixin' }],
  ['ecm:isTrashed', { kind: 'trash' }],
  ['ecm:currentLifeCycleState', { kind: 'state' }],
  ['ecm:fulltextScore', { kind: 'score' }],
])

const columnPlace = (scalar: Scalar): ValuePlace => ({
  kind: 'value',
  scalar,
  wildcards: [],
  list: null,
  isCorrelated: false,
  containing: null,
  json: null,
})

/**
 * Finds what a reference means.
 *
 * @throws badRequest `Unknown field: ecm:x` or `No such property: x`, with its offset.
 */
export const placeOf = (reference: Reference, context: Context): Place => {
  const place = reference.name.startsWith('ecm:')
    ? specialPlace(reference, context)
    : propertyPlace(reference, context)
  if (reference.cast === null) return place
  const day = place.kind === 'value' ? dayOf(place.scalar) : undefined
  if (place.kind !== 'value' || !day)
    throw refuse(`${reference.name} is not a date: DATE()`, reference.offset)
  return { ...place, scalar: day, containing: null, json: null }
}

/** The value itself where one is wanted and not a condition: special conditions aside. */
export const valuePlaceOf = (reference: Reference, context: Context): ValuePlace | undefined => {
  const place = placeOf(reference, context)
  if (place.kind === 'value') return place
  const scalar = SPECIAL_COLUMNS.get(reference.name)
  return scalar && columnPlace(scalar)
}

const specialPlace = (reference: Reference, context: Context): Place => {
  const { name, offset } = reference
  const special = PLACES.get(name)
  if (special) return special
  const scalar = SPECIAL_COLUMNS.get(name)
  if (scalar) return columnPlace(scalar)
  const place = specialListPlace(reference, context) ?? fulltextPlace(reference, context, propertyPlace)
  if (place) return place
  throw fail('badRequest', `Unknown field: ${name} at offset ${offset}`)
}

/** The place of a property by its xpath. */
const propertyPlace = ({ name, offset }: Reference, context: Context): ValuePlace => {
  const resolved = context.model.resolve(name)
  if (!resolved) throw fail('badRequest', `No such property: ${name} at offset ${offset}`)
  const { wildcards, isCorrelated, path } = walk(resolved, offset, context)
  const json = asJson(path)
  if (!resolved.field.isList) {
    const scalar = jsonScalar(path, resolved.field.type)
    return {
      kind: 'value',
      scalar,
      wildcards,
      list: null,
      isCorrelated,
      containing: containing(resolved),
      json,
    }
  }
  const alias = context.alias()
  return {
    kind: 'value',
    scalar: jsonScalar({ base: `${alias}.value`, steps: [] }, resolved.field.type),
    wildcards,
    list: elementsOf(path, alias),
    isCorrelated,
    containing: containing(resolved),
    json,
  }
}

/** Follows the steps from the document's properties; a wildcard goes on from the elements of its list. */
const walk = ({ key, steps }: ResolvedField, offset: number, context: Context) => {
  const wildcards: Table[] = []
  let path: JsonPath = { base: 'd.properties', steps: [key] }
  let xpath = key
  let isCorrelated = false
  for (const step of steps) {
    xpath = `${xpath}/${step}`
    if (typeof step === 'number' || !step.startsWith('*')) {
      path = { ...path, steps: [...path.steps, step] }
      continue
    }
    const list = path
    let alias: string
    // The element of an unnumbered wildcard is not the same twice, so no element below it is the same either.
    if (step === '*' || wildcards.length > 0) {
      alias = context.alias()
      wildcards.push(tableOfElements(list, alias))
    } else {
      isCorrelated = true
      alias = context.correlations.variable(xpath, offset, (name) => tableOfElements(list, name))
    }
    path = { base: `${alias}.value`, steps: [] }
  }
  return { wildcards, isCorrelated, path }
}

const containing = ({ key, steps, field }: ResolvedField): ValuePlace['containing'] => {
  if (steps.some((step) => typeof step === 'number')) return null
  const names = [key, ...steps.map(String), ...(field.isList ? ['*'] : [])]
  return (value) =>
    names.reduceRight(
      (inner, name) => (name.startsWith('*') ? `[${inner}]` : `{${JSON.stringify(name)}:${inner}}`),
      value,
    )
}

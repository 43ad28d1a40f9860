import type { ResolvedField } from '../../content-model/index.js'
import { fail } from '../../errors/index.js'
import type { Reference } from '../ast.js'
import type { Context } from './context.js'
import { elementsOf, type JsonPath } from './json-path.js'
import { dayOf, jsonScalar, type Scalar } from './scalar.js'
import { SPECIAL_COLUMNS, SPECIAL_LATER } from './special.js'
import { notSupportedYet, refuse } from './unsupported.js'

/**
 * What a reference means. `wildcards` are the tables of elements to look through for an unnumbered `*`;
 * `list` is the table of a list named without one: its conditions hold for any, their negations for no element.
 */
export type ValuePlace = {
  kind: 'value'
  scalar: Scalar
  wildcards: readonly string[]
  list: string | null
  isCorrelated: boolean
  /** The JSON text of a document that has `value` (JSON text) here, when containment can say it. */
  containing: ((value: string) => string) | null
}

export type Place = ValuePlace | { kind: 'path' | 'ancestor' | 'mixin' }

const HIERARCHY: ReadonlyMap<string, Place> = new Map([
  ['ecm:path', { kind: 'path' }],
  ['ecm:ancestorId', { kind: 'ancestor' }],
  ['ecm:mixinType', { kind: 'mixin' }],
])

/**
 * Finds what a reference means.
 *
 * @throws badRequest `Unknown field: ecm:x` or `No such property: x`.
 */
export const placeOf = (reference: Reference, context: Context): Place => {
  const place = reference.name.startsWith('ecm:')
    ? specialPlace(reference)
    : propertyPlace(reference, context)
  if (reference.cast === null) return place
  const day = place.kind === 'value' ? dayOf(place.scalar) : undefined
  if (place.kind !== 'value' || !day)
    throw refuse(`${reference.name} is not a date: DATE()`, reference.offset)
  return { ...place, scalar: day, containing: null }
}

const specialPlace = ({ name, offset }: Reference): Place => {
  const hierarchy = HIERARCHY.get(name)
  if (hierarchy) return hierarchy
  const scalar = SPECIAL_COLUMNS.get(name)
  if (scalar) {
    return { kind: 'value', scalar, wildcards: [], list: null, isCorrelated: false, containing: null }
  }
  const [root = name] = name.split(/[./_]/)
  if (SPECIAL_LATER.has(root)) throw notSupportedYet(name, offset)
  throw fail('badRequest', `Unknown field: ${name}`)
}

const propertyPlace = ({ name, offset }: Reference, context: Context): ValuePlace => {
  const resolved = context.model.resolve(name)
  if (!resolved) throw fail('badRequest', `No such property: ${name}`)
  const { wildcards, isCorrelated, path } = walk(resolved, offset, context)
  if (!resolved.field.isList) {
    const scalar = jsonScalar(path, resolved.field.type)
    return { kind: 'value', scalar, wildcards, list: null, isCorrelated, containing: containing(resolved) }
  }
  const alias = context.alias()
  return {
    kind: 'value',
    scalar: jsonScalar({ base: `${alias}.value`, steps: [] }, resolved.field.type),
    wildcards,
    list: elementsOf(path, alias),
    isCorrelated,
    containing: containing(resolved),
  }
}

/** Follows the steps from the document's properties; a wildcard goes on from the elements of its list. */
const walk = ({ key, steps }: ResolvedField, offset: number, context: Context) => {
  const wildcards: string[] = []
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
    if (step === '*') {
      alias = context.alias()
      wildcards.push(elementsOf(list, alias))
    } else {
      // The element of an unnumbered wildcard is not the same twice, so it has no "same" element below.
      if (wildcards.length > 0) throw notSupportedYet('a numbered wildcard below an unnumbered one', offset)
      isCorrelated = true
      alias = context.correlations.variable(xpath, offset, (name) => elementsOf(list, name))
    }
    path = { base: `${alias}.value`, steps: [] }
  }
  return { wildcards, isCorrelated, path }
}

const containing = ({ key, steps, field }: ResolvedField): ValuePlace['containing'] => {
  const isContainable = steps.every((step) => step === '*' || (typeof step === 'string' && step[0] !== '*'))
  if (!isContainable) return null
  const names = [key, ...steps.map(String), ...(field.isList ? ['*'] : [])]
  return (value) =>
    names.reduceRight(
      (inner, name) => (name === '*' ? `[${inner}]` : `{${JSON.stringify(name)}:${inner}}`),
      value,
    )
}

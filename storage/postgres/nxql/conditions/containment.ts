import type { Test, ValueTest } from '../../../../core/model/nxql/index.js'
import { withLongsAsTexts } from '../../../../core/model/properties/index.js'
import type { Context } from '../context.js'
import { d } from '../places/names.js'
import { placeSql, type SqlPlace } from '../places/place.js'
import type { ScalarKind } from '../places/scalar.js'

/** A look into another table is a join for the planner: a hundred took two seconds. */
const LOOKUP_WEIGHT = 10

type Equality = Extract<ValueTest, { kind: 'isOneOf' }>

/** A value as JSON, in each way that it may be stored; none for kinds that are not stored as JSON. */
const jsonFor = (kind: ScalarKind, text: string): string[] => {
  if (kind === 'number') return [...new Set([text, withLongsAsTexts(`[${text}]`).slice(1, -1)])]
  if (kind === 'boolean') return [text]
  return kind === 'text' || kind === 'isoDate' ? [JSON.stringify(text)] : []
}

/** Equality with a stored property as containment, which the index on `properties` answers. */
export const containmentText = (
  { containing, scalar, isCorrelated }: SqlPlace,
  { values }: Equality,
  context: Context,
): string | undefined => {
  if (!containing || isCorrelated || !context.containments(values.length)) return undefined
  const known = values.map((value) => jsonFor(scalar.kind, value))
  if (known.some((jsons) => jsons.length === 0)) return undefined
  // Bound as text: a driver would encode a string for `jsonb` once more.
  const tests = known
    .flat()
    .map((json) => `${d.properties} @> ${context.binder.bind(containing(json), 'text')}::jsonb`)
  return tests.length === 1 ? tests[0] : `(${tests.join(' OR ')})`
}

/**
 * A condition that an index answers, and that must hold where a given one does: for conditions on an element
 * of a numbered wildcard, which are looked at row by row. Undefined when there is none.
 */
export const prefilterText = (test: Test, context: Context): string | undefined => {
  if (test.kind !== 'hasValue' || test.negated || test.test.kind !== 'isOneOf') return undefined
  const place = placeSql(test.place, context)
  if (!place.isCorrelated || place.wildcards.length > 0) return undefined
  if (place.prefilter)
    return context.containments(LOOKUP_WEIGHT)
      ? place.prefilter(context.binder.bind(test.test.values, 'text[]'))
      : undefined
  return containmentText({ ...place, isCorrelated: false }, test.test, context)
}

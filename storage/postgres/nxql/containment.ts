import type { Condition } from '../../../core/model/nxql/index.js'
import type { Context } from './context.js'
import { placeOf, type ValuePlace } from './place.js'
import { equalValues, oriented, type ValueSubject } from './subject.js'
import { jsonFor, valueFor } from './values.js'

/** Equality with a stored property as containment, which the index on `properties` answers. */
export const containmentTest = (
  place: ValuePlace,
  { condition, reference, scope }: ValueSubject,
): string | undefined => {
  const { containing, scalar, isCorrelated } = place
  const values = equalValues(condition)
  const { context } = scope
  if (!values || !containing || isCorrelated || !context.containments(values.length)) return undefined
  const tests = values.map((value) => {
    const json = jsonFor(scalar.kind, valueFor(value, { scalar, reference, context }))
    // Bound as text: a driver would encode a string for `jsonb` once more.
    return json && `d.properties @> ${context.binder.bind(containing(json), 'text')}::jsonb`
  })
  if (tests.includes(undefined)) return undefined
  return tests.length === 1 ? tests[0] : `(${tests.join(' OR ')})`
}

/**
 * A condition that an index answers, and that must hold where a given one does: for conditions on an element
 * of a numbered wildcard, which are looked at row by row. Undefined when there is none.
 */
export const compilePrefilter = (written: Condition, context: Context): string | undefined => {
  const condition = written.kind === 'comparison' ? oriented(written) : written
  const isEquality =
    (condition?.kind === 'comparison' && condition.operator === '=') ||
    (condition?.kind === 'in' && !condition.negated)
  if (!condition || !isEquality) return undefined
  const reference = condition.kind === 'comparison' ? condition.left : condition.reference
  const place = placeOf(reference, context)
  if (place.kind !== 'value' || !place.isCorrelated || place.wildcards.length > 0) return undefined
  const { prefilter, scalar } = place
  if (prefilter) {
    const values =
      equalValues(condition)?.map((value) => valueFor(value, { scalar, reference, context })) ?? []
    return prefilter(context.binder.bind(values, 'text[]'))
  }
  const scope = { context, negated: false }
  return containmentTest({ ...place, isCorrelated: false }, { condition, reference, scope })
}

import type { Finding } from '../../platform/contributions/index.js'
import { bareSource } from '../../platform/sandbox/expressions/index.js'
import { assignmentIn, unknownReferencesIn } from '../chains/index.js'
import type { NameKind } from '../language/index.js'
import { type KnownNames, unknownName } from '../lint/index.js'
import type { EventFilters } from './filters.js'

type Filters = Pick<
  EventFilters,
  'doctype' | 'facet' | 'lifeCycle' | 'pathStartsWith' | 'condition' | 'expression'
>

/**
 * Filters of a handler that no document passes by now: types, facets and states that nothing configured is called,
 * paths that are none, properties that a condition reads in vain, and conditions that assign. Findings, not refusals: all of it may still be
 * deployed.
 */
export const unknownFilters = (handler: Filters, names: KnownNames): Finding[] => {
  const { doctype, facet, lifeCycle, pathStartsWith, condition, expression } = handler
  const odd = (field: string, kind: NameKind, given: readonly string[]): Finding[] =>
    given.flatMap((name) => {
      const message = unknownName(kind, name, names)
      return message ? [{ path: [field], message, value: name }] : []
    })
  const conditions = Object.entries({ condition, expression })
  return [
    ...odd('doctype', 'documentType', doctype),
    ...odd('facet', 'facet', facet === undefined ? [] : [facet]),
    ...odd('lifeCycle', 'lifecycleState', lifeCycle),
    ...(pathStartsWith === undefined || pathStartsWith.startsWith('/')
      ? []
      : [
          {
            path: ['pathStartsWith'],
            message: `no path begins with "${pathStartsWith}": paths begin with /`,
          },
        ]),
    ...conditions.flatMap(([field, text]) =>
      text === undefined
        ? []
        : [
            ...unknownReferencesIn(bareSource(text), names),
            ...[assignmentIn(bareSource(text))?.message].filter((message) => message !== undefined),
          ].map((message) => ({ path: [field], message })),
    ),
  ]
}

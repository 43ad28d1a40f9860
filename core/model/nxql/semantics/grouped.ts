import type { ContentModel } from '../../content-model/index.js'
import type { Reference } from '../ast.js'
import type { Grouping, Metric } from '../grouping.js'
import type { Kind } from './kinds.js'
import { locate } from './locate.js'
import { hasAny, type ValuePlace, variablesOf } from './place.js'
import { refuse } from './refuse.js'

const OF_NUMBERS: ReadonlySet<Metric> = new Set(['sum', 'avg'])

/** What a grouping asks of the values, where it does not take all of them. */
const kindsFor = (grouping: Grouping): { kinds: readonly Kind[]; what: string } | undefined => {
  switch (grouping.kind) {
    case 'ranges':
      return { kinds: ['number', 'date'], what: 'numbers or dates' }
    case 'histogram':
      return { kinds: ['number'], what: 'numbers' }
    case 'dateHistogram':
      return { kinds: ['date'], what: 'dates' }
    case 'metric':
      return OF_NUMBERS.has(grouping.metric) ? { kinds: ['number'], what: 'numbers' } : undefined
    case 'terms':
      return undefined
  }
}

/**
 * The values by which documents are counted: of a list, each of its elements.
 *
 * @throws badRequest for a property without values, or without such that the grouping takes.
 */
export const groupedPlace = (reference: Reference, grouping: Grouping, model: ContentModel): ValuePlace => {
  const place = locate(reference, model)
  const isCountable =
    place.kind === 'value' && place.type !== 'opaque' && !hasAny(place) && variablesOf(place).length === 0
  if (!isCountable) throw refuse(`${reference.name} has no values to aggregate`, reference.offset)
  const asked = kindsFor(grouping)
  if (asked && !asked.kinds.includes(place.type))
    throw refuse(`${reference.name} has no ${asked.what}`, reference.offset)
  return place
}

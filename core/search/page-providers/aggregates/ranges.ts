import type { Bounds } from '../../../model/nxql/index.js'
import { fail } from '../../../platform/errors/index.js'
import { formatByPattern, parseByPattern } from '../../../platform/patterns/index.js'
import { dateMath } from './date-math.js'
import type { AggregateDefinition } from './definition.js'
import { type DateInterval, nextBucket, parseInterval } from './interval.js'
import { fromLocal, toLocal } from './time-zone.js'

/** A range with the key that selects it. */
export type KeyedBounds = Bounds & { key: string }

/** The pattern of keys when an aggregate has none: the date to the second. */
const DEFAULT_FORMAT = "yyyy-MM-dd'T'HH:mm:ss"

export const formatOf = ({ properties }: AggregateDefinition): string => properties.format ?? DEFAULT_FORMAT

export const timeZoneOf = ({ properties }: AggregateDefinition): string =>
  properties.timeZone ?? properties.preZone ?? 'UTC'

export const intervalOf = ({ id, properties }: AggregateDefinition): DateInterval => {
  const interval = parseInterval(String(properties.interval))
  if (!interval) throw fail('badRequest', `${id}: '${properties.interval}' is not an interval`)
  return interval
}

/** The ranges of an aggregate that has any, in order of definition; dates relative to `now` are made absolute. */
export const definedRanges = (aggregate: AggregateDefinition, now: Date): KeyedBounds[] => {
  const iso = (text: string | undefined): string | null =>
    text === undefined ? null : (dateMath(text, now)?.toISOString() ?? null)
  return aggregate.type === 'date_range'
    ? aggregate.dateRanges.map(({ key, from, to }) => ({ key, from: iso(from), to: iso(to) }))
    : aggregate.ranges.map(({ key, from = null, to = null }) => ({ key, from, to }))
}

/** What the chosen key of a histogram stands for; undefined for a key that the histogram can not have. */
export const histogramRange = (aggregate: AggregateDefinition, key: string): KeyedBounds | undefined => {
  if (aggregate.type === 'histogram') {
    const from = Number(key)
    return Number.isNaN(from) ? undefined : { key, from, to: from + Number(aggregate.properties.interval) }
  }
  const local = parseByPattern(key, formatOf(aggregate))
  if (!local) return undefined
  const timeZone = timeZoneOf(aggregate)
  const from = fromLocal(local, timeZone)
  return {
    key,
    from: from.toISOString(),
    to: nextBucket(from, intervalOf(aggregate), timeZone).toISOString(),
  }
}

export const dateKey = (aggregate: AggregateDefinition, date: Date): string =>
  formatByPattern(toLocal(date, timeZoneOf(aggregate)), formatOf(aggregate))

import { fromLocal, toLocal } from './time-zone.js'

/** The length of a bucket of dates: a unit of the calendar, or so many milliseconds. */
export type DateInterval = { unit: CalendarUnit } | { milliseconds: number }

export type CalendarUnit = 'year' | 'quarter' | 'month' | 'week' | 'day' | 'hour' | 'minute' | 'second'

const CALENDAR: { readonly [text: string]: CalendarUnit } = {
  year: 'year',
  '1y': 'year',
  quarter: 'quarter',
  '1q': 'quarter',
  month: 'month',
  '1M': 'month',
  week: 'week',
  '1w': 'week',
  day: 'day',
  '1d': 'day',
  hour: 'hour',
  '1h': 'hour',
  '1H': 'hour',
  minute: 'minute',
  '1m': 'minute',
  second: 'second',
  '1s': 'second',
}

const MILLIS: { readonly [unit: string]: number } = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  H: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

/** Reads `month`, `1d`, `90m`; undefined for any other text. */
export const parseInterval = (text: string): DateInterval | undefined => {
  const unit = CALENDAR[text]
  if (unit) return { unit }
  const match = /^(\d{1,6})(ms|[smhHdw])$/.exec(text)
  const milliseconds = Number(match?.[1]) * (MILLIS[match?.[2] ?? ''] ?? Number.NaN)
  return milliseconds > 0 ? { milliseconds } : undefined
}

/** The next start by the calendar, of clocks that show UTC. */
const nextUnit = (start: Date, unit: CalendarUnit): Date => {
  const next = new Date(start)
  if (unit === 'year') next.setUTCFullYear(next.getUTCFullYear() + 1)
  else if (unit === 'quarter') next.setUTCMonth(next.getUTCMonth() + 3)
  else if (unit === 'month') next.setUTCMonth(next.getUTCMonth() + 1)
  else next.setUTCDate(next.getUTCDate() + (unit === 'week' ? 7 : 1))
  return next
}

/** How much of an ISO date a unit keeps. */
const KEPT: { readonly [unit in CalendarUnit]: number } = {
  year: 4,
  quarter: 7,
  month: 7,
  week: 10,
  day: 10,
  hour: 13,
  minute: 16,
  second: 19,
}

const startOfUnit = (date: Date, unit: CalendarUnit): Date => {
  const kept = date.toISOString().slice(0, KEPT[unit])
  const start = new Date(`${kept}${'0000-01-01T00:00:00.000Z'.slice(kept.length)}`)
  if (unit === 'quarter') start.setUTCMonth(start.getUTCMonth() - (start.getUTCMonth() % 3))
  if (unit === 'week') start.setUTCDate(start.getUTCDate() - ((start.getUTCDay() + 6) % 7))
  return start
}

const SHORT: ReadonlySet<CalendarUnit> = new Set(['hour', 'minute', 'second'])

/** The start of the bucket after the one that starts at `start`, by the clocks of a time zone. */
export const nextBucket = (start: Date, interval: DateInterval, timeZone = 'UTC'): Date => {
  if ('milliseconds' in interval) return new Date(start.getTime() + interval.milliseconds)
  // Clocks that are set back show an hour twice.
  if (SHORT.has(interval.unit)) return new Date(start.getTime() + (MILLIS[interval.unit.charAt(0)] ?? 0))
  return fromLocal(nextUnit(toLocal(start, timeZone), interval.unit), timeZone)
}

/** The start of the bucket that a date lies in. */
export const bucketStart = (date: Date, interval: DateInterval, timeZone = 'UTC'): Date => {
  if ('unit' in interval) return fromLocal(startOfUnit(toLocal(date, timeZone), interval.unit), timeZone)
  const { milliseconds } = interval
  return new Date(Math.floor(date.getTime() / milliseconds) * milliseconds)
}

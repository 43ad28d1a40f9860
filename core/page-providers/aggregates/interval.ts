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

/** Reads `month`, `1d`, `90m`; undefined for what is no interval. */
export const parseInterval = (text: string): DateInterval | undefined => {
  const unit = CALENDAR[text]
  if (unit) return { unit }
  const match = /^(\d{1,6})(ms|[smhHdw])$/.exec(text)
  const milliseconds = Number(match?.[1]) * (MILLIS[match?.[2] ?? ''] ?? Number.NaN)
  return milliseconds > 0 ? { milliseconds } : undefined
}

/** The start of the bucket after the one that starts at `start`. */
export const nextBucket = (start: Date, interval: DateInterval): Date => {
  if ('milliseconds' in interval) return new Date(start.getTime() + interval.milliseconds)
  const next = new Date(start)
  switch (interval.unit) {
    case 'year':
      next.setUTCFullYear(next.getUTCFullYear() + 1)
      break
    case 'quarter':
      next.setUTCMonth(next.getUTCMonth() + 3)
      break
    case 'month':
      next.setUTCMonth(next.getUTCMonth() + 1)
      break
    case 'week':
      next.setUTCDate(next.getUTCDate() + 7)
      break
    case 'day':
      next.setUTCDate(next.getUTCDate() + 1)
      break
    default:
      return new Date(start.getTime() + (MILLIS[interval.unit.charAt(0)] ?? 0))
  }
  return next
}

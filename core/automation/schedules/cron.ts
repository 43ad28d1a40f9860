import { fail } from '../../platform/errors/index.js'
import { type Calendar, type Days, daysInBoth } from './calendar.js'
import {
  DAY_OF_MONTH,
  HOUR,
  MINUTE,
  MONTH,
  refuse,
  restrictionOf,
  SECOND,
  UNIX_WEEKDAY,
  valuesOf,
  YEAR,
} from './cron-field.js'
import { quartzDaysOfMonth, quartzDaysOfWeek } from './quartz-days.js'

const ANY = '?'

const UNIX_FIELDS = 5
const QUARTZ_FIELDS = [6, 7]

/**
 * The times of a cron expression: of five fields as Unix has it, from minutes to days of the week with Sunday as 0; of
 * six or seven as Quartz has it, from seconds to days of the week with Sunday as 1 and perhaps years
 * (workflow-audit.md §7, `cronExpression`).
 *
 * @throws badRequest naming the field that cannot be understood.
 */
export const parseCron = (text: string): readonly Calendar[] => {
  const fields = text.trim().split(/\s+/)
  if (fields.length === UNIX_FIELDS) return unixCalendars(fields)
  if (QUARTZ_FIELDS.includes(fields.length)) return quartzCalendars(fields)
  throw fail('badRequest', `expected 5 fields, or 6 to 7 that begin with seconds, found ${fields.length}`)
}

/**
 * When both kinds of days are restricted a day is one of either, as cron has it; a field that begins with a star
 * restricts nothing in this sense.
 */
const unixCalendars = ([
  minutes = '',
  hours = '',
  days = '',
  months = '',
  weekdays = '',
]: readonly string[]): readonly Calendar[] => {
  const starred = (text: string): string => (text === ANY ? '*' : text)
  const dayOfMonth = restrictionOf(DAY_OF_MONTH, starred(days), false)
  const named = restrictionOf(UNIX_WEEKDAY, starred(weekdays), false)
  const dayOfWeek = named && [...new Set(named.map((day) => day % 7))].sort((a, b) => a - b)
  const isEither = [days, weekdays].every((text) => !starred(text).startsWith('*'))
  const ofMonth: Days = dayOfMonth ? { dayOfMonth } : {}
  const ofWeek: Days = dayOfWeek ? { dayOfWeek } : {}
  const month = restrictionOf(MONTH, months, false)
  return calendarsOf({
    time: {
      second: [0],
      minute: valuesOf(MINUTE, minutes, false),
      hour: valuesOf(HOUR, hours, false),
    },
    days: isEither ? [ofMonth, ofWeek] : [{ ...ofMonth, ...ofWeek }],
    within: month ? { month } : {},
  })
}

const quartzCalendars = ([
  seconds = '',
  minutes = '',
  hours = '',
  days = '',
  months = '',
  weekdays = '',
  years = '*',
]: readonly string[]): readonly Calendar[] => {
  const [isOfMonth, isOfWeek] = [days, weekdays].map((text) => text !== ANY && text !== '*')
  if ((isOfMonth && isOfWeek) || (days === ANY && weekdays === ANY))
    throw refuse(DAY_OF_MONTH, `one of day of month ("${days}") and day of week ("${weekdays}") must be ?`)
  const ofMonth = days === ANY ? [{}] : quartzDaysOfMonth(days)
  const ofWeek = weekdays === ANY ? [{}] : quartzDaysOfWeek(weekdays)
  const month = restrictionOf(MONTH, months, true)
  const year = restrictionOf(YEAR, years, false)
  return calendarsOf({
    time: {
      second: valuesOf(SECOND, seconds, true),
      minute: valuesOf(MINUTE, minutes, true),
      hour: valuesOf(HOUR, hours, true),
    },
    days: isOfWeek ? ofWeek : ofMonth,
    within: { ...(month && { month }), ...(year && { year }) },
  })
}

const calendarsOf = ({
  time,
  days,
  within,
}: {
  time: Pick<Calendar, 'second' | 'minute' | 'hour'>
  days: readonly Days[]
  within: Days
}): readonly Calendar[] => {
  const possible = days.flatMap((some) => daysInBoth(some, within) ?? [])
  if (possible.length === 0) throw refuse(DAY_OF_MONTH, 'there is no such day in these months and years')
  return possible.map((some) => ({ ...time, ...some }))
}

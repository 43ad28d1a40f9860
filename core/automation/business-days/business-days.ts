import { defineRegistry } from '../../platform/contributions/index.js'
import { fail } from '../../platform/errors/index.js'
import { holidaysOf } from './country-holidays.js'
import { DEFAULT_CALENDAR, type Duration, durationsPoint, MAX_DAYS } from './durations-point.js'
import { type HolidayCalendar, holidayCalendarsPoint, WEEKDAYS } from './holiday-calendars-point.js'
import { dayFrom, localDay } from './local-day.js'

export type BusinessDays = {
  /**
   * The midnight with which the last day of a duration begins. The day of `from` never counts.
   *
   * @param duration its label, or a number of business days of the default calendar.
   * @returns null for a label that nobody contributes.
   * @throws badRequest for a number out of range, and a moment that has no day.
   */
  limitDate(duration: string | number, from: Date): Date | null
}

type Calendar = { zone: string; isFree(day: string, weekday: number): boolean }

const isListed = (days: readonly string[], day: string): boolean =>
  days.includes(day) || days.includes(day.slice(5))

const calendarOf = ({ country, dates, except, weekend, timezone, ...place }: HolidayCalendar): Calendar => {
  const isHoliday = country === undefined ? () => false : holidaysOf({ country, ...place })
  const free = new Set(weekend.map((name) => WEEKDAYS.indexOf(name) + 1))
  return {
    zone: timezone,
    isFree: (day, weekday) =>
      !isListed(except, day) && (free.has(weekday) || isListed(dates, day) || isHoliday(day)),
  }
}

/** Days looked at in all: a calendar without a day to work would never come to an end. */
const MAX_LOOKED_AT = 10 * MAX_DAYS

const limitOf = (from: Date, { zone, days, isFree }: Calendar & { days: number }): Date => {
  const first = localDay(from, zone)
  let ahead = 0
  for (let left = days; left > 0; ahead++) {
    const day = first.plus({ days: ahead + 1 })
    if (!day.isValid || ahead > MAX_LOOKED_AT)
      throw fail('badRequest', `${days} business days after ${from.toISOString()} come to no day`)
    if (!isFree(String(day.toISODate()), day.weekday)) left--
  }
  return dayFrom(from, { zone, days: ahead })
}

const WEEKENDS_ALONE = holidayCalendarsPoint.schema.parse({})

const durationOf = (
  given: string | number,
  durations: ReadonlyMap<string, Duration>,
): Duration | undefined => {
  if (typeof given === 'string') return durations.get(given)
  if (Number.isInteger(given) && given >= 0 && given <= MAX_DAYS) return { numberOfDays: given }
  throw fail('badRequest', `${given} is no number of business days; expected 0 to ${MAX_DAYS}`)
}

/** Durations and holiday calendars as deployed at one moment. */
export const businessDaysRegistry = defineRegistry<BusinessDays>({
  name: 'business days',
  build: (contributions) => {
    const contents = contributions.get(holidayCalendarsPoint)
    const durations = contributions.get(durationsPoint)
    const calendars = new Map<string, Calendar>()
    const calendar = (name: string): Calendar => {
      const known = calendars.get(name) ?? calendarOf(contents.get(name) ?? WEEKENDS_ALONE)
      calendars.set(name, known)
      return known
    }
    return {
      limitDate(given, from) {
        if (Number.isNaN(from.getTime())) throw fail('badRequest', 'the business days begin at no date')
        const duration = durationOf(given, durations)
        if (!duration) return null
        const { zone, isFree } = calendar(duration.calendar ?? DEFAULT_CALENDAR)
        return limitOf(from, { zone: duration.timezone ?? zone, isFree, days: duration.numberOfDays })
      },
    }
  },
})

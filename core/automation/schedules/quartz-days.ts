import { type Days, MONTHS, range } from './calendar.js'
import { DAY_OF_MONTH, fieldValue, QUARTZ_WEEKDAY, refuse, restrictionOf } from './cron-field.js'

/*
 * The days that Quartz says with letters: each is a day of the month, or one that falls on certain days of the week,
 * in months of some length.
 */

const SATURDAY = 6
const MONDAY = 1
const FRIDAY = 5
const WORKDAYS = range(MONDAY, FRIDAY)

/** The same in months of each length, for what is counted from their end. */
const inEachMonth = (daysOf: (length: number) => readonly Days[]): readonly Days[] =>
  MONTHS.flatMap(({ length, months, years }) =>
    daysOf(length).map((days) => ({ ...days, month: months, ...(years && { year: years }) })),
  )

/** The workday nearest to a day, within its month. */
const nearestWorkday = (day: number, length: number): readonly Days[] => {
  const [saturdays, sundays]: [Days, Days] = [
    day === 1 ? { dayOfMonth: [3], dayOfWeek: [MONDAY] } : { dayOfMonth: [day - 1], dayOfWeek: [FRIDAY] },
    day === length
      ? { dayOfMonth: [day - 2], dayOfWeek: [FRIDAY] }
      : { dayOfMonth: [day + 1], dayOfWeek: [MONDAY] },
  ]
  return [{ dayOfMonth: [day], dayOfWeek: WORKDAYS }, saturdays, sundays]
}

const LAST = /^L(?:-(\d{1,2}))?(W)?$/i
const NEAREST = /^(\d{1,2})W$/i
const LAST_WEEKDAY = /^([A-Za-z\d]+)L$/i
const NTH_WEEKDAY = /^([A-Za-z\d]+)#(\d)$/

const MAX_BEFORE_LAST = 30
const MAX_WEEKS = 5
/** Days that every month has, with the one behind them. */
const IN_EVERY_MONTH = 27

/**
 * Days of the month as Quartz writes them: `L`, `L-3`, `LW`, `15W`, or plain values.
 *
 * @throws badRequest naming the field.
 */
export const quartzDaysOfMonth = (text: string): readonly Days[] => {
  const [isLast, before = '0', isWorkday] = LAST.exec(text) ?? []
  if (isLast !== undefined) {
    const offset = Number(before)
    if (offset > MAX_BEFORE_LAST)
      throw refuse(DAY_OF_MONTH, `"${text}" is more than ${MAX_BEFORE_LAST} days before the last`)
    return inEachMonth((length) => {
      const day = length - offset
      if (day < 1) return []
      return isWorkday ? nearestWorkday(day, length) : [{ dayOfMonth: [day] }]
    })
  }
  const [, nearest] = NEAREST.exec(text) ?? []
  if (nearest !== undefined) {
    const day = fieldValue(DAY_OF_MONTH, nearest)
    if (day <= IN_EVERY_MONTH) return nearestWorkday(day, 31)
    return inEachMonth((length) => (day <= length ? nearestWorkday(day, length) : []))
  }
  if (/[LW]/i.test(text)) throw refuse(DAY_OF_MONTH, `"${text}": L and W stand alone, in no list or range`)
  const dayOfMonth = restrictionOf(DAY_OF_MONTH, text, true)
  return [dayOfMonth ? { dayOfMonth } : {}]
}

/**
 * Days of the week as Quartz writes them, Sunday being 1: `L` (Saturday), `6L` (the last Friday of the month), `6#3`
 * (its third), or plain values.
 *
 * @throws badRequest naming the field.
 */
export const quartzDaysOfWeek = (text: string): readonly Days[] => {
  const weekday = (given: string): number => fieldValue(QUARTZ_WEEKDAY, given) - 1
  if (/^L$/i.test(text)) return [{ dayOfWeek: [SATURDAY] }]
  const [, last] = LAST_WEEKDAY.exec(text) ?? []
  if (last !== undefined)
    return inEachMonth((length) => [{ dayOfMonth: range(length - 6, length), dayOfWeek: [weekday(last)] }])
  const [, nth, count] = NTH_WEEKDAY.exec(text) ?? []
  if (nth !== undefined) {
    const week = Number(count)
    if (week < 1 || week > MAX_WEEKS)
      throw refuse(QUARTZ_WEEKDAY, `"${text}": a month has the weeks 1 to ${MAX_WEEKS}`)
    const dayOfMonth = range(7 * week - 6, Math.min(7 * week, 31))
    return [{ dayOfMonth, dayOfWeek: [weekday(nth)] }]
  }
  if (text.includes('#')) throw refuse(QUARTZ_WEEKDAY, `"${text}": # stands alone, in no list or range`)
  const dayOfWeek = restrictionOf(QUARTZ_WEEKDAY, text, true)
  return [dayOfWeek ? { dayOfWeek: dayOfWeek.map((day) => day - 1) } : {}]
}

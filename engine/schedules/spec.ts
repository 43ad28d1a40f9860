import type { CalendarSpec, ScheduleSpec } from '@temporalio/client'
import type { Calendar, Schedule } from '../../core/automation/schedules/index.js'

const MONTHS = [
  'JANUARY',
  'FEBRUARY',
  'MARCH',
  'APRIL',
  'MAY',
  'JUNE',
  'JULY',
  'AUGUST',
  'SEPTEMBER',
  'OCTOBER',
  'NOVEMBER',
  'DECEMBER',
] as const

const WEEKDAYS = ['SUNDAY', 'MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY'] as const

type Range = { start: number; end: number; step: number }

/** Values as ranges, which is how the engine keeps and shows them: one with a step, or one for each that follow on. */
export const rangesOf = (values: readonly number[]): Range[] => {
  const [start = 0, second = start] = values
  const end = values.at(-1) ?? start
  const step = second - start
  if (values.length > 2 && values.every((value, index) => value === start + index * step))
    return [{ start, end, step }]
  const ranges: Range[] = []
  for (const value of values) {
    const last = ranges.at(-1)
    if (last && value === last.end + 1) last.end = value
    else ranges.push({ start: value, end: value, step: 1 })
  }
  return ranges
}

const calendarSpec = ({ second, minute, hour, ...days }: Calendar): CalendarSpec => ({
  second: rangesOf(second),
  minute: rangesOf(minute),
  hour: rangesOf(hour),
  ...(days.dayOfMonth && { dayOfMonth: rangesOf(days.dayOfMonth) }),
  ...(days.month && { month: days.month.map((month) => MONTHS[month - 1]!) }),
  ...(days.dayOfWeek && { dayOfWeek: days.dayOfWeek.map((day) => WEEKDAYS[day]!) }),
  ...(days.year && { year: rangesOf(days.year) }),
})

/** The times of a schedule in the engine's terms. */
export const scheduleSpec = ({ calendars, timezone }: Schedule): ScheduleSpec => ({
  calendars: calendars.map(calendarSpec),
  timezone,
})

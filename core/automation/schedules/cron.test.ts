import { describe, expect, test } from 'vitest'
import type { Calendar } from './calendar.js'
import { parseCron } from './cron.js'

const holds = (values: readonly number[] | undefined, value: number): boolean =>
  values === undefined || values.includes(value)

const isDayOf = (calendar: Calendar, day: Date): boolean =>
  holds(calendar.dayOfMonth, day.getUTCDate()) &&
  holds(calendar.month, day.getUTCMonth() + 1) &&
  holds(calendar.dayOfWeek, day.getUTCDay()) &&
  holds(calendar.year, day.getUTCFullYear())

const timesOf = ({ hour, minute, second }: Calendar): number[] =>
  hour.flatMap((h) => minute.flatMap((m) => second.map((s) => ((h * 60 + m) * 60 + s) * 1000)))

const DAY = 86_400_000

/** The first times from the beginning of 2024 on, by looking at each day. */
const firstTimes = (text: string, count: number): string[] => {
  const calendars = parseCron(text)
  const found: number[] = []
  for (let at = Date.UTC(2024, 0, 1); found.length < count && at < Date.UTC(2034, 0, 1); at += DAY) {
    const today = calendars
      .filter((calendar) => isDayOf(calendar, new Date(at)))
      .flatMap(timesOf)
      .map((time) => at + time)
    found.push(...[...new Set(today)].sort((a, b) => a - b))
  }
  return found.slice(0, count).map((time) => new Date(time).toISOString().replace('.000Z', ''))
}

describe('as Quartz has it', () => {
  test.each<[string, string[]]>([
    ['0 0/5 * * * ?', ['2024-01-01T00:00:00', '2024-01-01T00:05:00', '2024-01-01T00:10:00']],
    ['0 5/20 3 * * ?', ['2024-01-01T03:05:00', '2024-01-01T03:25:00', '2024-01-01T03:45:00']],
    ['*/30 0 12 ? * *', ['2024-01-01T12:00:00', '2024-01-01T12:00:30', '2024-01-02T12:00:00']],
    ['/45 0 12 * * *', ['2024-01-01T12:00:00', '2024-01-01T12:00:45', '2024-01-02T12:00:00']],
    ['0 15 10 ? * MON-FRI', ['2024-01-01T10:15:00', '2024-01-02T10:15:00', '2024-01-03T10:15:00']],
    ['0 15 10 ? * 1', ['2024-01-07T10:15:00', '2024-01-14T10:15:00']],
    ['0 15 10 ? * fri-mon', ['2024-01-01T10:15:00', '2024-01-05T10:15:00', '2024-01-06T10:15:00']],
    ['0 15 10 ? * 6#3', ['2024-01-19T10:15:00', '2024-02-16T10:15:00']],
    ['0 15 10 ? * FRI#5', ['2024-03-29T10:15:00', '2024-05-31T10:15:00']],
    ['0 15 10 ? * 6L', ['2024-01-26T10:15:00', '2024-02-23T10:15:00', '2024-03-29T10:15:00']],
    ['0 0 0 ? * L', ['2024-01-06T00:00:00', '2024-01-13T00:00:00']],
    ['0 0 0 L * ?', ['2024-01-31T00:00:00', '2024-02-29T00:00:00', '2024-03-31T00:00:00']],
    ['0 0 0 L 2 ?', ['2024-02-29T00:00:00', '2025-02-28T00:00:00']],
    ['0 0 0 L-3 * ?', ['2024-01-28T00:00:00', '2024-02-26T00:00:00']],
    // 30 June 2024 was a Sunday, 31 August a Saturday.
    ['0 0 0 LW 6-8 ?', ['2024-06-28T00:00:00', '2024-07-31T00:00:00', '2024-08-30T00:00:00']],
    // 15 June 2024 was a Saturday, 15 September a Sunday.
    ['0 0 0 15W 6/3 ?', ['2024-06-14T00:00:00', '2024-09-16T00:00:00', '2024-12-16T00:00:00']],
    // 1 June 2024 was a Saturday: the nearest workday within the month.
    ['0 0 0 1W 6 ?', ['2024-06-03T00:00:00', '2025-06-02T00:00:00']],
    ['0 0 0 31W * ?', ['2024-01-31T00:00:00', '2024-03-29T00:00:00', '2024-05-31T00:00:00']],
    ['0 0 22-2/2 * * ?', ['2024-01-01T00:00:00', '2024-01-01T02:00:00', '2024-01-01T22:00:00']],
    ['0 0 12 1,15 NOV-FEB ?', ['2024-01-01T12:00:00', '2024-01-15T12:00:00', '2024-02-01T12:00:00']],
    ['0 0 12 1 1 ? 2025/2', ['2025-01-01T12:00:00', '2027-01-01T12:00:00']],
    ['0 0 0 29 2 ? 2025-2030', ['2028-02-29T00:00:00']],
    ['59 59 23 31 12 ? 2024', ['2024-12-31T23:59:59']],
  ])('%s', (text, times) => {
    expect(firstTimes(text, times.length)).toEqual(times)
  })
})

describe('as Unix has it', () => {
  test.each<[string, string[]]>([
    ['*/15 * * * *', ['2024-01-01T00:00:00', '2024-01-01T00:15:00']],
    ['0 3 * * *', ['2024-01-01T03:00:00', '2024-01-02T03:00:00']],
    ['30 4 * * 1-5', ['2024-01-01T04:30:00', '2024-01-02T04:30:00']],
    ['0 0 * * 0', ['2024-01-07T00:00:00', '2024-01-14T00:00:00']],
    ['0 0 * * 7', ['2024-01-07T00:00:00', '2024-01-14T00:00:00']],
    ['0 0 * * 5-7', ['2024-01-05T00:00:00', '2024-01-06T00:00:00', '2024-01-07T00:00:00']],
    ['0 0 * jan,mar mon', ['2024-01-01T00:00:00', '2024-01-08T00:00:00']],
    // Either kind of day will do when both are given.
    ['0 0 13 * 5', ['2024-01-05T00:00:00', '2024-01-12T00:00:00', '2024-01-13T00:00:00']],
    // Not when one begins with a star.
    ['0 0 */2 * 5', ['2024-01-05T00:00:00', '2024-01-19T00:00:00']],
  ])('%s', (text, times) => {
    expect(firstTimes(text, times.length)).toEqual(times)
  })
})

test.each([
  ['', /expected 5 fields/],
  ['* * *', /found 3/],
  ['0 0 0 0 0 0 0 0', /found 8/],
  ['60 * * * *', /^minute: expected 0 to 59, found "60"/],
  ['x * * * *', /^minute: .*"x"/],
  ['5- * * * *', /^minute: "5-" cannot be understood/],
  ['1,,2 * * * *', /^minute: "" cannot be understood/],
  ['*/0 * * * *', /^minute: the step of "\*\/0" must be 1 to 59/],
  ['30-10 * * * *', /^minute: "30-10" ends before it begins/],
  ['* 24 * * *', /^hour: expected 0 to 23/],
  ['* * L * *', /^day of month: expected 1 to 31, found "L"/],
  ['* * * 13 *', /^month: expected 1 to 12 or a name, found "13"/],
  ['* * * * 8', /^day of week: expected 0 to 7 or a name/],
  ['* * * * 5#3', /^day of week: "5#3" cannot be understood/],
  ['0 0 0 30 2 *', /^day of month: there is no such day/],
  ['0 0 30 2 *', /^day of month: there is no such day/],
  ['0 0 0 29 2 ? 2025', /^day of month: there is no such day/],
  ['61 0 0 * * ?', /^second: expected 0 to 59/],
  ['0 0 0 ? * 0', /^day of week: expected 1 to 7/],
  ['0 0 0 1 * MON', /^day of month: one of day of month \("1"\) and day of week \("MON"\) must be \?/],
  ['0 0 0 ? * ?', /must be \?/],
  ['0 0 0 1W,15W * ?', /^day of month: "1W,15W": L and W stand alone/],
  ['0 0 0 L-31 * ?', /^day of month: "L-31" is more than 30 days/],
  ['0 0 0 32W * ?', /^day of month: expected 1 to 31/],
  ['0 0 0 ? * 2#6', /^day of week: "2#6": a month has the weeks 1 to 5/],
  ['0 0 0 ? * 2#1,3#1', /^day of week: "2#1,3#1": # stands alone/],
  ['0 0 0 ? * FOOL', /^day of week: expected 1 to 7 or a name, found "FOO"/],
  ['0 0 0 * * ? 1999', /^year: expected 2000 to 2099/],
  ['0 0 0 * * ? 2030-2020', /^year: "2030-2020" ends before it begins/],
])('is refused with the field: %j', (text, message) => {
  expect(() => parseCron(text)).toThrow(message)
})

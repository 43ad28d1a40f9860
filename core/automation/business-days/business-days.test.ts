import { describe, expect, test } from 'vitest'
import { mergeContributions } from '../../platform/contributions/index.js'
import { businessDaysRegistry, durationsPoint, holidayCalendarsPoint } from './index.js'

const CONFIGURED = `
holidayCalendars:
  default: { dates: [2026-12-24, 12-31] }
  bavaria: { country: DE, state: BY, timezone: Europe/Berlin }
  brazil: { country: BR, timezone: America/Sao_Paulo }
  bench: { country: GB, state: ENG, types: [public, bank], except: [2026-12-25], timezone: Europe/London }
  gulf: { weekend: [friday, saturday] }
durations:
  none: { numberOfDays: 0 }
  one: { numberOfDays: 1 }
  five: { numberOfDays: 5 }
  year: { numberOfDays: 261, calendar: bavaria }
  bavarian: { numberOfDays: 1, calendar: bavaria }
  brazilian: { numberOfDays: 1, calendar: brazil }
  british: { numberOfDays: 1, calendar: bench }
  gulf: { numberOfDays: 1, calendar: gulf }
  tokyo: { numberOfDays: 1, timezone: Asia/Tokyo }
`

const points = [durationsPoint, holidayCalendarsPoint]
const merged = (text: string) => mergeContributions([{ file: 'a.yaml', text }], points)

const { limitDate } = businessDaysRegistry.build(merged(CONFIGURED), {
  get: () => {
    throw new Error('it asks for no other registry')
  },
})

describe('the last day of a duration', () => {
  test.each<[string, string | number, string, string | null]>([
    ['a Friday is followed by Monday', 'one', '2026-11-20T15:00:00Z', '2026-11-23T00:00:00Z'],
    ['a week of work is a week', 'five', '2026-11-18T00:00:00Z', '2026-11-25T00:00:00Z'],
    ['none is midnight of the day, on a weekend too', 'none', '2026-11-21T23:59:59Z', '2026-11-21T00:00:00Z'],
    ['from a Sunday', 'one', '2026-11-22T08:00:00Z', '2026-11-23T00:00:00Z'],
    ['a number of days', 5, '2026-11-18T00:00:00Z', '2026-11-25T00:00:00Z'],
    ['a label that nobody contributes', 'nine', '2026-11-18T00:00:00Z', null],
    ['a date of one year', 'one', '2026-12-23T00:00:00Z', '2026-12-25T00:00:00Z'],
    ['a date of every year', 'one', '2027-12-30T00:00:00Z', '2028-01-03T00:00:00Z'],
    ['29 February', 'one', '2028-02-28T12:00:00Z', '2028-02-29T00:00:00Z'],
    ['28 February of another year', 'one', '2025-02-28T12:00:00Z', '2025-03-03T00:00:00Z'],
    ['Christmas of a country', 'bavarian', '2026-12-24T10:00:00Z', '2026-12-27T23:00:00Z'],
    ['a holiday of a state alone', 'bavarian', '2027-01-05T10:00:00Z', '2027-01-06T23:00:00Z'],
    ['the day is that of the zone', 'bavarian', '2026-11-18T23:30:00Z', '2026-11-19T23:00:00Z'],
    ['clocks go forward in between', 'bavarian', '2026-03-27T10:00:00Z', '2026-03-29T22:00:00Z'],
    ['clocks go back in between', 'bavarian', '2026-10-23T10:00:00Z', '2026-10-25T23:00:00Z'],
    ['a midnight that clocks leave out', 'brazilian', '2017-10-13T12:00:00Z', '2017-10-16T02:00:00Z'],
    [
      'a holiday that is moved, and one that is worked',
      'british',
      '2026-12-24T12:00:00Z',
      '2026-12-25T00:00:00Z',
    ],
    ['the substitute of a holiday', 'british', '2026-12-25T12:00:00Z', '2026-12-29T00:00:00Z'],
    ['another weekend', 'gulf', '2026-11-19T12:00:00Z', '2026-11-22T00:00:00Z'],
    ['a zone of its own', 'tokyo', '2026-11-18T16:00:00Z', '2026-11-19T15:00:00Z'],
    ['a year of work', 'year', '2026-01-01T12:00:00Z', '2027-01-14T23:00:00Z'],
  ])('%s', (_, duration, from, expected) => {
    expect(limitDate(duration, new Date(from))).toEqual(expected === null ? null : new Date(expected))
  })

  test.each([
    [-1, '2026-01-01', /-1 is no number of business days/],
    [1.5, '2026-01-01', /1.5 is no number/],
    [1, 'never', /begin at no date/],
  ])('of %d from %s is refused', (duration, from, message) => {
    expect(() => limitDate(duration, new Date(from))).toThrow(message)
  })
})

test.each([
  ['durations: { a: { numberOfDays: -1 } }', /numberOfDays/],
  ['durations: { a: { numberOfDays: 1, calendar: none } }', /none/],
  ['durations: { a: { numberOfDays: 1, timezone: Europe/Nowhere } }', /there is no such time zone/],
  ['holidayCalendars: { a: { country: XX } }', /no holidays are known of "XX"/],
  ['holidayCalendars: { a: { country: DE, state: XY } }', /no holidays are known of "XY"/],
  ['holidayCalendars: { a: { dates: [2026-02-30] } }', /is no day/],
  [
    'holidayCalendars: { a: { weekend: [monday, tuesday, wednesday, thursday, friday, saturday, sunday] } }',
    /leaves no day to work/,
  ],
])('%s is refused', (text, message) => {
  expect(() => merged(text)).toThrow(message)
})

import { z } from 'zod'
import { defineExtensionPoint, type Finding, suggestion } from '../../platform/contributions/index.js'
import { knownPlaces } from './country-holidays.js'
import { DEFAULT_CALENDAR } from './durations-point.js'
import { csvFileForm } from './holidays-xml.js'
import { isZone } from './local-day.js'

export const WEEKDAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const

const DAY = /^(\d{4}-)?(\d{2})-(\d{2})$/

/** Whether a text is a day of some year, or of every year: `2026-12-24`, `12-24`. */
const isDay = (text: string): boolean => {
  const [, year = '2000-', month, day] = DAY.exec(text) ?? []
  const written = `${year}${month}-${day}`
  const date = new Date(`${written}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(written)
}

const day = z.string().refine(isDay, 'is no day; one is written 2026-12-24, or 12-24 for that of every year')

const content = z.strictObject({
  country: z.string().optional().describe('Holidays of a country, by its ISO 3166-1 code: DE'),
  state: z.string().optional().describe('and of a state of it, by its ISO 3166-2 code: BY'),
  region: z.string().optional().describe('and of a region of that'),
  types: z
    .array(z.enum(['public', 'bank', 'optional', 'school', 'observance']))
    .default(['public'])
    .describe('Which of their holidays are free'),
  dates: z.array(day).default([]).describe('Further days that are free'),
  except: z.array(day).default([]).describe('Days on which work is done all the same'),
  weekend: z.array(z.enum(WEEKDAYS)).default(['saturday', 'sunday']).describe('Free days of each week'),
  timezone: z
    .string()
    .refine(isZone, 'there is no such time zone; one is named like Europe/Berlin or UTC')
    .default('UTC'),
})

export type HolidayCalendar = z.output<typeof content>

/** What is wrong with the place whose holidays a calendar takes. */
const placeFindings = ({ country, state, region }: HolidayCalendar): Finding[] => {
  const given = Object.entries({ country, state, region }).filter(([, code]) => code !== undefined)
  const above: string[] = []
  for (const [level, code] of given as [string, string][]) {
    const known = knownPlaces(above)
    if (!known.includes(code))
      return [{ path: [level], message: `no holidays are known of "${code}"${suggestion(code, known)}` }]
    above.push(code)
  }
  const isComplete =
    (region === undefined || state !== undefined) && (state === undefined || country !== undefined)
  return isComplete
    ? []
    : [{ path: ['country'], message: 'is missing: a state is one of a country, a region one of a state' }]
}

/** Which days are free; durations that name no calendar go by the one called `default` (workflow-audit.md §8). */
export const holidayCalendarsPoint = defineExtensionPoint({
  point: 'holidayCalendars',
  schema: content,
  elements: { csvFile: { defaultName: DEFAULT_CALENDAR, read: csvFileForm } },
  check: (calendar) => [
    ...placeFindings(calendar),
    ...(calendar.weekend.length < WEEKDAYS.length
      ? []
      : [{ path: ['weekend'], message: 'leaves no day to work' }]),
  ],
})

import { createRequire } from 'node:module'
import type Holidays from 'date-holidays'
import type { HolidaysTypes } from 'date-holidays'
import { LRUCache } from 'lru-cache'

/** A place whose holidays are known, and which of them count. */
export type Place = {
  country: string
  state?: string | undefined
  region?: string | undefined
  types: readonly HolidaysTypes.HolidayType[]
}

const DAY_MS = 24 * 60 * 60 * 1000
const NOON_MS = DAY_MS / 2

/** The holidays of all countries are 8 MiB of memory, which a process has once it is asked for any. */
const loadHolidays = (): typeof Holidays => createRequire(import.meta.url)('date-holidays')

/** Codes of the countries, of a country's states, or of a state's regions. */
export const knownPlaces = ([country, state]: readonly string[]): readonly string[] => {
  const catalogue = new (loadHolidays())()
  const known =
    country === undefined
      ? catalogue.getCountries()
      : state === undefined
        ? catalogue.getStates(country)
        : catalogue.getRegions(country, state)
  return Object.keys(known ?? {})
}

/** Days whose noon is in a holiday: one may begin in the evening before, and may be longer than a day. */
const daysOf = ({ date, start, end }: HolidaysTypes.Holiday): string[] => {
  const begin = Date.parse(`${date.slice(0, 10)}T${date.slice(11, 19)}Z`)
  const stop = begin + end.getTime() - start.getTime()
  const days: string[] = []
  for (let day = begin - (begin % DAY_MS); day + NOON_MS < stop; day += DAY_MS)
    if (day + NOON_MS >= begin) days.push(new Date(day).toISOString().slice(0, 10))
  return days
}

/** Each year of a place takes milliseconds to compute, whatever is deployed meanwhile. */
const computed = new LRUCache<string, ReadonlySet<string>>({ max: 500 })

/** Says of a day, written 2026-12-24, whether it is a holiday of a place. */
export const holidaysOf = ({
  country,
  state = '',
  region = '',
  types,
}: Place): ((day: string) => boolean) => {
  const holidays = new (loadHolidays())(country, state, region, { types: [...types] })
  const place = JSON.stringify([country, state, region, types])
  const ofYear = (year: string): ReadonlySet<string> => {
    const key = `${year} ${place}`
    const days = computed.get(key) ?? new Set(holidays.getHolidays(year).flatMap(daysOf))
    computed.set(key, days)
    return days
  }
  return (day) => ofYear(day.slice(0, 4)).has(day)
}

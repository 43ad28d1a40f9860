import { LRUCache } from 'lru-cache'

const OFFSET = /^([+-])(\d{2})(?::?(\d{2}))?$/

/** Minutes east of UTC of a zone that is written as an offset, `+02:00`; undefined for one with a name. */
const fixedOffset = (zone: string): number | undefined => {
  const [, sign, hours, minutes = '0'] = OFFSET.exec(zone) ?? []
  if (hours === undefined) return undefined
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

const MINUTE = 60_000

// Zones come from callers, in any case: there are more spellings than zones.
const formatters = new LRUCache<string, Intl.DateTimeFormat>({ max: 500 })

const formatterOf = (zone: string): Intl.DateTimeFormat => {
  const known = formatters.get(zone)
  if (known) return known
  const formatter = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
  formatters.set(zone, formatter)
  return formatter
}

/** Milliseconds that the clocks of a zone are ahead of UTC at an instant. */
const offsetAt = (instant: number, zone: string): number => {
  const fixed = fixedOffset(zone)
  if (fixed !== undefined) return fixed * MINUTE
  const parts = formatterOf(zone).formatToParts(instant)
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  return (fixedOffset(name.replace('GMT', '')) ?? 0) * MINUTE
}

export const isTimeZone = (zone: string): boolean => {
  if (fixedOffset(zone) !== undefined) return true
  try {
    formatterOf(zone)
    return true
  } catch {
    return false
  }
}

/** What the clocks of a zone show at an instant, as a date whose UTC fields are theirs. */
export const toLocal = (instant: Date, zone: string): Date =>
  new Date(instant.getTime() + offsetAt(instant.getTime(), zone))

/** The instant at which the clocks of a zone show this; for an hour that they skip, the instant after it. */
export const fromLocal = (local: Date, zone: string): Date => {
  const estimate = local.getTime() - offsetAt(local.getTime(), zone)
  return new Date(local.getTime() - offsetAt(estimate, zone))
}

import { DateTime, IANAZone } from 'luxon'

/** Whether a name is that of a time zone of the tz database. */
export const isZone = (name: string): boolean => IANAZone.isValidZone(name)

/**
 * The midnight with which a day begins: the first moment of it, where a change of clocks leaves midnight out.
 *
 * @param days after the day of `from`, counted in the zone.
 */
export const dayFrom = (from: Date, { zone, days }: { zone: string; days: number }): Date =>
  localDay(from, zone).plus({ days }).startOf('day').toJSDate()

/** The day of a moment as a date without a zone: noon, which exists on every day. */
export const localDay = (from: Date, zone: string): DateTime =>
  DateTime.fromJSDate(from, { zone }).set({ hour: 12, minute: 0, second: 0, millisecond: 0 })

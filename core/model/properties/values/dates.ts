const DATE =
  /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?)?)?(Z|[+-]\d{2}:?\d{2})?$/

/**
 * Normalises a W3C date to UTC with milliseconds, `2015-07-01T08:00:00.000Z`; no zone means UTC. Undefined
 * for text that is no date, or one that does not exist.
 */
export const normalizeDate = (text: string): string | undefined => {
  const match = DATE.exec(text)
  if (!match) return undefined
  const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00', fraction = '', zone] =
    match
  const written = `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}Z`
  if (text === written) return exists(written) ? written : undefined
  if (!exists(written)) return undefined
  const offset = offsetMinutes(zone)
  return offset === undefined ? undefined : dateOf(Date.parse(written) - offset * 60_000)
}

/** ISO text of an instant in milliseconds; undefined outside the years 0000 to 9999, which sort as text. */
export const dateOf = (millis: number): string | undefined => {
  const date = new Date(millis)
  if (Number.isNaN(date.getTime())) return undefined
  const text = date.toISOString()
  return text.length === 24 ? text : undefined
}

/** The 30th of February parses, as the 2nd of March. */
const exists = (written: string): boolean => dateOf(Date.parse(written)) === written

const offsetMinutes = (zone: string | undefined): number | undefined => {
  if (zone === undefined || zone === 'Z') return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(-2))
  if (hours > 18 || minutes > 59) return undefined
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)
}

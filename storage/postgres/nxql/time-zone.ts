const OFFSET = /^([+-])(\d{2}(?::?\d{2})?)$/

/** A zone as Postgres takes it: the sign of an offset counts westwards there. */
export const timeZoneText = (zone: string): string => {
  const [, sign, offset] = OFFSET.exec(zone) ?? []
  return sign === undefined ? zone : `${sign === '-' ? '+' : '-'}${offset}`
}

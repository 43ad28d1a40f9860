const PERIOD =
  /^([+-]?)P(?=.)(?:([+-]?\d{1,6})Y)?(?:([+-]?\d{1,6})M)?(?:([+-]?\d{1,6})W)?(?:([+-]?\d{1,6})D)?(?:T(?=.)(?:([+-]?\d{1,9})H)?(?:([+-]?\d{1,9})M)?(?:([+-]?\d{1,9})(?:\.(\d{1,3})\d*)?S)?)?$/

/** Months keep the day of the month as far as it exists: 31 March minus a month is 28 or 29 February. */
const addMonths = (date: Date, months: number): Date => {
  const moved = new Date(date)
  moved.setUTCDate(1)
  moved.setUTCMonth(moved.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate()
  moved.setUTCDate(Math.min(date.getUTCDate(), lastDay))
  return moved
}

/** Adds a signed ISO 8601 period such as `-P1DT2H`; undefined when the text is none. Milliseconds since 1970. */
export const addPeriod = (start: Date, period: string): number | undefined => {
  const match = PERIOD.exec(period)
  if (!match) return undefined
  const sign = match[1] === '-' ? -1 : 1
  const [years, months, weeks, days, hours, minutes, seconds] = match
    .slice(2, 9)
    .map((amount) => Number(amount ?? 0)) as [number, number, number, number, number, number, number]
  const fraction = Number((match[9] ?? '').padEnd(3, '0')) * (match[8]?.startsWith('-') ? -1 : 1)
  const time = ((days + 7 * weeks) * 24 + hours) * 3_600_000 + minutes * 60_000 + seconds * 1_000 + fraction
  return addMonths(start, sign * (12 * years + months)).getTime() + sign * time
}

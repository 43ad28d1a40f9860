/**
 * Times at which all fields hold, in some time zone; of several calendars the times of each count. What is absent
 * holds always.
 */
export type Calendar = {
  second: readonly number[]
  minute: readonly number[]
  hour: readonly number[]
  /** 1 to 31. */
  dayOfMonth?: readonly number[]
  /** 1 to 12. */
  month?: readonly number[]
  /** 0 (Sunday) to 6. */
  dayOfWeek?: readonly number[]
  year?: readonly number[]
}

/** The days of a calendar. */
export type Days = Pick<Calendar, 'dayOfMonth' | 'month' | 'dayOfWeek' | 'year'>

/** First and last year that a schedule can name: the engine counts no further. */
export const FIRST_YEAR = 2000
export const LAST_YEAR = 2099

export const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)

const YEARS = range(FIRST_YEAR, LAST_YEAR)

/** Months by their length, February twice: what is counted from the end of a month is another day in each. */
export const MONTHS: readonly { length: number; months: readonly number[]; years?: readonly number[] }[] = [
  { length: 31, months: [1, 3, 5, 7, 8, 10, 12] },
  { length: 30, months: [4, 6, 9, 11] },
  { length: 28, months: [2], years: YEARS.filter((year) => !isLeap(year)) },
  { length: 29, months: [2], years: YEARS.filter(isLeap) },
]

const common = (
  some: readonly number[] | undefined,
  others: readonly number[] | undefined,
): readonly number[] | undefined =>
  some && others ? some.filter((value) => others.includes(value)) : (some ?? others)

/** The days that are in both; undefined when there is none. */
export const daysInBoth = (some: Days, others: Days): Days | undefined => {
  const fields = (['dayOfMonth', 'month', 'dayOfWeek', 'year'] as const).map(
    (field) => [field, common(some[field], others[field])] as const,
  )
  if (fields.some(([, values]) => values?.length === 0)) return undefined
  const days: Days = Object.fromEntries(fields.filter(([, values]) => values))
  return hasDay(days) ? days : undefined
}

const hasDay = ({ dayOfMonth, month, year }: Days): boolean =>
  MONTHS.some(
    ({ length, months, years }) =>
      (dayOfMonth ?? [1]).some((day) => day <= length) &&
      (month ?? months).some((one) => months.includes(one)) &&
      (!years || !year || year.some((one) => years.includes(one))),
  )

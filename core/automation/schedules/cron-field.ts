import { fail } from '../../platform/errors/index.js'
import { FIRST_YEAR, LAST_YEAR, range } from './calendar.js'

/** A field of a cron expression: what messages call it, and what may stand in it. */
export type CronField = {
  name: string
  first: number
  last: number
  /** Names of the values from the first on. */
  names?: readonly string[]
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

export const SECOND: CronField = { name: 'second', first: 0, last: 59 }
export const MINUTE: CronField = { name: 'minute', first: 0, last: 59 }
export const HOUR: CronField = { name: 'hour', first: 0, last: 23 }
export const DAY_OF_MONTH: CronField = { name: 'day of month', first: 1, last: 31 }
export const MONTH: CronField = { name: 'month', first: 1, last: 12, names: MONTHS }
export const YEAR: CronField = { name: 'year', first: FIRST_YEAR, last: LAST_YEAR }
/** With Sunday as 1, as Quartz counts. */
export const QUARTZ_WEEKDAY: CronField = { name: 'day of week', first: 1, last: 7, names: WEEKDAYS }
/** With Sunday as 0 and as 7, as Unix counts. */
export const UNIX_WEEKDAY: CronField = { name: 'day of week', first: 0, last: 7, names: WEEKDAYS }

export const refuse = ({ name }: CronField, message: string) => fail('badRequest', `${name}: ${message}`)

/** One value, by number or name. @throws badRequest naming the field. */
export const fieldValue = (field: CronField, text: string): number => {
  const { first, last, names } = field
  const named = names?.indexOf(text.toUpperCase()) ?? -1
  if (named >= 0) return first + named
  const value = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN
  if (value >= first && value <= last) return value
  throw refuse(field, `expected ${first} to ${last}${names ? ' or a name' : ''}, found "${text}"`)
}

const ITEM = /^(?:(\*)|([A-Za-z\d]+)(?:-([A-Za-z\d]+))?)?(?:\/(\d{1,4}))?$/

const valuesOfItem = (field: CronField, text: string, mayWrap: boolean): readonly number[] => {
  const { first, last } = field
  const [found, all, from, to, steps] = ITEM.exec(text) ?? []
  if (found === undefined || found === '') throw refuse(field, `"${text}" cannot be understood`)
  const step = steps === undefined ? 1 : Number(steps)
  if (step < 1 || step > last) throw refuse(field, `the step of "${text}" must be 1 to ${last}`)
  const begin = all || from === undefined ? first : fieldValue(field, from)
  const isOne = from !== undefined && to === undefined && steps === undefined
  const end = isOne ? begin : to === undefined ? last : fieldValue(field, to)
  if (begin <= end) return range(begin, end).filter((value) => (value - begin) % step === 0)
  if (!mayWrap) throw refuse(field, `"${text}" ends before it begins`)
  const around = [...range(begin, last), ...range(first, end)]
  return around.filter((_, index) => index % step === 0)
}

/**
 * The values that a field names, in order: `*`, values, ranges, steps and lists of them.
 *
 * @param mayWrap whether a range may go on at the beginning, as `FRI-MON` does.
 * @throws badRequest naming the field.
 */
export const valuesOf = (field: CronField, text: string, mayWrap: boolean): readonly number[] => {
  const values = text.split(',').flatMap((item) => valuesOfItem(field, item, mayWrap))
  return [...new Set(values)].sort((a, b) => a - b)
}

/** The values of a field; undefined when it holds always. @throws badRequest naming the field. */
export const restrictionOf = (
  field: CronField,
  text: string,
  mayWrap: boolean,
): readonly number[] | undefined => (text === '*' ? undefined : valuesOf(field, text, mayWrap))

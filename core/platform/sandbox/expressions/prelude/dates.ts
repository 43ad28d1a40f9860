/**
 * Sandbox code: `CurrentDate` (reference: automation.md §7), all in UTC. Each step returns a new object, so steps chain.
 * `month` counts from 0, as the reference's calendar does.
 */
export const DATES = `
const pad = (value, width) => String(value).padStart(width, '0')
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October',
  'November', 'December']
const name = (text, width) => (width > 3 ? text : text.slice(0, 3))
const dayOfYear = (d) => Math.floor((d - Date.UTC(d.getUTCFullYear(), 0, 1)) / 86400000) + 1
const FIELDS = {
  y: (d, n) => (n === 2 ? pad(d.getUTCFullYear() % 100, 2) : pad(d.getUTCFullYear(), n)),
  M: (d, n) => (n > 2 ? name(MONTHS[d.getUTCMonth()], n) : pad(d.getUTCMonth() + 1, n)),
  d: (d, n) => pad(d.getUTCDate(), n),
  D: (d, n) => pad(dayOfYear(d), n),
  E: (d, n) => name(DAYS[d.getUTCDay()], n),
  u: (d, n) => pad(d.getUTCDay() || 7, n),
  a: (d) => (d.getUTCHours() < 12 ? 'AM' : 'PM'),
  H: (d, n) => pad(d.getUTCHours(), n),
  k: (d, n) => pad(d.getUTCHours() || 24, n),
  K: (d, n) => pad(d.getUTCHours() % 12, n),
  h: (d, n) => pad(d.getUTCHours() % 12 || 12, n),
  m: (d, n) => pad(d.getUTCMinutes(), n),
  s: (d, n) => pad(d.getUTCSeconds(), n),
  S: (d, n) => pad(d.getUTCMilliseconds(), n),
  z: () => 'UTC',
  Z: () => '+0000',
  X: () => 'Z',
}
const formatDate = (date, pattern) => {
  let text = ''
  for (let at = 0; at < pattern.length; ) {
    const char = pattern[at]
    let end = at + 1
    if (char === "'") {
      const close = pattern.indexOf("'", end)
      if (close < 0) throw new RangeError("the date pattern " + pattern + " has an unclosed quote")
      text += close === end ? "'" : pattern.slice(end, close)
      at = close + 1
      continue
    }
    while (pattern[end] === char) end++
    const isLetter = (char >= 'A' && char <= 'Z') || (char >= 'a' && char <= 'z')
    if (isLetter && !Object.hasOwn(FIELDS, char)) throw new RangeError('the date pattern ' + pattern + ' has an unknown letter ' + char)
    text += isLetter ? FIELDS[char](date, end - at) : pattern.slice(at, end)
    at = end
  }
  return text
}
const timestamp = (date) => "TIMESTAMP '" + formatDate(date, 'yyyy-MM-dd HH:mm:ss.SSS') + "'"

const currentDates = new WeakMap()
const dateWrapper = (time) => {
  const date = new Date(time)
  const plus = (ms) => (count) => dateWrapper(time + count * ms)
  const plusMonths = (factor) => (count) => {
    const target = new Date(time)
    target.setUTCDate(1)
    target.setUTCMonth(target.getUTCMonth() + count * factor)
    const lastDay = new Date(Date.UTC(target.getUTCFullYear(), target.getUTCMonth() + 1, 0)).getUTCDate()
    target.setUTCDate(Math.min(date.getUTCDate(), lastDay))
    return dateWrapper(target.getTime())
  }
  const wrapper = {
    days: plus(86400000), weeks: plus(604800000), hours: plus(3600000), minutes: plus(60000), seconds: plus(1000),
    months: plusMonths(1), years: plusMonths(12),
    businessDays: (duration) => {
      const limit = ask('BusinessDaysService.getLimitDate', [duration, new Date(time)])
      return limit === null ? null : dateWrapper(limit.getTime())
    },
    format: (pattern) => formatDate(date, String(pattern)),
    get date() { return new Date(time) },
    get calendar() { return new Date(time) },
    time, year: date.getUTCFullYear(), month: date.getUTCMonth(), day: date.getUTCDate(),
    hour: date.getUTCHours(), minute: date.getUTCMinutes(), second: date.getUTCSeconds(),
    toString: () => timestamp(date), valueOf: () => time,
    [Symbol.toPrimitive]: (hint) => (hint === 'number' ? time : timestamp(date)),
  }
  currentDates.set(wrapper, time)
  return Object.freeze(wrapper)
}
`

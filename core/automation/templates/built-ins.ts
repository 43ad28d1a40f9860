/** Sandbox code that every template needs: `$f`, in which built-ins find each other. */
export const RUNTIME = `
const $text = (v) => $mvel.text(v)
const $get = (o, k) => (o === null || o === undefined ? null : Array.isArray(o) && typeof k === 'string' && /^[0-9]+$/.test(k) ? o[Number(k)] : (o[k] ?? null))
const $slice = (v, from, to) => (to < from ? v.slice(0, 0) : v.slice(from, to + 1))
const $range = (from, to) => {
  if (Math.abs(to - from) > 1e6) throw new RangeError('the range is too long')
  const list = []
  for (let at = from; from <= to ? at <= to : at >= to; at += from <= to ? 1 : -1) list.push(at)
  return list
}
const $moment = (v) => (v !== null && typeof v === 'object' ? Number(v) : NaN)
const $compare = (a, b) => {
  const [x, y] = [$moment(a), $moment(b)]
  if (!Number.isNaN(x) || !Number.isNaN(y)) return (Number.isNaN(x) ? Date.parse(a) : x) - (Number.isNaN(y) ? Date.parse(b) : y)
  return a < b ? -1 : a > b ? 1 : a === b ? 0 : NaN
}
const $add = (a, b) => {
  if (typeof a === 'number' && typeof b === 'number') return a + b
  if (Array.isArray(a) && Array.isArray(b)) return [...a, ...b]
  const maps = [a, b].every((v) => v !== null && typeof v === 'object' && Object.getPrototypeOf(v) === Object.prototype)
  return maps ? { ...a, ...b } : $text(a) + $text(b)
}
const $number = (v, what) => {
  if (typeof v !== 'number') throw new TypeError($text(v) + ' is not a number, which ' + what + ' takes')
  return v
}
const $truth = (v) => {
  if (v === true || v === 'true') return true
  if (v === false || v === 'false' || v === null || v === undefined) return false
  throw new TypeError(JSON.stringify($text(v)) + ' is neither true nor false; ?has_content says whether there is something')
}
const $items = (v) => {
  if (v === null || v === undefined) return []
  if (Array.isArray(v)) return v
  if (typeof v[Symbol.iterator] === 'function' && typeof v !== 'string') return [...v]
  throw new TypeError($text(v) + ' is not a list')
}
const $entries = (v) => Object.entries(v ?? {})
const $has = (v) => !(v === null || v === undefined || v === '' || (Array.isArray(v) && v.length === 0) ||
  (typeof v === 'object' && Object.getPrototypeOf(v) === Object.prototype && Object.keys(v).length === 0))
`

const ESCAPED = `(v) => $text(v).replace(/[&<>"']/g, (c) => ({ '\\u0026': '\\u0026amp;', '<': '\\u0026lt;', '>': '\\u0026gt;', '"': '\\u0026quot;', "'": '\\u0026#39;' })[c])`
const SCRIPT_TEXT = `(v) => JSON.stringify($text(v)).slice(1, -1).replace(/'/g, "\\\\u0027").replace(/</g, '\\\\u003c').replace(/>/g, '\\\\u003e')`
const DATE = `(v) => new Date($mvel.time(v))`

/** Number patterns of Java as far as templates use them: grouping, and least and most digits behind the point. */
const NUMBER_TEXT = `(v, pattern) => {
  const [, head, whole, tail = '', end] = /^([^0#,.]*)([0#,]+)((?:\\.[0#]*)?)(.*)$/.exec(pattern) ?? []
  if (whole === undefined) throw new RangeError('the number pattern ' + pattern + ' has no digits')
  const factor = end.includes('%') ? 100 : 1
  const [integer, fraction = ''] = Math.abs(v * factor).toFixed(Math.max(0, tail.length - 1)).split(/[.]/)
  const least = (tail.match(/0/g) ?? []).length
  const kept = fraction.slice(0, least) + fraction.slice(least).replace(/0+$/, '')
  const digits = integer.padStart((whole.match(/0/g) ?? []).length, '0')
  const grouped = whole.includes(',') ? digits.replace(/\\B(?=(?:\\d{3})+$)/g, ',') : digits
  return (v < 0 ? '-' : '') + head + grouped + (kept === '' ? '' : '.' + kept) + end
}`

/**
 * Built-ins of FreeMarker (`value?name(arguments)`) as sandbox code. Those that look at a loop or at whether a
 * value is there are part of the notation: see `freemarker-code.ts`.
 */
export const BUILT_INS: { readonly [name: string]: string } = {
  abs: `(v) => Math.abs($number(v, '?abs'))`,
  c: `(v) => $text(v)`,
  cap_first: `(v) => $text(v).replace(/\\S/, (c) => c.toUpperCase())`,
  capitalize: `(v) => $text(v).toLowerCase().replace(/(^|\\s)(\\S)/g, (_, s, c) => s + c.toUpperCase())`,
  ceiling: `(v) => Math.ceil($number(v, '?ceiling'))`,
  chunk: `(v, size, filler) => {
  const rows = []
  for (let at = 0; at < v.length; at += size) rows.push(v.slice(at, at + size))
  if (filler !== undefined && rows.length > 0) while (rows.at(-1).length < size) rows.at(-1).push(filler)
  return rows
}`,
  contains: `(v, part) => $text(v).includes(part)`,
  date: DATE,
  datetime: DATE,
  ends_with: `(v, part) => $text(v).endsWith(part)`,
  first: `(v) => $items(v)[0] ?? null`,
  floor: `(v) => Math.floor($number(v, '?floor'))`,
  html: ESCAPED,
  index_of: `(v, part, from) => $text(v).indexOf(part, from)`,
  int: `(v) => Math.trunc($number(v, '?int'))`,
  is_boolean: `(v) => typeof v === 'boolean'`,
  is_date: `(v) => v instanceof Date`,
  is_hash: `(v) => v !== null && typeof v === 'object' && !Array.isArray(v)`,
  is_number: `(v) => typeof v === 'number'`,
  is_sequence: `(v) => Array.isArray(v)`,
  is_string: `(v) => typeof v === 'string'`,
  iso_utc: `(v) => new Date($mvel.time(v)).toISOString()`,
  j_string: SCRIPT_TEXT,
  join: `(v, separator, otherwise = '') => ($items(v).length === 0 ? otherwise : $items(v).map($text).join(separator))`,
  js_string: SCRIPT_TEXT,
  json_string: SCRIPT_TEXT,
  keys: `(v) => Object.keys(v)`,
  last: `(v) => $items(v).at(-1) ?? null`,
  last_index_of: `(v, part) => $text(v).lastIndexOf(part)`,
  left_pad: `(v, width, filler = ' ') => $text(v).padStart(width, filler)`,
  length: `(v) => $text(v).length`,
  long: `(v) => Math.trunc($number(v, '?long'))`,
  lower_case: `(v) => $text(v).toLowerCase()`,
  number: `(v) => {
  const number = Number($text(v))
  if ($text(v).trim() === '' || Number.isNaN(number)) throw new TypeError(JSON.stringify($text(v)) + ' is not a number')
  return number
}`,
  number_to_date: `(v) => new Date($number(v, '?number_to_date'))`,
  number_to_datetime: `(v) => new Date($number(v, '?number_to_datetime'))`,
  replace: `(v, from, to, flags = '') => flags.includes('r')
  ? $text(v).replace(new RegExp(from, (flags.includes('f') ? '' : 'g') + (flags.includes('i') ? 'i' : '')), to)
  : flags.includes('f') ? $text(v).replace(from, () => to) : $text(v).replaceAll(from, () => to)`,
  reverse: `(v) => [...$items(v)].reverse()`,
  right_pad: `(v, width, filler = ' ') => $text(v).padEnd(width, filler)`,
  round: `(v) => Math.floor($number(v, '?round') + 0.5)`,
  seq_contains: `(v, item) => $items(v).some((one) => $mvel.equal(one, item))`,
  seq_index_of: `(v, item) => $items(v).findIndex((one) => $mvel.equal(one, item))`,
  size: `(v) => (v !== null && typeof v === 'object' && !Array.isArray(v) ? Object.keys(v).length : $items(v).length)`,
  sort: `(v) => [...$items(v)].sort($compare)`,
  sort_by: `(v, key) => [...$items(v)].sort((a, b) => $compare($get(a, key), $get(b, key)))`,
  split: `(v, separator) => $text(v)['split'](separator)`,
  starts_with: `(v, part) => $text(v).startsWith(part)`,
  string: `(v, ...given) => {
  if (given.length === 0) return $text(v)
  if (given.length === 2) return $truth(v) ? given[0] : given[1]
  const [pattern] = given
  if (typeof v === 'number') return pattern === 'number' || pattern === 'computer' ? $text(v) : $numberText(v, pattern)
  if (typeof v === 'boolean') return $text(v)
  return $mvel.formatDate(v, pattern)
}`,
  substring: `(v, from, to) => $text(v).substring(from, to)`,
  choose: `(v, yes, no) => ($truth(v) ? yes : no)`,
  time: DATE,
  trim: `(v) => $text(v).trim()`,
  uncap_first: `(v) => $text(v).replace(/\\S/, (c) => c.toLowerCase())`,
  upper_case: `(v) => $text(v).toUpperCase()`,
  url: `(v) => encodeURIComponent($text(v))`,
  url_path: `(v) => $text(v).split('/').map(encodeURIComponent).join('/')`,
  values: `(v) => Object.values(v)`,
  word_list: `(v) => $text(v).split(/\\s+/).filter((word) => word !== '')`,
  xhtml: ESCAPED,
  xml: ESCAPED,
}

/** The definitions of those built-ins that a template uses. */
export const builtInsOf = (used: ReadonlySet<string>): string => {
  const entries = [...used].map((name) => `${name}: ${BUILT_INS[name]}`)
  const numbers = used.has('string') ? `const $numberText = ${NUMBER_TEXT}\n` : ''
  return `${numbers}const $f = { ${entries.join(',\n')} }\n`
}

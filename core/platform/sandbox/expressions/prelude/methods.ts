import { MVEL_FLAGS, MVEL_METHODS } from '../language/translate.js'

/**
 * Sandbox code: MVEL's equality and the Java methods that callers use on plain values. They hang on symbols
 * that only translated code names, so they never hide a key of the caller's data.
 */
export const METHODS = `
const time = (value) => (currentDates.has(value) ? currentDates.get(value) : value.getTime())
const isDate = (value) => value instanceof Date || currentDates.has(value)
const isObject = (value) => value !== null && typeof value === 'object'
const isDocument = (value) => isObject(value) && documents.has(value)
const empty = Object.freeze(Object.create(null))

const isEmpty = (value) => {
  if (value === null || value === undefined || value === false || value === 0) return true
  if (typeof value === 'string') return value.trim() === ''
  if (!isObject(value) || isDocument(value) || isDate(value)) return false
  if (value instanceof Map || value instanceof Set) return value.size === 0
  return Object.keys(value).length === 0
}

const equal = (a, b, depth = 0) => {
  if (depth > DEEPEST) throw new RangeError('the compared values are too deeply nested')
  if (a === empty) return isEmpty(b)
  if (b === empty) return isEmpty(a)
  if (!isObject(a) || !isObject(b)) return a == b
  if (isDocument(a) || isDocument(b)) return isDocument(a) && isDocument(b) && a.id === b.id
  if (isDate(a) || isDate(b)) return isDate(a) && isDate(b) && time(a) === time(b)
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && (!Array.isArray(a) || a.length === b.length) &&
    keys.every((key) => Object.hasOwn(b, key) && equal(a[key], b[key], depth + 1))
}

const size = (value) => {
  if (typeof value === 'string' || Array.isArray(value)) return value.length
  if (isObject(value)) return value instanceof Map || value instanceof Set ? value.size : Object.keys(value).length
  throw new TypeError('a ' + typeof value + ' has no size()')
}
const truncated = (value) => {
  const number = Math.trunc(Number(value))
  if (Number.isNaN(number)) throw new TypeError(JSON.stringify(value) + ' is not a number')
  return number
}
const wholeMatch = (value, pattern) => new RegExp('^(?:' + pattern + ')$').test(value)

// As Java: groups of the pattern are no parts, and without a limit, empty texts at the end are left out.
const split = (value, pattern, limit = 0) => {
  const parts = []
  let from = 0
  for (const match of value.matchAll(new RegExp(pattern, 'g'))) {
    const end = match.index + match[0].length
    if (end === 0) continue
    if (limit > 0 && parts.length === limit - 1) break
    parts.push(value.slice(from, match.index))
    from = end
  }
  if (parts.length === 0) return [value]
  parts.push(value.slice(from))
  if (limit === 0) while (parts.length > 0 && parts[parts.length - 1] === '') parts.pop()
  return parts
}

const IMPLEMENTED = {
  size,
  isEmpty: (value) => (typeof value === 'string' ? value === '' : size(value) === 0),
  equals: (value, other) => equal(value, other) && typeof value === typeof other,
  equalsIgnoreCase: (value, other) => typeof other === 'string' && String(value).toLowerCase() === other.toLowerCase(),
  contains: (value, item) => (typeof value === 'string' ? value.includes(item) : [...value].some((entry) => equal(entry, item))),
  containsAll: (value, items) => items.every((item) => value.some((entry) => equal(entry, item))),
  containsKey: (value, key) => (value instanceof Map ? value.has(key) : Object.hasOwn(value, key)),
  get: (value, key) => (Object.hasOwn(value, key) ? value[key] : null),
  keySet: (value) => Object.keys(value),
  values: (value) => Object.values(value),
  intValue: truncated,
  longValue: truncated,
  doubleValue: Number,
  booleanValue: (value) => value === true || value === 'true',
  compareTo: (value, other) => (isDate(value) ? time(value) - time(other) : value < other ? -1 : value > other ? 1 : 0),
  matches: (value, pattern) => wholeMatch(String(value), pattern),
  add: (value, ...args) => {
    if (value instanceof Set) value.add(args[0])
    else if (args.length > 1) value.splice(args[0], 0, args[1])
    else value.push(args[0])
    return true
  },
  addAll: (value, items) => {
    for (const item of items) value.push(item)
    return items.length > 0
  },
  put: (value, key, item) => {
    const before = Object.hasOwn(value, key) ? value[key] : null
    value[key] = item
    return before
  },
  remove: (value, key) => {
    if (!Array.isArray(value)) {
      const before = Object.hasOwn(value, key) ? value[key] : null
      delete value[key]
      return before
    }
    const at = typeof key === 'number' ? key : value.findIndex((entry) => equal(entry, key))
    return at < 0 ? false : value.splice(at, 1)[0]
  },
  replaceFirst: (value, pattern, replacement) => String(value).replace(new RegExp(pattern), replacement),
  replace: (value, part, replacement) => value.replaceAll(String(part), () => String(replacement)),
  replaceAll: (value, pattern, replacement) => value.replace(new RegExp(pattern, 'g'), replacement),
  split,
}

// Regular expressions and functions are JavaScript's, and keep its meaning.
const JAVA_ON_TEXT = ['replace', 'replaceAll', 'split']
const isJavaOnText = (name, value, args) =>
  typeof value === 'string' && JAVA_ON_TEXT.includes(name) && args.length > 0 &&
  !isObject(args[0]) && typeof args[1] !== 'function'

for (const flag of ${JSON.stringify(MVEL_FLAGS)}) IMPLEMENTED[flag] = (value) => value[flag]

const methods = Object.create(null)
for (const name of ${JSON.stringify([...MVEL_METHODS, ...MVEL_FLAGS])}) {
  const symbol = Symbol(name)
  methods[name] = symbol
  Object.defineProperty(Object.prototype, symbol, {
    value: function (...args) {
      const own = this[name]
      const isOwn = typeof own === 'function' && !(Array.isArray(this) && name === 'values')
      return isOwn && !isJavaOnText(name, this, args)
        ? own.apply(this, args) : IMPLEMENTED[name](this, ...args)
    },
  })
}
const contains = (value, item) => value !== null && value !== undefined && IMPLEMENTED.contains(value, item)
const matches = (value, pattern) => value !== null && value !== undefined && wholeMatch(String(value), pattern)
const dateText = (value, pattern) => formatDate(toDate(value), String(pattern))
const dateTime = (value) => toDate(value).getTime()
const helpers = Object.freeze({
  equal, contains, matches, empty, text, formatDate: dateText, time: dateTime, methods: Object.freeze(methods),
})
`

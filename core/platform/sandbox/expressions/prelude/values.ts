/** The key that marks a value which JSON has no form for; the host's side is `../marshal.ts`. */
export const TAG = '\u0000t'

/**
 * Sandbox code: values that come in (`revive`), go out (`encode`), and become text. What
 * `documentWrapper` and `blobWrapper` make of theirs is their caller's to define; `documents` and `blobs` know the index of each.
 */
export const VALUES = `
const TAG = ${JSON.stringify(TAG)}
const MAX_NODES = 1e6
const DEEPEST = 200
const documents = new WeakMap()
const blobs = new WeakMap()
const emptyTarget = Object.freeze(Object.create(null))

const lookup = (kind) => new Proxy(emptyTarget, {
  get: (_, key) => {
    if (typeof key === 'symbol') return Object.prototype[key]
    if (key === 'get') return (name) => host(kind, 0, String(name))
    if (key === 'containsKey') return (name) => host(kind, 1, String(name))
    return host(kind, 0, key)
  },
  has: (_, key) => typeof key === 'string' && host(kind, 1, key),
})

const revived = (value) => {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(revived)
  const tag = value[TAG]
  if (tag === 'date') return new Date(value.v)
  if (tag === 'document') return documentWrapper(value.v)
  if (tag === 'blob') return blobWrapper(value)
  for (const key of Object.keys(value)) value[key] = revived(value[key])
  return value
}
const revive = (json) => revived(JSON.parse(json))

const encode = (value) => {
  let nodes = 0
  const walk = (item, depth) => {
    if (++nodes > MAX_NODES || depth > DEEPEST) throw new RangeError('the result is too large or too deeply nested')
    if (typeof item !== 'object') {
      if (item === undefined) return null
      if (typeof item === 'bigint') return Number(item)
      if (typeof item === 'symbol' || typeof item === 'function') throw new TypeError('the result has a ' + typeof item)
      return item
    }
    if (item === null) return null
    if (Array.isArray(item)) {
      if (item.length > MAX_NODES) throw new RangeError('the result is too large')
      const list = []
      for (let at = 0; at < item.length; at++) list[at] = walk(item[at], depth + 1)
      return list
    }
    const document = documents.get(item)
    if (document !== undefined) return { [TAG]: 'document', v: document }
    if (blobs.has(item)) return { [TAG]: 'blob', v: blobs.get(item) }
    if (currentDates.has(item)) return { [TAG]: 'date', v: currentDates.get(item) }
    if (item instanceof Date) return { [TAG]: 'date', v: item.getTime() }
    if (item instanceof Set) return walk([...item], depth)
    if (item instanceof Map) return fields([...item.keys()].map(String), [...item.values()], depth)
    const keys = Object.keys(item)
    if (keys.length === 0 && !isPlain(item)) throw new TypeError('the result is not plain data')
    return fields(keys, Object.values(item), depth)
  }
  const fields = (keys, values, depth) => {
    const copy = {}
    for (let at = 0; at < keys.length; at++) {
      const key = keys[at]
      if (key === '__proto__' || key === TAG) throw new TypeError('the result has a key that is not allowed')
      copy[key] = walk(values[at], depth + 1)
    }
    return copy
  }
  return JSON.stringify(walk(value, 0))
}
const isPlain = (item) => {
  const prototype = Object.getPrototypeOf(item)
  return prototype === null || prototype === Object.prototype || item instanceof Map
}

/** As a template shows a value: null is nothing, a list is shown as the reference shows it. */
const text = (value) => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'function' || typeof value === 'symbol') throw new TypeError('a ' + typeof value + ' has no text')
  if (typeof value !== 'object' || documents.has(value) || currentDates.has(value)) return '' + value
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return '[' + value.map(text).join(', ') + ']'
  if (isPlain(value)) return encode(value)
  return String(value)
}
`

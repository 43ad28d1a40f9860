/**
 * Sandbox code: after it ran, nothing that outlives one evaluation can be changed by another. Only named
 * globals stay; what makes code from text is gone (a global `let` would survive in it); every object that
 * can be reached from the language itself is frozen.
 */
export const LOCKDOWN = `
const lockdown = (shared) => {
  const KEPT = new Set(['Object', 'Array', 'String', 'Number', 'Boolean', 'Symbol', 'BigInt', 'Math', 'JSON', 'Date',
    'RegExp', 'Map', 'Set', 'Error', 'TypeError', 'RangeError', 'SyntaxError', 'ReferenceError', 'EvalError', 'URIError',
    'NaN', 'Infinity', 'undefined', 'isNaN', 'isFinite', 'parseInt', 'parseFloat', 'globalThis',
    'encodeURIComponent', 'decodeURIComponent', 'encodeURI', 'decodeURI'])
  const roots = [
    globalThis, function () {}, function* () {}, async function () {}, async function* () {}, async () => {},
    (function* () {})(), (async function* () {})(), [].values(), [].values().map((x) => x), ''[Symbol.iterator](),
    ''.matchAll(/a/g), new Map().entries(), new Set().values(), /a/, Promise, Iterator.from({ next() {} }), ...shared,
  ]
  const constructors = roots.slice(1, 6).map((root) => Object.getPrototypeOf(root))
  for (const prototype of constructors)
    Object.defineProperty(prototype, 'constructor', { value: undefined, writable: false, configurable: false })
  for (const key of Reflect.ownKeys(globalThis)) if (!KEPT.has(key)) delete globalThis[key]
  const seen = new Set()
  const { getOwnPropertyDescriptor, getPrototypeOf, freeze, defineProperty } = Object
  // An object that inherits from a frozen one may not assign a property of that name, unless it has a setter.
  const letOverride = (prototype, keys) => {
    for (const key of keys) {
      const { value } = getOwnPropertyDescriptor(prototype, key)
      const set = function (given) {
        if (this === prototype || this === null || typeof this !== 'object') throw new TypeError(key + ' is read-only')
        defineProperty(this, key, { value: given, writable: true, enumerable: true, configurable: true })
      }
      defineProperty(prototype, key, { get: () => value, set, configurable: false })
    }
  }
  letOverride(Object.prototype, ['toString', 'valueOf', 'toLocaleString', 'constructor', 'hasOwnProperty'])
  for (const type of [Error, TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError])
    letOverride(type.prototype, ['name', 'message'])
  for (const object of roots) {
    if (object === null || (typeof object !== 'object' && typeof object !== 'function') || seen.has(object)) continue
    seen.add(object)
    for (const key of ownKeys(object)) {
      const { value, get, set } = getOwnPropertyDescriptor(object, key)
      roots.push(value, get, set)
    }
    roots.push(getPrototypeOf(object))
    freeze(object)
  }
}
`

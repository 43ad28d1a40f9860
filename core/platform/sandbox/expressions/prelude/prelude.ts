import { CLOCK } from './clock.js'
import { DATES } from './dates.js'
import { DOCUMENTS } from './documents.js'
import { FUNCTIONS } from './functions.js'
import { LOCKDOWN } from './lockdown.js'
import { METHODS } from './methods.js'
import { VALUES } from './values.js'

export { TAG } from './values.js'

/** The message by which the sandbox refuses to return a value. */
export const VALUE_TOO_LARGE = 'the value is too large'

/** Parts of the code that the sandbox of scripts shares. */
export const SANDBOX = {
  lockdown: LOCKDOWN,
  dates: DATES,
  values: VALUES,
  methods: METHODS,
  functions: FUNCTIONS,
  tooLarge: VALUE_TOO_LARGE,
}

/**
 * The code that makes a fresh context the sandbox: a function of the one host function and of the longest
 * result. It returns
 * `run(compiled, kinds, ...arguments)`, which binds each argument by its letter in `kinds`, and
 * `revive(json)`. Strings are returned after an `s`, values to decode after a `j`, the rest as they are.
 */
export const PRELUDE = `(function (host, maxCharacters) {
'use strict'
const { Proxy, WeakMap, Reflect: { ownKeys, construct } } = globalThis
${CLOCK}${LOCKDOWN}${DATES}${VALUES}${DOCUMENTS}${METHODS}${FUNCTIONS}
const Session = Object.freeze(readOnlySession)
const bind = (kind, value) => {
  switch (kind) {
    case 'd': return documentWrapper(value)
    case 't': return dateWrapper(value)
    case 'j': return revive(value)
    case 'f': return Fn
    case 's': return Session
    case 'h': return HTTP
    case 'b': return BusinessDaysService
    case 'u': return userWrapper(revive(value))
    case 'c': return lookup('context')
    case 'e': return lookup('env')
    default: return value
  }
}
const bounded = (value) => {
  if (value.length > maxCharacters) throw new RangeError('${VALUE_TOO_LARGE}')
  return value
}
// Strings cross as C strings: what holds a NUL or half a character goes as JSON.
const isPlainText = (value) => !value.includes('\\0') && value.isWellFormed()
const out = (value) => {
  if (typeof value === 'string') return isPlainText(bounded(value)) ? 's' + value : 'j' + JSON.stringify(value)
  if (value === undefined || value === null) return null
  return typeof value === 'number' || typeof value === 'boolean' ? value : 'j' + bounded(encode(value))
}
const run = (compiled, kinds, ...values) => {
  beginEvaluation()
  resetClock()
  for (let at = 0; at < values.length; at++) values[at] = bind(kinds[at], values[at])
  return out(compiled(helpers, ...values))
}
lockdown([Fn, Session, HTTP, BusinessDaysService, User, helpers, documentWrapper])
return { run, revive }
})`

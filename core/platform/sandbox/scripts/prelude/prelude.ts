import { SANDBOX } from '../../expressions/index.js'
import { UNKNOWN_OPERATION } from '../unknown-operation.js'
import { DOCUMENTS } from './documents.js'
import { GLOBALS } from './globals.js'
import { VARIABLES } from './variables.js'

/**
 * The code that makes a fresh context the sandbox of scripts: a function of the host's one function, which
 * takes a question and the JSON of `{ args }`, with `changes` where there are some, and answers the JSON of a value `v`, or of
 * an error `e`, with the documents `s` that are other than they were, and what some are like now, `f`; and of the JSON of settings.
 *
 * It returns `bind(compiled, globals)`, a script that can be run; `run(script, json)`, which answers JSON; and
 * `reset()`, to be called before the first script of a transaction.
 */
export const PRELUDE = `(function (host, settings) {
'use strict'
const { Proxy, WeakMap, Reflect: { ownKeys, set: setProperty, deleteProperty, defineProperty } } = globalThis
const { env, valueLength } = JSON.parse(settings)
${SANDBOX.lockdown}${SANDBOX.dates}${SANDBOX.values}${DOCUMENTS}${SANDBOX.methods}${SANDBOX.functions}
const Env = Object.freeze({ ...env, get: (name) => env[name] ?? null, containsKey: (name) => Object.hasOwn(env, name) })
${VARIABLES}${GLOBALS}
const bind = (compiled, globals) => {
  const { names, namespaces } = JSON.parse(globals)
  const families = {}
  for (const [name, members] of Object.entries(namespaces))
    families[name] = typeof members === 'string' ? operation(members) : namespace(name, members)
  return (given) => compiled(...names.map((name) => {
    if (Object.hasOwn(given.names, name)) return given.names[name]
    if (Object.hasOwn(given.variables, name)) return holdVariable(name, given.variables[name])
    if (Object.hasOwn(families, name)) return families[name]
    return Object.hasOwn(GIVEN, name) ? GIVEN[name](given) : undefined
  }))
}
const bounded = (json) => {
  if (json.length > valueLength) throw new RangeError('${SANDBOX.tooLarge}')
  return json
}
const run = (script, json) => withVariables(() => {
  const given = { variables: {}, ...revive(json) }
  const outer = unknown.name
  unknown.name = undefined
  try {
    const value = script(given)(given.input, given.params)
    setChangedVariables()
    return bounded(encode({ value, changes: takeChanges() }))
  } catch (error) {
    if (error !== null && typeof error === 'object' && hostErrors.has(error))
      return bounded(encode({ hostError: hostErrors.get(error), stack: String(error.stack) }))
    if (unknown.name !== undefined && error instanceof TypeError && error.message === 'not a function') {
      Object.defineProperty(error, 'name', { value: '${UNKNOWN_OPERATION}' })
      Object.defineProperty(error, 'message', { value: unknown.name })
    }
    throw error
  } finally {
    unknown.name = outer
  }
})
lockdown([Fn, Session, HTTP, User, Console, Env, helpers, METHODS_OF_DOCUMENTS, ctx])
return { bind, run, reset }
})`

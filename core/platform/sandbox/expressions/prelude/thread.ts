import { PRELUDE } from './prelude.js'

/**
 * The same sandbox for a thread of `core/platform/sandbox/scripts`, which speaks JSON with its host: a function of the host's one
 * function, which takes a kind and the JSON of `[index, name]`, and of the JSON of settings. An empty answer
 * is none. Each read is requested once; a question (`ask`) may have another answer each time.
 */
export const THREAD_PRELUDE = `(function (ask, settings) {
'use strict'
const { valueLength } = JSON.parse(settings)
const { parse, stringify } = JSON
const known = new Map()
const get = known.get.bind(known), set = known.set.bind(known), clear = known.clear.bind(known)
const answerOf = (kind, payload) => {
  const json = ask(kind, payload)
  if (json === '') throw new Error('the host cannot answer')
  return json
}
const host = (kind, index, name) => {
  const payload = stringify([index, name])
  if (kind === 'ask') return sandbox.revive(answerOf(kind, payload))
  const key = kind + payload
  const json = get(key) ?? answerOf(kind, payload)
  set(key, json)
  return sandbox.revive(json)
}
const sandbox = ${PRELUDE}(host, valueLength)
const run = (compiled, json) => {
  clear()
  const { kinds, values } = parse(json)
  const value = sandbox.run(compiled, kinds, ...values)
  return typeof value === 'number' ? 'n' + value : typeof value === 'string' ? value : 'j' + stringify(value)
}
return { bind: (compiled) => compiled, run, reset: clear }
})`

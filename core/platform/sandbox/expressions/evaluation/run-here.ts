import type { QuickJSHandle } from 'quickjs-emscripten'
import { HELPERS } from '../language/translate.js'
import { shown } from '../limits.js'
import type { Program } from './compile.js'
import { type Bound, bind, type Evaluation, readText } from './evaluation.js'
import type { Realm } from './realm.js'
import { GuestError } from './sandbox.js'

/** Brackets around a program's code, which stands on a line of its own. */
export type Wrapping = { code: string; check: string }

/**
 * A program is compiled in both wrappings: text that closes the brackets of one to reach the global scope cannot
 * close those of the other, which is compiled first and not run.
 */
export const wrap = ({ code }: Program, names: readonly string[]): Wrapping => {
  const head = `(function(${[HELPERS, ...names].join(',')}){'use strict';return`
  return { code: `${head}(\n${code}\n)})`, check: `${head}[\n${code}\n]})` }
}

/** The line of a program's code for one of its wrapping. */
export const lineOfCode = (line: number): number => line - 1

const guestError = (realm: Realm, handle: QuickJSHandle): GuestError => {
  const thrown: unknown = handle.consume((error) => realm.context.dump(error))
  if (typeof thrown !== 'object') return new GuestError({ name: 'Error', message: shown(String(thrown)) })
  // Null is what the engine throws when no memory is left for an error object.
  const unknownName = thrown === null ? '' : 'Error'
  const { name, message, stack } = { name: unknownName, message: '', stack: '', ...thrown }
  const place = /expression:(\d+):(\d+)/.exec(String(stack))
  return new GuestError({
    name: String(name),
    message: shown(String(message)),
    ...(place && { place: { line: lineOfCode(Number(place[1])), column: Number(place[2]) } }),
  })
}

const compile = (realm: Realm, program: Program, names: readonly string[]): QuickJSHandle => {
  const { code, check } = wrap(program, names)
  const checked = realm.context.evalCode(check, 'expression', { compileOnly: true })
  if (checked.error) throw guestError(realm, checked.error)
  checked.value.dispose()
  const compiled = realm.context.evalCode(code, 'expression')
  if (compiled.error) throw guestError(realm, compiled.error)
  return compiled.value
}

const readResult = (realm: Realm, handle: QuickJSHandle, { table }: Evaluation): unknown => {
  const { context } = realm
  switch (context.typeof(handle)) {
    case 'number':
      return context.getNumber(handle)
    case 'boolean':
      return context.dump(handle)
    case 'string':
      return readText(context.getString(handle), table)
    default:
      return null
  }
}

const call = (realm: Realm, compiled: QuickJSHandle, { kinds, values }: Bound) => {
  const letters = realm.context.newString(kinds)
  const handles: QuickJSHandle[] = []
  try {
    for (const value of values) handles.push(realm.toHandle(value))
    return realm.context.callFunction(realm.run, realm.context.undefined, [compiled, letters, ...handles])
  } finally {
    for (const handle of [letters, ...handles]) handle.dispose()
  }
}

const compiledIn = (realm: Realm, program: Program, names: Bound['names']): QuickJSHandle => {
  const key = `${names.join(',')}\n${program.code}`
  const known = realm.compiled.get(key)
  if (known) return known
  const compiled = compile(realm, program, names)
  realm.compiled.set(key, compiled)
  return compiled
}

/** Evaluates a program in the realm of this thread. @throws GuestError for what the expression throws. */
export const runInProcess = (realm: Realm, program: Program, evaluation: Evaluation): unknown => {
  const bound = bind(program, evaluation)
  const result = call(realm, compiledIn(realm, program, bound.names), bound)
  if (result.error) throw guestError(realm, result.error)
  return result.value.consume((handle) => readResult(realm, handle, evaluation))
}

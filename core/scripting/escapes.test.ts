import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createExpressionEngine, type ExpressionEngine } from '../expressions/index.js'
import { principalOf } from '../security/principal.js'
import { createScriptEngine } from './engine.js'
import { operationProgram } from './program.js'

/*
 * Published ways out of JavaScript sandboxes, each written as an expression whose value tells whether it got
 * anywhere: the names of host objects that it reached. In QuickJS there is no host to reach; what is tested is
 * that nothing of ours hands one in, and that no evaluation changes what the next one finds.
 */
const ESCAPES: readonly string[] = [
  // vm and vm2: climbing from any object to the constructor of functions.
  'this.constructor.constructor("return process")()',
  '(function () {}).constructor("return globalThis")()',
  '[].map.constructor("return process.env")()',
  '({}).constructor.constructor("return process")()',
  '(async () => {}).constructor("return process")()',
  '(function* () {}).constructor("return process")()',
  'Object.getPrototypeOf(async function* () {}).constructor("return 1")()',
  'Reflect.construct(Function, ["return process"])()',
  'new Function("return process")()',
  'eval("process")',
  '(0, eval)("this").process',
  'setTimeout("process.exit()", 0)',
  'import("node:fs")',
  'require("node:child_process")',
  'process.binding("fs")',
  'globalThis.process.mainModule.require("fs")',
  'WebAssembly.Module',
  'SharedArrayBuffer',
  // vm2, CVE-2023-29017 and CVE-2023-37466: errors and promises made by the host.
  '(() => { let got = null; Error.prepareStackTrace = (e, frames) => { got = frames[0].getThis() }; new Error().stack; return got })()',
  '(() => { try { host() } catch (e) { return e.constructor.constructor("return process")() } })()',
  '(() => { try { null.x } catch (e) { return e.constructor.constructor("return process")() } })()',
  '(() => { function f() { f() } try { f() } catch (e) { return e.constructor.constructor("return process")() } })()',
  '(async () => { await Promise.reject(1) })().then.constructor("return process")()',
  '({ get [Symbol.toPrimitive]() { return this.constructor.constructor("return process")() } }) + ""',
  // Host functions and objects that were handed in.
  'Fn.htmlEscape.constructor("return process")()',
  'Fn.htmlEscape.caller',
  'Fn.htmlEscape.arguments',
  '(function () { return arguments.callee.caller })()',
  'CurrentDate.days.constructor("return process")()',
  'Env.constructor.constructor("return process")()',
  'CurrentUser.constructor.constructor("return process")()',
  'Object.getOwnPropertyDescriptor(CurrentUser, "email").get.constructor("return process")()',
  // Java, where the reference runs.
  'java.lang.Runtime.getRuntime().exec("id")',
  'Java.type("java.lang.System").exit(1)',
  'new java.lang.ProcessBuilder("id").start()',
  'Packages.java.lang.System',
  'load("classpath:x")',
  'quit()',
  'Fn.getClass().forName("java.lang.Runtime")',
]

/** Ways to leave something behind for the next evaluation, or to change what the sandbox itself uses. */
const POLLUTIONS: readonly string[] = [
  'Object.prototype.polluted = 1',
  '({}).__proto__.polluted = 1',
  'Array.prototype.push = () => 1',
  'Array.prototype.map = () => "owned"',
  'String.prototype.includes = () => false',
  'JSON.parse = () => "owned"',
  'JSON.stringify = () => "\\"owned\\""',
  'Object.entries = () => []',
  'Map.prototype.get = () => 1',
  'Function.prototype.call = () => "owned"',
  'Fn.htmlEscape = () => "owned"',
  'Env.x = 1',
  'globalThis.polluted = 1',
  'Object.defineProperty(globalThis, "polluted", { value: 1 })',
  'Object.setPrototypeOf(Array.prototype, { polluted: 1 })',
  'Object.defineProperty(Object.prototype, "polluted", { get: () => 1 })',
  'Symbol.iterator.polluted = 1',
  'RegExp.prototype.exec = () => null',
  'Date.prototype.getTime = () => 0',
  'Error.prototype.toString = () => "owned"',
]

const PROBE =
  '[typeof polluted, ({}).polluted === undefined, [1].map((i) => i + 1)[0], JSON.parse("[3]")[0], ' +
  '"abc".includes("b"), Fn.htmlEscape("<"), Object.entries({ a: 1 }).length, typeof process]'
const CLEAN = ['undefined', true, 2, 3, true, '&lt;', 1, 'undefined']

const scripts = createScriptEngine({ limits: { timeMs: 2_000 }, threads: 1 })
let expressions: ExpressionEngine
beforeAll(async () => {
  expressions = await createExpressionEngine()
})
afterAll(() => {
  scripts.close()
  expressions.dispose()
})

const { signal } = new AbortController()

const inScript = async (expression: string): Promise<unknown> => {
  const { value } = await scripts.openLane('ann').run({
    program: operationProgram('Script', `function run() { return (${expression}) }`, {
      families: new Map(),
      flat: new Map(),
    }),
    given: { names: {}, input: null, params: {}, now: 0 },
    answer: async ({ question }) => ({ value: question === 'user' ? { name: 'bob' } : null }),
    signal,
  })
  return value
}

const inExpression = (expression: string): Promise<unknown> =>
  expressions.evaluateValue(`expr:${expression}`, {
    input: null,
    variables: {},
    principal: principalOf('bob', [], false),
    now: new Date(0),
    env: { a: 'b' },
    ask: async () => null,
  })

describe.each([
  ['expressions', inExpression],
  ['scripts', inScript],
])('from %s', (_, evaluate) => {
  test.each(ESCAPES)('%s reaches nothing', async (expression) => {
    const outcome = await evaluate(expression).catch((error: Error) => error)
    if (!(outcome instanceof Error)) expect([null, 'undefined', 'Error']).toContain(outcome ?? null)
    else expect(outcome).toMatchObject({ code: expect.stringMatching(/^(badRequest|operationFailed)$/) })
    expect(await evaluate(PROBE)).toEqual(CLEAN)
  })

  test.each(POLLUTIONS)('%s changes nothing for others', async (expression) => {
    await evaluate(expression).catch(() => undefined)
    expect(await evaluate(PROBE)).toEqual(CLEAN)
  })
})

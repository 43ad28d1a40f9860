import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { principalOf } from '../../../access/security/principal.js'
import { createExpressionEngine, type ExpressionEngine } from '../expressions/index.js'
import { createScriptEngine } from './engine.js'
import { operationProgram } from './program.js'

/*
 * Published ways out of JavaScript sandboxes, each written as an expression whose value says whether it got
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
  // vm2, CVE-2022-36067: frames of the host in a stack trace. CVE-2023-30547: a host error through a proxy's trap.
  '(() => { globalThis.Error = { prepareStackTrace: (_, frames) => frames.map((f) => f.getThis()) }; try { null.x } catch (e) { return e.stack.constructor.constructor("return process")() } })()',
  '(() => { const p = new Proxy({}, { getPrototypeOf() { throw {} } }); try { Object.create(p) } catch (e) { return e.constructor.constructor("return process")() } })()',
  // vm2, CVE-2023-32314 and CVE-2023-37903: a function of the host by way of a proxy's traps, or of inspection.
  '(() => { const e = new Error(); e.name = { toString: new Proxy(() => "", { apply: (t, th, args) => args.constructor.constructor("return process")() }) }; return e.stack })()',
  '(() => { const o = { [Symbol.for("nodejs.util.inspect.custom")](d, options, inspect) { return inspect.constructor("return process")() } }; return String(Object.keys(o).length) == "0" ? null : o })()',
  // vm2, CVE-2021-23449 and CVE-2019-10761: import() and an exhausted stack inside of a host function.
  '(() => { let got = null; import("x").catch((e) => { got = e.constructor.constructor("return process")() }); return got })()',
  '(() => { const f = (n) => { try { return f(n + 1) } catch (e) { return host("document", 0, "x") } }; return f(0) })()',
  // safe-eval, CVE-2017-16088, and safer-eval, CVE-2019-10759: constructors of what is there.
  'Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]())).constructor.constructor("return process")()',
  'Buffer.from("x").constructor.constructor("return process")()',
  // Species, subclasses and iterators in the middle of the sandbox's own work.
  '(() => { class Own extends Array { static get [Symbol.species]() { return function () { return globalThis.process } } } return Own.from([1]).map((i) => i)[0].constructor.constructor("return process")() })()',
  '(() => { const list = [1]; list.constructor = { [Symbol.species]: function () { return { get 0() { return process } } } }; return list.concat([2])[9] })()',
  '(() => { const o = { get a() { return this.constructor.constructor("return process")() } }; return o })()',
  '({ toJSON() { return process } })',
  '({ then(resolve) { resolve(this.constructor.constructor("return process")()) } })',
  'JSON.parse(\'{"__proto__": {"polluted": 1}}\')',
  '({ ["__proto__"]: { polluted: 1 } })',
  '({ constructor: { prototype: { polluted: 1 } } }).constructor.prototype.nothing',
  'Object.assign(Object.create(null), { "\\u0000t": "document", v: 0 })',
  '({ "\\u0000t": "blob", v: 0 })',
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

/** Ways to use up memory, stack or time: those that only take long are in `stalls.test.ts` and `engine.test.ts`. */
const BOMBS: readonly string[] = [
  '"x".repeat(1e9)',
  '"x".padEnd(1e9)',
  'new Array(1e9).fill(1)',
  '(() => { const all = []; for (;;) all.push("x".repeat(1e5) + all.length) })()',
  '(() => { let s = "x"; for (;;) s += s })()',
  '(() => { const m = new Map(); for (let i = 0; ; i++) m.set(i, [i]) })()',
  '2n ** (2n ** 40n)',
  'JSON.parse("[".repeat(1e6))',
  '(() => { let a = []; for (let i = 0; i < 1e4; i++) a = [a]; return a })()',
  '(function f() { return f() + f() })()',
  '(() => { const o = {}; o.o = o; return o })()',
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
  const { value } = await scripts.openRunner('ann').run({
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
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  test.each(BOMBS)('%s meets a limit, and the next one runs', async (expression) => {
    await expect(evaluate(expression)).rejects.toThrow(/limit|too large|too deeply|invalid/i)
    expect(await evaluate(PROBE)).toEqual(CLEAN)
  })

  test.each(POLLUTIONS)('%s changes nothing for others', async (expression) => {
    await evaluate(expression).catch(() => undefined)
    expect(await evaluate(PROBE)).toEqual(CLEAN)
  })
})

import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { fail } from '../../errors/index.js'
import { body, env, limits, names } from './engine.fixture.js'
import { createScriptEngine, type ScriptAnswer, type ScriptCall, type ScriptRunner } from './engine.js'
import { operationProgram, statementsProgram } from './program.js'

const engine = createScriptEngine({ limits, env, threads: 2 })
/** For scripts that end at this limit alone. */
const impatient = createScriptEngine({ limits: { ...limits, timeMs: 200 }, env, threads: 2 })
/** For scripts that never end by themselves, nor by a limit while anything here lasts. */
const patient = createScriptEngine({ limits: { ...limits, timeMs: 250_000 }, env, threads: 1 })
afterAll(() => {
  for (const each of [engine, impatient, patient]) each.close()
})

const signal = new AbortController().signal
const TAG = '\u0000t'
const document = { [TAG]: 'document', v: 0 }

const REST = '{"more":{},"properties":{"dc:title":"T","a:l":[1]}}'
const calls: ScriptCall[] = []
const answer = async (call: ScriptCall): Promise<ScriptAnswer> => {
  calls.push(call)
  const { question, args } = call
  if (question === 'facts')
    return { value: [[0, { core: { id: 'd0', name: 'n' }, ...(args[1] === true && { rest: REST }) }]] }
  if (question === 'op' && args[0] === 'Document.Create') return { value: document, stale: [0] }
  if (question === 'op') return { error: fail('notFound', 'no such thing'), isFinal: args[2] === null }
  if (question === 'ctx.get') return { value: args[0] === 'who' ? 'ann' : null }
  if (question === 'ctx.has') return { value: args[0] === 'who' }
  return { value: null }
}

const run = async (
  source: string,
  {
    input = null as unknown,
    params = {},
    runner = engine.openRunner('ann') as ScriptRunner,
    abort = signal,
  } = {},
) => {
  calls.length = 0
  const program = operationProgram('Script Test.It', source, names)
  const { value } = await runner.run({
    program,
    given: { names: {}, input, params, now: 0 },
    answer,
    signal: abort,
  })
  return value
}

describe('a scripted operation', () => {
  test.each<[string, unknown]>([
    [body('return "Hi " + input + params.lang'), 'Hi bobfr'],
    [body('return [1, "a", null, { b: true }]'), [1, 'a', null, { b: true }]],
    [body('return undefined'), null],
    [body('for (i = 0; i < 3; i++) total = i; return total'), 2],
    ['var n = 1; const run = (input) => helper(input) + n; function helper(x) { return x }', 'bob1'],
    [body('return ctx.who + ctx.get("who") + ("who" in ctx) + ctx.containsKey("no")'), 'annanntruefalse'],
    [body('return CurrentDate.days(1).format("yyyy-MM-dd")'), '1970-01-02'],
    [body('return Env["archivolt.version"] + Env.get("archivolt.version")'), '11'],
    [body('return Fn.htmlEscape("<")'), '&lt;'],
    [body('return [1, 2].size() + [5].get(0) + "ab".length'), 9],
    [body('return new Date(0)'), { [TAG]: 'date', v: 0 }],
    [body('return /^(a|b)+$/.test("abab") && "a/b".split("/").length'), 2],
    [body('try { RunOperation(input, {}) } catch (e) { return e.status + e.message }'), '404no such thing'],
  ])('%s', async (source, value) => {
    expect(await run(source, { input: 'bob', params: { lang: 'fr' } })).toEqual(value)
  })

  test('reads documents once, and sends what it assigns with the next call', async () => {
    const source = body(`
      const before = input["dc:title"] + input.title + input.getTitle() + input.id
      input["dc:title"] = "New"
      const local = input["dc:title"]
      const made = Document.Create(input, { type: "File" })
      return [before, local, made["dc:title"], made === input]`)
    expect(await run(source, { input: document })).toEqual(['TTTd0', 'New', 'T', true])
    expect(calls.map(({ question }) => question)).toEqual(['facts', 'op', 'facts'])
    expect(calls[1]).toEqual({
      question: 'op',
      args: ['Document.Create', document, { type: 'File' }],
      changes: [[document, { 'dc:title': 'New' }]],
    })
  })

  test.each<[string, string]>([
    [body('\n  return input.x.y'), "at line 2, column 15: TypeError: cannot read property 'x' of null"],
    ['function run( {', 'SyntaxError'],
    ['var x = 1', 'no function run(input, params)'],
    [body('throw new Error("own")'), 'Error: own'],
    [body('const e = new Error("a"); e.name = "Mine"; e.message = "b"; throw e'), 'Mine: b'],
    [body('"use strict"; Object.prototype.toString = 1'), 'read-only'],
    [body('throw "text"'), 'text'],
    [body('input["dc:title"] = 1'), 'TypeError'],
    [body('return () => 1'), 'has a function'],
    [body('RunOperation(input, {})'), 'no such thing'],
    [body('try { RunOperation(input, null) } catch (e) { } return 1'), 'no such thing'],
    [`${body('return 1')} }; globalThis.leak = 1; (function () {`, 'SyntaxError'],
  ])('%s fails and says where', async (source, message) => {
    await expect(run(source)).rejects.toThrow(message)
  })

  test.each<[string, RegExp]>([
    [
      body('\n return Document.Craete(input)'),
      /calls the unknown operation "Document.Craete" at line 2, column \d+, did you mean "Document.Create"\?$/,
    ],
    [
      body('const name = "Craete"; return Document[name](input)'),
      /calls the unknown operation "Document.Craete" at line 1, column/,
    ],
    [body('return Files.Zip(input)'), /calls the unknown operation "Files.Zip" at line 1, column \d+$/],
  ])('%s is distinguished from failures of its own', async (source, message) => {
    await expect(run(source)).rejects.toMatchObject({
      code: 'badRequest',
      message: expect.stringMatching(message),
    })
  })

  test('what only looks for an operation is a failure of its own', async () => {
    expect(await run(body('return typeof Document.Craete'))).toBe('undefined')
    const source = body('return Document.hasOwnProperty("Craete") || input.x(1)')
    await expect(run(source, { input: {} })).rejects.toMatchObject({ code: 'operationFailed' })
  })

  test.each<[string, string]>([
    [body('for (;;);'), 'time limit'],
    [body('for (;;) { try { for (;;); } catch (e) {} finally { continue } }'), 'time limit'],
    [body('return "a".repeat(1e6).indexOf("a".repeat(5e5) + "b")'), 'time limit'],
    [body('return /^(a+)+$/.test("a".repeat(40) + "b")'), 'time limit'],
    [body('function f() { return f() + 1 } return f()'), 'stack limit'],
    [body('return JSON.parse("[".repeat(1e6))'), 'stack limit'],
    [body('let s = "x"; for (;;) s += s'), 'limit'],
    [body('const l = []; for (;;) l.push(new Array(1000).fill(1))'), 'limit'],
    [body('return "a".repeat(300000)'), 'value larger'],
    [body('RunOperation("a".repeat(300000), {})'), 'value larger'],
    [body('for (;;) ctx.x'), 'more often than the limit: 50'],
    [body('for (;;) try { ctx.x } catch (e) {}'), 'limit'],
  ])('%s meets its limit, and others run on', async (source, message) => {
    const started = performance.now()
    const runner = (/^(time )?limit$/.test(message) ? impatient : engine).openRunner('ann')
    const [bad, good] = await Promise.allSettled([run(source, { runner }), run(body('return 1'))])
    expect(bad).toMatchObject({ status: 'rejected', reason: { code: 'operationFailed' } })
    expect(String((bad as PromiseRejectedResult).reason)).toContain(message)
    expect(good).toEqual({ status: 'fulfilled', value: 1 })
    // The machine may be busy; what must not happen is the minutes that some of these take unwatched.
    expect(performance.now() - started).toBeLessThan(200_000)
    expect(await run(body('return typeof leak'))).toBe('undefined')
  })

  test('a script that loops leaves this thread free, and is stopped with its caller', async () => {
    const runner = patient.openRunner('ann')
    const abort = new AbortController()
    const running = run(body('ctx.begun; for (;;) { }'), { runner, abort: abort.signal })
    const failed = expect(running).rejects.toThrow('enough')
    await expect.poll(() => calls.length).toBeGreaterThan(0)
    for (let turns = 0; turns < 20; turns++) await sleep(5)
    abort.abort(fail('timeout', 'enough'))
    await failed
    expect(await run(body('return 2'), { runner: patient.openRunner('ann') })).toBe(2)
  })

  test.each([
    ['while it runs', false],
    ['while it waits for a thread', true],
  ])('a script whose time is over %s is refused as a call that lasted too long', async (_, isWaiting) => {
    const abort = new AbortController()
    const timedOut = new DOMException('The time limit has been reached', 'TimeoutError')
    if (isWaiting) abort.abort(timedOut)
    const before = calls.length
    const running = run(body('ctx.begun; for (;;) { }'), {
      runner: patient.openRunner('cid'),
      abort: abort.signal,
    })
    const failed = expect(running).rejects.toMatchObject({ code: 'timeout', retryable: false })
    if (!isWaiting) await expect.poll(() => calls.length).toBeGreaterThan(before)
    abort.abort(timedOut)
    await failed
  })

  test('a script inside another one runs in the same thread', async () => {
    const runner = engine.openRunner('ann')
    const nested = async ({ question, args }: ScriptCall): Promise<ScriptAnswer> => {
      if (question !== 'op') return { value: null }
      const program = operationProgram('Script Inner', body('return input * 2'), names)
      const result = await runner.run({
        program,
        given: { names: {}, input: args[1], params: {}, now: 0 },
        answer: nested,
        signal,
      })
      return { value: result.value }
    }
    const program = operationProgram('Script Outer', body('return RunOperation(RunOperation(5))'), names)
    const given = { names: {}, input: null, params: {}, now: 0 }
    expect((await runner.run({ program, given, answer: nested, signal })).value).toBe(20)
  })

  test.each(['null', '1'])(
    'a call that fails names the script and the line, and keeps its code',
    async (final) => {
      await expect(run(`\n\n${body(`RunOperation(1, ${final})`)}`)).rejects.toMatchObject({
        code: 'notFound',
        status: 404,
        message: expect.stringMatching(/^Script Test\.It fails at line 3, column \d+: no such thing$/),
      })
    },
  )

  test('scripts that call themselves end at the limit of depth', async () => {
    const runner = engine.openRunner('ann')
    const program = operationProgram('Script Loop', body('return RunOperation(1)'), names)
    const given = { names: {}, input: null, params: {}, now: 0 }
    const nested = async (): Promise<ScriptAnswer> => {
      try {
        return { value: (await runner.run({ program, given, answer: nested, signal })).value }
      } catch (error) {
        return { error, isFinal: true }
      }
    }
    await expect(runner.run({ program, given, answer: nested, signal })).rejects.toThrow(
      'deeper than the limit',
    )
    expect(await run(body('return 3'))).toBe(3)
  })
})

const statements = async (source: string, given: Record<string, unknown> = {}) => {
  calls.length = 0
  const { value } = await engine.openRunner('ann').run({
    program: statementsProgram('The script', source),
    given: { names: given, input: null, params: {}, now: 0 },
    answer,
    signal,
  })
  return value
}

describe('statements', () => {
  test.each<[string, unknown]>([
    ['1 + 1', 2],
    ['x = 2; y = x * 3; y', 6],
    ['x = [1, 2, 3]; x.size() == 3 ? "three; really" : "no"', 'three; really'],
    ['title == empty || title.length() > 3', true],
    ['["a": 1, "b": title]', { a: 1, b: 'Report' }],
    ['Context["who"]', 'ann'],
    ['Document.title', 'T'],
    ['if (title == "Report") { Context["x"] = 1; }', null],
    ['foo = null; foo.?bar', null],
    ['', null],
    ['parseInt("7") + Math.max(1, 2)', 9],
  ])('%s', async (source, value) => {
    expect(await statements(source, { title: 'Report', Document: document })).toEqual(value)
  })

  test.each([
    ['(1', 'No closing bracket'],
    ['1 +', 'SyntaxError: unexpected end of the expression'],
    ['nothing.x', 'cannot read property'],
  ])('%s fails', async (source, message) => {
    await expect(statements(source)).rejects.toThrow(message)
  })

  test.each<[string, string, string]>([
    ['if (Document.title == "bad") { throw new Error("no") }', 'line 1, column 47', 'Error: no'],
    ['a=1;\nb=2;\nc=nope.foo;\nd=3;', 'line 3, column 7', "property 'foo' of undefined; nope is undefined"],
    ['a = [1]\n;\n\nforeach (x : a) {\n  y = x.z.z\n}', 'line 5, column 10', '; x.z is undefined'],
    ['x = 1; y = Document.parent.title', 'line 1, column 27', '; Document.parent is undefined'],
  ])('%s fails where it says', async (source, place, message) => {
    const given = { title: 'bad', Document: { title: 'bad' } }
    const failed = statements(source, given)
    await expect(failed).rejects.toThrow(`The script fails at ${place}: `)
    await expect(failed).rejects.toThrow(message)
    const [line, column] = place.match(/\d+/g)!.map(Number)
    await expect(failed).rejects.toMatchObject({ details: [{ line, column }] })
  })
})

test('a call is answered in the scope of whoever runs the script, not of whoever has started its thread', async () => {
  const scope = new AsyncLocalStorage<string>()
  const own = createScriptEngine({ threads: 1 })
  const seen: (string | undefined)[] = []
  const program = operationProgram('Script Test.It', body('return ctx.get("x")'), names)
  const runAs = (name: string) =>
    scope.run(name, () =>
      own.openRunner(name).run({
        program,
        given: { names: {}, input: null, params: {}, now: 0 },
        answer: async () => {
          seen.push(scope.getStore())
          return { value: null }
        },
        signal,
      }),
    )
  await runAs('first')
  await runAs('second')
  own.close()
  expect(seen).toEqual(['first', 'second'])
})

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { principalOf } from '../../../access/security/principal.js'
import { fail } from '../../errors/index.js'
import { documentFixture } from '../expressions/document.fixture.js'
import { createExpressionEngine, type ExpressionEngine, type ExpressionScope } from '../expressions/index.js'
import { openExpressionThreads } from './expression-threads.js'

/** What would hold up everybody for as long as it may run, or for as long as its memory lasts. */
const HOSTILE = [
  '(() => { for (;;); })()',
  '(() => { for (;;) { try { for (;;); } catch (e) {} finally { continue } } })()',
  '/^(a+)+$/.test("a".repeat(40) + "b")',
  '"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab" ~= "(a|aa)+"',
  '"a".repeat(1e6).indexOf("a".repeat(5e5) + "b")',
  'new Array(2 ** 28).join("abc")',
  'Array.prototype.includes.call({ length: 2 ** 53 - 1 }, 1)',
  '(10n ** 100000n).toString().length',
  'Array.from({ length: 3e6 }, (_, i) => ({ i })).length',
  '[..."ab".repeat(1e6)].sort((a, b) => (a < b ? 1 : -1)).length',
  '"ä".repeat(4e6).toUpperCase().length',
  'JSON.stringify(Array(1e5).fill({ a: [1, 2, { b: 3 }] })).length',
  'big.toUpperCase().toLowerCase().toUpperCase().toLowerCase() == big.trim()',
  'JSON.parse("[".repeat(1e6))',
  '(function f() { return [f(), f()] })()',
]

const scope: ExpressionScope = {
  input: null,
  variables: { x: 1, big: 'Ä'.repeat(3_000_000) },
  principal: principalOf('bob', [], false),
  now: new Date(0),
  env: { home: '/home' },
}

/** What takes it all must not take it from this thread. */
const LIMIT_MS = 600
const MAX_STALL_MS = LIMIT_MS / 2
/** A machine with too little time for this process holds it up, too, but not each time. */
const TRIES = 12

let engine: ExpressionEngine
beforeAll(async () => {
  engine = await createExpressionEngine({ timeMs: LIMIT_MS }, { openThreads: openExpressionThreads })
})
afterAll(() => engine.dispose())

/** The longest that this thread was held up while work went on, ms. */
const longestStall = async (work: () => Promise<unknown>): Promise<number> => {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  await work()
  await sleep(5)
  delay.disable()
  return delay.max / 1e6
}

test.each(HOSTILE)('%s holds up nobody', async (source) => {
  const stalls: number[] = []
  for (let attempt = 0; attempt < TRIES && !stalls.some((stall) => stall < MAX_STALL_MS); attempt++) {
    // Another text each time: what took long once is not tried here again.
    const text = `${source}${' '.repeat(attempt)}`
    stalls.push(await longestStall(() => engine.evaluate(text, scope).catch(() => undefined)))
  }
  expect(Math.min(...stalls)).toBeLessThan(MAX_STALL_MS)
  expect(await engine.evaluate('x + 1', scope)).toBe(2)
})

describe('what is evaluated again in a thread', () => {
  // The machine may be busy: here the limit is to be met by what never ends alone.
  let patient: ExpressionEngine
  beforeAll(async () => {
    patient = await createExpressionEngine({ timeMs: 60_000 }, { openThreads: openExpressionThreads })
  })
  afterAll(() => patient.dispose())

  const longLoop = 'let n = 0; for (let i = 0; i < 4e5; i++) n += i % 7;'
  const asked: string[] = []
  const asking: ExpressionScope = {
    ...scope,
    variables: { ...scope.variables, list: ['a', { b: new Date(5) }], text: 'a\0b' },
    document: documentFixture('d1', { 'dc:title': 'Title', 'dc:subjects': ['s'] }),
    ask: async (question, args) => {
      asked.push(`${question}(${args.join()})`)
      if (question === 'Fn.getEmail') throw fail('notFound', 'no such user')
      return question === 'document.parent' ? documentFixture('d2', { 'dc:title': 'Parent' }) : asked.length
    },
  }

  test.each<[string, unknown]>([
    ['n', 1_199_997],
    ['Document.title + Document["dc:subjects"][0] + Document.parent.title', 'TitlesParent'],
    [
      '[Document, list, text, x, -0.5, 0 / 0, null]',
      [{ documentRef: 'd1' }, ['a', { b: new Date(5) }], 'a\0b', 1, -0.5, null, null],
    ],
    ['0 / 0', Number.NaN],
    ['text', 'a\0b'],
    ['Context.x + Env.home + CurrentUser.name', '1/homebob'],
    ['new Date().getTime() + Date.now()', 0],
    ['new Date(7)', new Date(7)],
    ['CurrentDate.days(1).format("dd")', '02'],
    [
      '(() => { try { return Fn.getEmail("x") } catch (e) { return e.message } })()',
      'the host cannot answer',
    ],
    ['undefined', null],
    ['x == 1 && list.contains("a")', true],
  ])('has the same value: %s', async (source, value) => {
    const inThread = `(() => { ${longLoop} return (${source}) })()`
    expect(await patient.evaluate(inThread, asking)).toEqual(value)
  })

  test.each([
    `(() => { const id = Fn.getNextId("k"); ${longLoop} return [id, Fn.getNextId("k")] })()`,
    `(() => { const id = Fn.getNextId("k" + Math.random() + new Date()); ${longLoop} return [id, Fn.getNextId("k" + Date.now())] })()`,
  ])('asks nothing twice: %s', async (source) => {
    asked.length = 0
    expect(await patient.evaluate(source, asking)).toEqual([1, 2])
    expect(asked).toHaveLength(2)
  })

  test.each<[string, string | RegExp]>([
    [
      `(() => { ${longLoop} return list.x.y })()`,
      "TypeError: cannot read property 'y' of undefined; list.x is null",
    ],
    [`(() => { ${longLoop} return nothing })()`, 'is not defined'],
    [`(() => { ${longLoop} return Fn.getEmail("x") })()`, 'no such user'],
    [`(() => { ${longLoop} for (;;) Fn.getNextId("a") })()`, 'more than 100 questions'],
    [`(() => { ${longLoop} for (let i = 0; ; i++) Context["v" + i] })()`, /asks the server more than|timeMs/],
    [`(() => { ${longLoop} for (let s = "x"; ; s += s) s.length })()`, 'archivolt.expressions.memoryBytes'],
    [`(() => { ${longLoop} return "x".repeat(9e6) })()`, 'archivolt.expressions.valueLength'],
    [
      `(() => { ${longLoop} return (function f() { return f() + 1 })() })()`,
      'archivolt.expressions.stackBytes',
    ],
  ])('fails with the same words: %s', async (source, message) => {
    await expect(patient.evaluate(source, asking)).rejects.toThrow(message)
  })
})

import { afterAll, describe, expect, test } from 'vitest'
import { body, env, limits, names } from './engine.fixture.js'
import { createScriptEngine } from './engine.js'
import { operationProgram, statementsProgram } from './program.js'

const engine = createScriptEngine({ limits, env, threads: 1 })
afterAll(() => engine.close())

const { signal } = new AbortController()

describe('lists and maps of context variables', () => {
  /** What variables a script leaves, and what they were whenever it called an operation. */
  const leave = async (source: string, { isOperation = false } = {}) => {
    const stored: Record<string, unknown> = { l: ['a'], m: { k: [{ n: 1 }] }, n: 1 }
    const seen: string[] = []
    const program = isOperation
      ? operationProgram('Script Test.It', body(source), names)
      : statementsProgram('The script', source)
    const { value } = await engine.openRunner('ann').run({
      program,
      given: { names: {}, variables: structuredClone(stored), input: null, params: {}, now: 0 },
      answer: async ({ question, args: [name, value] }) => {
        if (question === 'ctx.get') return { value: structuredClone(stored[String(name)]) ?? null }
        if (question === 'ctx.set') stored[String(name)] = value
        if (question === 'op') {
          seen.push(JSON.stringify(stored.l))
          if (name === 'Document.Create') stored.l = ['by the operation']
        }
        return { value: null }
      },
      signal,
    })
    return { value, stored, seen }
  }

  test.each<[string, object]>([
    ['Context.l.add("b")', { l: ['a', 'b'] }],
    ['for (i = 0; i < 3; i++) { Context["l"].add("x" + i) }', { l: ['a', 'x0', 'x1', 'x2'] }],
    ['Context.l = []; Context.l.add("b"); Context.l.add("c")', { l: ['b', 'c'] }],
    ['Context.m.put("j", 3)', { m: { k: [{ n: 1 }], j: 3 } }],
    ['Context.m["h"] = 4; Context.m.remove("k")', { m: { h: 4 } }],
    ['Context.m.k.get(0).n = 2; Context.m.k[0].more = [1]', { m: { k: [{ n: 2, more: [1] }] } }],
    ['l.add("b"); Context.l.add("c")', { l: ['a', 'b', 'c'] }],
    ['Context.l.add("b"); Context.l = ["other"]', { l: ['other'] }],
    ['x = Context.l; x.add("b"); Context.l = x; x.add("c")', { l: ['a', 'b', 'c'] }],
    ['Context.l.add(Context.l.size())', { l: ['a', 1] }],
  ])('%s', async (source, left) => {
    expect((await leave(source)).stored).toMatchObject(left)
  })

  test.each<[string, object]>([
    ['ctx.l.push("b"); ctx.m.k = 2', { l: ['a', 'b'], m: { k: 2 } }],
    ['ctx.get("l").splice(0, 1, "x", "y"); delete ctx.m.k', { l: ['x', 'y'], m: {} }],
    ['ctx.l.sort(); ctx.l.length = 0', { l: [] }],
    [
      'Object.assign(ctx.m, { j: 1 }); Object.defineProperty(ctx.l, 1, { value: 2 })',
      { m: { j: 1 }, l: ['a', 2] },
    ],
  ])('of a scripted operation: %s', async (source, left) => {
    expect((await leave(source, { isOperation: true })).stored).toMatchObject(left)
  })

  test('are what a script has made of them when it calls an operation, and what that has made of them', async () => {
    const kept = await leave('var l = ctx.l; l.push(1); RunOperation(null); ctx.m; l.push(ctx.l.length)', {
      isOperation: true,
    })
    expect([kept.seen, kept.stored.l]).toEqual([['["a",1]'], ['a', 1, 2]])
    const changed = await leave('ctx.l.push(1); Document.Create(null); return ctx.l', { isOperation: true })
    expect([changed.seen, changed.value, changed.stored.l]).toEqual([
      ['["a",1]'],
      ['by the operation'],
      ['by the operation'],
    ])
  })

  test('are read once, and set only when they have changed', async () => {
    const sent: string[] = []
    const source = 'for (d : Context.l) { x = d }; Context.l.contains("a") && Context.l == ["a"]'
    const { value } = await engine.openRunner('ann').run({
      program: statementsProgram('The script', source),
      given: { names: {}, input: null, params: {}, now: 0 },
      answer: async ({ question }) => {
        sent.push(question)
        return { value: ['a'] }
      },
      signal,
    })
    expect([value, sent]).toEqual([true, ['ctx.get']])
  })

  test('of any size cost a script no more than the time of reading them', async () => {
    const { value } = await engine.openRunner('ann').run({
      program: operationProgram(
        'Script Test.It',
        body('let n = 0; for (const d of ctx.l) if (n++ < 40) RunOperation(null); return n'),
        names,
      ),
      given: { names: {}, input: null, params: {}, now: 0 },
      answer: async ({ question }) => ({
        value: question === 'ctx.get' ? Array.from({ length: 20_000 }, (_, i) => i) : null,
      }),
      signal,
    })
    expect(value).toBe(20_000)
  })
})

import { afterAll, expect, test } from 'vitest'
import { createExpressionEngine } from '../index.js'
import type { ExpressionScope } from '../types.js'

/** The first evaluation of a process may take long on a busy machine. */
const engine = await createExpressionEngine({ timeMs: 60_000 })
afterAll(() => engine.dispose())

const evaluate = (text: string, variables: { [name: string]: unknown } = {}) => {
  const scope = {
    principal: { name: 'ann', groups: [], isAdministrator: false },
    variables,
    env: {},
    now: new Date(0),
  } as unknown as ExpressionScope
  return engine.evaluateValue(text, scope)
}

test.each<[string, unknown]>([
  ['expr:x = 1; x + 2', 3],
  ['expr:1 + 2;', 3],
  ['expr:x = 5', 5],
  ['expr:n = n + 1; n', 3],
  ['expr:String t = "a"; int i = 2; t + i', 'a2'],
  ['expr:var t = "a"; return t + "b"', 'ab'],
  ['expr:if (n == 2) { "two" } else { "other" }', 'two'],
  ['expr:if (n > 2) "many" else if (n == 2) "two"; else "few"', 'two'],
  ['expr:if (n > 5) { 1 }', null],
  ['expr:if (list contains "b" && n == 2) { x = "yes" } else { x = "no" }; x', 'yes'],
  ['expr:all = []; foreach (item : list) { all.add(item.toUpperCase()) }; all', ['A', 'B']],
  ['expr:sum = 0; for (int i = 0; i < 4; i++) { sum += i }; sum', 6],
  ['expr:sum = 0; while (sum < 10) sum += 4; sum', 12],
  ['expr:m = ["a": 1]; m.put("b", 2); m.remove("a"); m.keySet()', ['b']],
  ['expr:l = [1, 2, 3]; l.remove(0); l.addAll([4]); l', [2, 3, 4]],
  ['expr:found = null; foreach (s : list) { if (s == "b") { found = s } } found', 'b'],
  ['expr:of @{x = n * 2; x} and @{n}', 'of 4 and 2'],
])('%s is %j', async (text, value) => {
  expect(await evaluate(text, { n: 2, list: ['a', 'b'] })).toEqual(value)
})

test('what is assigned is left as it was outside', async () => {
  const variables = { n: 2 }
  await evaluate('expr:n = 7; n', variables)
  expect(variables).toEqual({ n: 2 })
})

test('a failure is reported with its position', async () => {
  await expect(evaluate('expr:x = null; x.size()')).rejects.toThrow(/line 1, column \d+/)
})

import { expect, test } from 'vitest'
import { computingTime } from '../../../../test/support/computing-time.js'
import type { ScriptNames } from '../../../platform/sandbox/scripts/index.js'
import { unknownCalls } from './calls.js'
import { operationCalls } from './operations.js'

const names: ScriptNames = {
  families: new Map([
    [
      'Document',
      [
        ['Create', 'Document.Create'],
        ['Save', 'Document.Save'],
      ],
    ],
    ['Repository', [['Query', 'Repository.Query']]],
  ]),
  flat: new Map([['RunOperation', 'RunOperation']]),
}

const run = (body: string): string => `function run(input, params) {\n  ${body}\n}`

test.each([
  ['Document.Create(input, {}); return Document.Save(input)'],
  ['RunOperation(input, { id: "x" })'],
  ['Session.query("SELECT"); Fn.getEmail("a"); Math.max(1, 2); Console.log("x"); JSON.stringify({})'],
  ['var Document = helper(); Document.Craete(input)'],
  ['if (Document.Craete) return Document.Craete(input)'],
  ['input.Document.Craete(1); return [].map((x) => x.Query())'],
  ['helper.Craete(input); other(1)'],
  ['return "Document.Craete(input)" // Document.Craete(input)'],
  ['function RunOperaton(x) { return x } return RunOperaton(1)'],
  ['return { RunOperaton(x) { return x } }.RunOperaton(1)'],
])('%s calls nothing unknown', (body) => {
  expect(unknownCalls(run(body), names)).toEqual([])
})

test.each([
  ['Document.Craete(input)', { name: 'Document.Craete', line: 2, column: 3, meant: 'Document.Create' }],
  ['return Docment.Create(input)', { name: 'Docment.Create', line: 2, column: 10, meant: 'Document.Create' }],
  ['RunOperaton(input)', { name: 'RunOperaton', line: 2, column: 3, meant: 'RunOperation' }],
  ['Document.Frobnicate(input)', { name: 'Document.Frobnicate', line: 2, column: 3 }],
])('%s calls what is unknown', (body, call) => {
  expect(unknownCalls(run(body), names)).toEqual([call])
})

test.each([
  ['Fn.getNexId("a")', 'Fn.getNexId: there is no such function, did you mean "getNextId"?'],
  ['Session.frobnicate()', 'Session.frobnicate: there is no such function'],
])('%s is no function', (body, mistake) => {
  expect(unknownCalls(run(body), names)).toEqual([
    { name: body.replace(/\(.*/, ''), line: 2, column: 3, mistake },
  ])
})

test.each(['Session.saveDocument(input)', 'if (Fn.later) Fn.later()', 'const Fn = helper(); Fn.later()'])(
  '%s is none that is missing',
  (body) => {
    expect(unknownCalls(run(body), names)).toEqual([])
  },
)

/** Of a script as long as a script may be, each took minutes. */
test.each<[string, string, number]>([
  ['brackets in brackets', `${'a('.repeat(3_000)}${')'.repeat(3_000)};`.repeat(25), 0],
  ['the same typo on each line', 'RunOperaton(1)\n'.repeat(15_000), 15_000],
  ['names like that of an operation', Array.from({ length: 15_000 }, (_, n) => `RunOp${n}(1)`).join(';'), 0],
])('%s take no quadratic time', (_, text, found) => {
  const took = computingTime(() => expect(unknownCalls(text, names)).toHaveLength(found))
  expect(took).toBeLessThan(15_000)
})

test('a typo is placed on its line, behind others', () => {
  const places = unknownCalls('RunOperaton(1)\n\n  RunOperaton(2); RunOperaton(3)', names)
  expect(places.map(({ line, column }) => [line, column])).toEqual([
    [1, 1],
    [3, 3],
    [3, 19],
  ])
})

test.each<[string, (string | [string, string])[]]>([
  [
    'Document.Create(input, { type: "File", "name": params.x, ...more, [computed]: 1, free })',
    ['type', 'name', 'free'],
  ],
  ['RunOperation([a, b].map((x) => ({ y: x })), { newTx: true, id: "x" + y })', [['newTx', 'true'], 'id']],
  ['RunOperation(null, given)', []],
  ['RunOperation(input)', []],
  [
    'RunOperation({ a: 1 }, { run() { return { b: 1 } }, c: [{ d: 1 }, 2], e: f({ g: 1 }) })',
    ['run', 'c', 'e'],
  ],
])('parameters of %s', (body, params) => {
  const [call] = operationCalls(run(body), names)
  expect(call).toMatchObject({ line: 2, column: 3 })
  const written = call!.params.map(({ name, word }) => (word === 'true' ? [name, word] : name))
  expect(written).toEqual(params)
})

test('calls in calls are found one by one, and take no quadratic time', () => {
  const calls = operationCalls('Document.Save(Document.Create(input, { a: 1 }),\n{ b: 2 })', names)
  expect(calls).toMatchObject([
    { id: 'Document.Save', column: 1, params: [{ name: 'b', line: 2, column: 3 }] },
    { id: 'Document.Create', column: 15, params: [{ name: 'a', line: 1, column: 40 }] },
  ])
  const deep = `${'RunOperation('.repeat(8_000)}1${')'.repeat(8_000)}`
  const took = computingTime(() => expect(operationCalls(deep, names)).toHaveLength(8_000))
  expect(took).toBeLessThan(15_000)
})

import { expect, test } from 'vitest'
import type { ScriptNames } from '../scripting/index.js'
import { unknownCalls } from './script-calls.js'

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

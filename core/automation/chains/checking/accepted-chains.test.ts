import { describe, expect, test } from 'vitest'
import { parseChain } from '../reading/parse-chain.js'
import { registryOf } from '../registry.fixture.js'
import { findingsOfChain } from './check-chain.js'

const findings = (text: string, chains: { [id: string]: string } = {}): string[] => {
  const { chain, places } = parseChain({ id: 'demo', text, format: 'yaml' })
  return findingsOfChain({ chain, places, registry: registryOf(chains) }).map(
    ({ line, column, field, message }) => `${line}:${column} ${field}: ${message}`,
  )
}

describe('a chain is accepted', () => {
  test.each([
    ['an alias of an operation', '- Update.It:\n    properties: { dc:title: x }\n', {}],
    ['a required parameter from the chain', 'params:\n- target:\noperations:\n- Document.Copy\n', {}],
    ['a required parameter by expression', '- Document.Copy:\n    target: expr:Document.id\n', {}],
    [
      'a parameter that leaks through a chain',
      '- b:\n    target: /a\n',
      { b: 'params:\n- x:\noperations:\n- c\n', c: '- Document.Copy\n' },
    ],
    ['two calls of one chain', '- b\n- b\n', { b: '- Context.FetchDocument\n' }],
    ['a chain by its prefixed id', '- Chain.b\n', { b: '[]' }],
    ['Run with a target that is evaluated', '- RunOperation:\n    id: expr:next\n', {}],
    [
      'every notation, right or not known yet',
      '- Every.Notation:\n    condition: Document.title == "a"\n    script: Context["a"] = 1; Context["b"] = 2\n' +
        "    where: dc:title = 'a'\n    query: SELECT * FROM File WHERE dc:title IN (?) AND dc:source = :source\n" +
        '- Every.Notation:\n    query: expr:SELECT + 1\n    condition: "@{Document.isFolder}"\n',
      {},
    ],
    [
      'Run with parameters that are evaluated',
      '- RunOperation: { id: Document.Copy, parameters: expr:next }\n',
      {},
    ],
    [
      'parameters of what Run runs, as the chain has them',
      'params:\n- target:\noperations:\n- RunOperation: { id: Document.Copy, parameters: { name: a } }\n',
      {},
    ],
    [
      'parameters for what Run runs, as the chain has them all',
      'params:\n- parameters: { type: properties }\noperations:\n- RunOperation: { id: Document.Copy }\n',
      {},
    ],
    [
      'what a loop sets for what it runs',
      '- Test.Loop: { id: Document.Copy, list: a, item: target }\n- Test.Loop: { id: Document.Copy, list: a, item: expr:b }\n',
      {},
    ],
    [
      'what a chain hands on, and what it may read',
      '- RunOperation: { id: b, parameters: { target: /a, source: x } }\n- RunOperation: { id: c, parameters: { any: x } }\n',
      {
        b: '- Document.Copy\n- RunOperation: { id: d }\n',
        c: '- RunOperation: { id: expr:next }\n',
        d: '- Every.Type: { text: "expr:ChainParameters.source" }\n',
      },
    ],
    [
      'bulk commands, right or not known yet',
      '- Bulk.RunAction: { action: expr:a, parameters: expr:b }\n- Bulk.RunAction: { action: trash }\n' +
        '- Bulk.RunAction: { action: trash, parameters: { value: expr:c } }\n' +
        '- Bulk.RunAction: { action: automation, parameters: { operationId: expr:d, parameters: expr:e } }\n' +
        `- Bulk.RunAction: { action: automation, parameters: '{"operationId":"Document.Copy","parameters":{"target":"/a"}}' }\n`,
      {},
    ],
    ['its own replacement', '- b\n', { demo: '- b\n', b: '[]' }],
  ])('%s', (_, text, chains) => {
    expect(findings(text, chains)).toEqual([])
  })
})

describe('literal values', () => {
  test.each([
    ['text', ['a', '1', 'true', '2.5', ''], ['[a]', '{a: 1}']],
    ['words', ['a'], ['[a]']],
    ['flag', ['true', '"False"'], ['yes', '1', '""', '[true]']],
    ['count', ['1', '"-12"'], ['1.5', 'x', 'true', '""']],
    ['big', ['9007199254740991'], ['"9007199254740992"', '1.5']],
    ['ratio', ['1', '1.5'], ['"1.5"', 'x']],
    ['on', ['2024-05-31', '2024-05-31T12:00:00Z', '""'], ['tomorrow', '20', '[]']],
    ['one', ['/a', './b', 'c0ffee'], ['1', '""', '[a]', '{a: 1}']],
    ['many', ['"a,b"', '[a, b]'], ['1', '{a: 1}']],
    ['file', ['expr:Document["file:content"]'], ['a', '{name: x}']],
    ['tags', ['"a,b"', '[a, 1]', '2024'], ['[[a]]', '{a: 1}']],
    ['values', ['{a: 1}', '"a=1\\n# b\\n\\nc=2"'], ['"a"', '[a]', '1']],
    ['any', ['1', '[a]', '{a: 1}'], []],
    ['table', ['{a: 1}'], ['a=1', '[a]']],
    ['rows', ['[a]'], ['{a: 1}', 'a']],
  ])('%s', (name, right, wrong) => {
    const at = (value: string): string[] => findings(`- Every.Type:\n    ${name}: ${value}\n`)
    for (const value of [...right, '"expr:x"', '"expr:a @{b}"', 'null'])
      expect({ value, found: at(value) }).toEqual({ value, found: [] })
    for (const value of wrong) {
      const column = 7 + name.length
      expect({ value, found: at(value) }).toEqual({
        value,
        found: [
          expect.stringMatching(new RegExp(`^2:${column} operations\\[0\\]\\.${name}: expected .*, found`)),
        ],
      })
    }
  })
})

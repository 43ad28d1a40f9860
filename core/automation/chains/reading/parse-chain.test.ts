import { describe, expect, test } from 'vitest'
import { writeYaml } from '../writing/write-yaml.js'
import { parse, problemsOf } from './parse-chain.fixture.js'

/** The example of reference: automation.md §8. */
const YAML = `description: Copies a note
params:
- folder:
    type: string
    values:
    - /inbox
operations:
- Context.FetchDocument
- Document.Copy:
    target: expr:ChainParameters["folder"]
`

describe('the YAML view', () => {
  test('is read with the place of each step', () => {
    expect(parse(YAML).chain).toEqual({
      id: 'demo',
      description: 'Copies a note',
      aliases: [],
      params: [{ name: 'folder', type: 'string', isRequired: false, values: ['/inbox'] }],
      steps: [
        {
          operation: 'Context.FetchDocument',
          params: {},
          at: { line: 8, column: 3, field: 'operations[0]' },
        },
        {
          operation: 'Document.Copy',
          params: { target: 'expr:ChainParameters["folder"]' },
          at: { line: 9, column: 3, field: 'operations[1]' },
        },
      ],
    })
  })

  test.each([
    ['the example of the reference', YAML],
    ['a bare list', '- A\n- B:\n    p: 1\n'],
    ['no operations', '{}\n'],
    [
      'aliases and a required parameter',
      'aliases:\n- other\nparams:\n- p:\n    type: date\n    description: When\n    required: true\noperations:\n- A\n',
    ],
    [
      'every kind of value',
      '- A:\n    text: a b\n    number: "12"\n    integer: 12\n    real: 1.5\n    yes: true\n    none: null\n    list:\n    - a\n    - 1\n    map:\n      dc:title: "@{Document.title}"\n      empty: {}\n    lines: |-\n      a=1\n      b=2\n',
    ],
  ])('of %s is written as it was read', (_, text) => {
    expect(writeYaml(parse(text).chain)).toBe(text)
  })

  test.each([
    ['a step with nothing after its colon', '- A:\n'],
    ['a step with an empty map', '- A: {}\n'],
    ['the map form with operations alone', 'operations:\n- A\n'],
    ['parameters as a map', 'params:\n  p:\noperations: [A]\n'],
    ['an anchor used twice', '- A: &p\n    x: 1\n- B: *p\n'],
  ])('is read in the form of %s', (_, text) => {
    const { chain } = parse(text)
    expect(chain.steps[0]?.operation).toBe('A')
  })

  test.each([
    [
      'a key that is no part',
      'operation:\n- A\n',
      ['1:1 operation: unknown key "operation", did you mean "operations"?'],
    ],
    [
      'two keys in a step',
      '- A:\n    p: 1\n  B:\n    q: 1\n',
      ['3:3 operations[0]: an operation has one key, found "A" and "B"; is "B" indented too little?'],
    ],
    ['a number as a step', '- A\n- 12\n', ['2:3 operations[1]: expected an operation, found a number']],
    [
      'a list as parameters',
      '- A:\n  - p\n',
      [
        '2:3 operations[0]: expected a map with the parameters of A, found a list; write A: {name: value}, or a line for each below it',
      ],
    ],
    [
      'a text for parameters',
      '- A: now\n',
      [
        '1:6 operations[0]: expected a map with the parameters of A, found a text; write A: {name: value}, or a line for each below it',
      ],
    ],
    [
      'a colon in a text',
      '- Log:\n    message: expr:a ? b : c\n',
      [
        expect.stringMatching(
          /^2:14 Nested mappings .*; a text with a colon and a space in it is written in quotes$/,
        ),
      ],
    ],
    [
      'brackets in a text between braces',
      '- Log: {message: expr:Document["dc:title"]}\n',
      [
        expect.stringMatching(
          /^1:31 Unexpected flow-.*; between { and } a text with brackets or braces in it is written in quotes$/,
        ),
      ],
    ],
    [
      'an unknown type of a parameter',
      'params:\n- p:\n    type: int\n- q:\n    type: strnig\n- r:\n    type: ours\noperations: []\n',
      [
        expect.stringMatching(
          /^3:11 params.p.type: unknown type "int", did you mean "integer"\? known are string, /,
        ),
        expect.stringMatching(/^5:11 params.q.type: unknown type "strnig", did you mean "string"\?/),
        expect.stringMatching(/^7:11 params.r.type: unknown type "ours"; known are string, /),
      ],
    ],
    [
      'values of a parameter that fit nothing',
      'params:\n- p:\n    values: en\n- q:\n    type: integer\n    values: [1, many]\noperations: []\n',
      [
        '3:13 params.p.values: expected a list, found a text; write [en]',
        '6:17 params.q.values[1]: expected an integer, found "many"',
      ],
    ],
    [
      'an unknown detail of a parameter',
      'params:\n- p:\n    typ: string\noperations: []\n',
      ['3:5 params.p.typ: unknown key "typ", did you mean "type"?'],
    ],
    [
      'a parameter declared twice',
      'params:\n- p:\n- p:\n',
      ['3:3 params.p: the parameter "p" is declared twice'],
    ],
    [
      'several at once',
      'descriptio: x\naliases: 3\noperations:\n- 1\n',
      [
        '1:1 descriptio: unknown key "descriptio", did you mean "description"?',
        '2:10 aliases: expected a list, found a number; write [3]',
        '4:3 operations[0]: expected an operation, found a number',
      ],
    ],
    [
      'an alias that is no name',
      'aliases:\n- a/b\n',
      [
        '2:3 aliases[0]: "a/b" cannot be an alias: it must be 1 to 200 letters, digits, spaces or any of _ . : - + ( ), beginning with a letter, a digit or _',
      ],
    ],
    ['an empty text', '', ['1:1 the text is empty; a chain without operations is written {}']],
    [
      'a plain text',
      'hello',
      [
        '1:1 expected a list of operations or a map with description, params and operations, found a text; write - hello',
      ],
    ],
    [
      'broken indentation',
      '- A:\n    p: 1\n   q: 2\n',
      ['3:1 All mapping items must start at the same column'],
    ],
    [
      'two documents',
      '- A\n---\n- B\n',
      [
        '2:1 more than one YAML document; a chain is one, and several in one file are written as chains: {name: […], other: […]}',
      ],
    ],
    [
      'the id of another chain',
      'entity-type: chain\nid: other\noperations: []\n',
      ['2:5 id: the chain is deployed as "demo", but calls itself "other"'],
    ],
  ])('is refused with places: %s', (_, text, problems) => {
    expect(problemsOf(text)).toEqual(problems)
  })
})

describe('JSON', () => {
  test('is the same view', () => {
    const json = '{"description":"d","operations":["A",{"B":{"p":[1,"\\ud83d\\ude00"]}}]}'
    expect(parse(json, 'json').chain.steps[1]).toEqual({
      operation: 'B',
      params: { p: [1, '😀'] },
      at: { line: 1, column: 39, field: 'operations[1]' },
    })
  })

  test.each([
    ['YAML', '- A', ['1:1 the text is YAML, but not JSON; send it as application/yaml']],
    [
      'a key twice',
      '{"operations":[],\n"operations":[]}',
      ['2:1 operations: the key "operations" appears twice'],
    ],
  ])('is refused: %s', (_, text, problems) => {
    expect(problemsOf(text, 'json')).toEqual(problems)
  })
})

import { describe, expect, test } from 'vitest'
import { computingTime } from '../../../../test/support/computing-time.js'
import { parseChain } from '../reading/parse-chain.js'
import { registryOf } from '../registry.fixture.js'
import { checkChain, findingsOfChain } from './check-chain.js'

const findings = (text: string, chains: { [id: string]: string } = {}): string[] => {
  const { chain, places } = parseChain({ id: 'demo', text, format: 'yaml' })
  return findingsOfChain({ chain, places, registry: registryOf(chains) }).map(
    ({ line, column, field, message }) => `${line}:${column} ${field}: ${message}`,
  )
}

describe('a chain is refused', () => {
  test.each([
    [
      'unknown operation',
      '- Context.FetchDocument\n- Document.Copi\n',
      ['2:3 operations[1]: unknown operation "Document.Copi", did you mean "Document.Copy"?'],
    ],
    [
      'unknown alias',
      '- Updat.It\n',
      ['1:3 operations[0]: unknown operation "Updat.It", did you mean "Update.It"?'],
    ],
    ['nothing like it', '- Zzz\n', ['1:3 operations[0]: unknown operation "Zzz"']],
    ['a name of Object.prototype', '- constructor\n', ['1:3 operations[0]: unknown operation "constructor"']],
    [
      'unknown parameter',
      '- Document.Copy:\n    target: /a\n    nam: x\n',
      ['3:5 operations[0].nam: unknown parameter "nam" of Document.Copy, did you mean "name"?'],
    ],
    [
      'a parameter of Object.prototype',
      '- Context.FetchDocument:\n    toString: x\n',
      ['2:5 operations[0].toString: unknown parameter "toString" of Context.FetchDocument; it declares none'],
    ],
    [
      'missing parameter',
      '- Document.Copy:\n    name: x\n',
      ['1:3 operations[0].target: Document.Copy needs the parameter "target"'],
    ],
    [
      'null for a required one',
      '- Document.Copy:\n    target:\n',
      ['1:3 operations[0].target: Document.Copy needs the parameter "target"'],
    ],
    ['itself', '- demo\n', ['1:3 operations[0]: the chain calls itself: demo -> demo']],
    [
      'itself through Run',
      '- RunOperation:\n    id: demo\n',
      ['1:3 operations[0]: the chain calls itself: demo -> demo'],
    ],
    [
      'an expression that cannot be read',
      '- Document.Copy:\n    target: "expr:Document["\n',
      [expect.stringMatching(/^2:13 operations\[0\]\.target: Expression "Document\[" cannot be read: /)],
    ],
    [
      'an expression in a map',
      '- Update.It:\n    properties:\n      dc:title: a\n      dc:source: expr:1 +\n',
      [
        expect.stringMatching(
          /^4:18 operations\[0\]\.properties\.dc:source: Expression "1 \+" cannot be read: /,
        ),
      ],
    ],
    [
      'an expression that does not say so',
      '- Every.Notation:\n    condition: Document.title.startsWith("I"\n',
      [expect.stringMatching(/^2:16 operations\[0\]\.condition: Expression .* cannot be read: /)],
    ],
    [
      'a query',
      '- Every.Notation:\n    query: SELECT * FORM Document WHERE dc:title = ?\n',
      ['2:12 operations[0].query: Syntax error: Invalid token <FORM> at offset 9'],
    ],
    [
      'conditions of a query',
      "- Every.Notation:\n    where: dc:title = = 'a'\n",
      ['2:12 operations[0].where: Syntax error: Invalid token <=> at offset 11'],
    ],
    [
      'statements',
      "- Every.Notation:\n    script: Context['a' = 1\n",
      [expect.stringMatching(/^2:13 operations\[0\]\.script: The script cannot be read: /)],
    ],
    [
      'unknown target of Run',
      '- RunOperation:\n    id: dem\n',
      ['2:9 operations[0].id: unknown operation "dem", did you mean "demo"?'],
    ],
    [
      'unknown parameter of what Run runs',
      '- RunOperation:\n    id: Document.Copy\n    parameters:\n      target: /a\n      nam: x\n',
      ['5:7 operations[0].parameters.nam: unknown parameter "nam" of Document.Copy, did you mean "name"?'],
    ],
    [
      'missing parameter of what Run runs',
      '- RunOperation:\n    id: Document.Copy\n    parameters: { name: x, target: null }\n- RunOperation: { id: Document.Copy }\n',
      [
        '3:17 operations[0].parameters.target: Document.Copy needs the parameter "target"',
        '4:3 operations[1].parameters.target: Document.Copy needs the parameter "target"',
      ],
    ],
    [
      'values for what Run runs',
      '- RunOperation:\n    id: Every.Type\n    parameters:\n      count: many\n      ratio: expr:1\n' +
        '- RunOperation:\n    id: Every.Notation\n    parameters: { query: SELECT * FORM Document }\n',
      [
        '4:14 operations[0].parameters.count: expected an integer, found "many"',
        '8:26 operations[1].parameters.query: Syntax error: Invalid token <FORM> at offset 9',
      ],
    ],
    [
      'lines for what Run runs',
      '- RunOperation:\n    id: Every.Type\n    parameters: "txt=a"\n',
      ['3:17 operations[0].parameters.txt: unknown parameter "txt" of Every.Type, did you mean "text"?'],
    ],
    [
      'parameters of what a loop runs',
      '- Test.Loop:\n    id: Document.Copy\n    list: a\n    parameters: { nam: x }\n',
      [
        '4:19 operations[0].parameters.nam: unknown parameter "nam" of Document.Copy, did you mean "name"?',
        '4:17 operations[0].parameters.target: Document.Copy needs the parameter "target"',
      ],
    ],
    [
      'an unknown bulk action and its query',
      '- Bulk.RunAction:\n    action: trahs\n    query: SELECT * FORM Note\n',
      [
        '3:12 operations[0].query: Syntax error: Invalid token <FORM> at offset 9',
        '2:13 operations[0].action: unknown bulk action "trahs", did you mean "trash"?',
      ],
    ],
    [
      'parameters of a bulk action that are no JSON object',
      ['{', '[]'].map((text) => `- Bulk.RunAction: { action: trash, parameters: "${text}" }\n`).join(''),
      [
        '1:48 operations[0].parameters: expected the text of a JSON object',
        '2:48 operations[1].parameters: expected the text of a JSON object',
      ],
    ],
    [
      'parameters that are not those of the bulk action',
      '- Bulk.RunAction: { action: trash, parameters: { value: perhaps } }\n- Bulk.RunAction: { action: automation }\n',
      [
        '1:48 operations[0].parameters: value: must be true or false',
        '2:3 operations[1].parameters: operationId: name the operation or chain to run',
      ],
    ],
    [
      'an unknown operation of a bulk action',
      '- Bulk.RunAction:\n    action: automationUi\n    parameters: { operationId: Document.Copi }\n',
      [
        '3:32 operations[0].parameters.operationId: unknown operation "Document.Copi", did you mean "Document.Copy"?',
      ],
    ],
    [
      'typos for the operation of a bulk action',
      '- Bulk.RunAction:\n    action: automationUi\n    parameters: { operationId: Document.Copy, parameters: { nam: x } }\n' +
        `- Bulk.RunAction:\n    action: automation\n    parameters: '{"operationId":"Every.Type","parameters":{"count":"x"}}'\n`,
      [
        '3:59 operations[0].parameters.parameters.nam: unknown parameter "nam" of Document.Copy, did you mean "name"?',
        '3:59 operations[0].parameters.parameters.target: Document.Copy needs the parameter "target"',
        '6:17 operations[1].parameters.parameters.count: expected an integer, found "x"',
      ],
    ],
    [
      'everything at once',
      '- Nope\n- Document.Copy:\n    nam: x\n- Every.Type:\n    count: many\n',
      [
        '1:3 operations[0]: unknown operation "Nope"',
        '3:5 operations[1].nam: unknown parameter "nam" of Document.Copy, did you mean "name"?',
        '2:3 operations[1].target: Document.Copy needs the parameter "target"',
        '5:12 operations[2].count: expected an integer, found "many"',
      ],
    ],
  ])('%s', (_, text, expected) => {
    expect(findings(text)).toEqual(expected)
  })

  test.each([
    [
      'cycle through another chain',
      '- b\n',
      { b: '- c\n', c: '- RunOperation:\n    id: demo\n' },
      ['1:3 operations[0]: the chain calls itself: demo -> b -> c -> demo'],
    ],
    [
      'cycle through its own alias',
      'aliases: [me]\noperations:\n- b\n',
      { b: '- me\n' },
      ['3:3 operations[0]: the chain calls itself: demo -> b -> demo'],
    ],
    [
      'an alias of another chain',
      'aliases:\n- other\noperations: []\n',
      { b: 'aliases: [other]\noperations: []\n' },
      ['2:3 aliases[0]: the alias "other" is taken by the chain b'],
    ],
    [
      'an alias that is an operation',
      'aliases:\n- Update.It\noperations: []\n',
      {},
      ['2:3 aliases[0]: the alias "Update.It" is taken by the operation Document.Update'],
    ],
    [
      'an alias twice',
      'aliases: [x, x]\noperations: []\n',
      {},
      ['1:14 aliases[1]: the alias "x" is taken by this chain itself'],
    ],
    [
      'unknown parameter of a chain',
      '- b:\n    foldr: x\n',
      { b: 'params:\n- folder:\noperations: []\n' },
      ['2:5 operations[0].foldr: unknown parameter "foldr" of b, did you mean "folder"?'],
    ],
    [
      'missing parameter of a chain',
      '- b\n',
      { b: 'params:\n- folder:\n    required: true\noperations: []\n' },
      ['1:3 operations[0].folder: b needs the parameter "folder"'],
    ],
    [
      'wrong type for a chain',
      '- b:\n    n: x\n',
      { b: 'params:\n- n:\n    type: integer\noperations: []\n' },
      ['2:8 operations[0].n: expected an integer, found "x"'],
    ],
    [
      'typos in what Run hands to a chain',
      '- RunOperation: { id: b, parameters: { colour: red, level: ten } }\n',
      { b: 'params:\n- color: { required: true }\n- level: { type: integer }\noperations: []\n' },
      [
        '1:40 operations[0].parameters.colour: unknown parameter "colour" of b, did you mean "color"?',
        '1:60 operations[0].parameters.level: expected an integer, found "ten"',
        '1:38 operations[0].parameters.color: b needs the parameter "color"',
      ],
    ],
    [
      'what no step of a chain reads',
      '- RunOperation: { id: b, parameters: { sourc: x } }\n',
      { b: '- Every.Type: { text: "expr:ChainParameters.source" }\n- RunOperation: { id: c }\n', c: '[]' },
      ['1:40 operations[0].parameters.sourc: unknown parameter "sourc" of b; it declares none'],
    ],
    [
      'an alias given up that others use',
      '- Context.FetchDocument\n',
      { demo: 'aliases: [old]\noperations: []\n', b: '- old\n' },
      ['undefined:undefined aliases: the alias "old" is still used by b'],
    ],
  ])('%s', (_, text, chains, expected) => {
    expect(findings(text, chains)).toEqual(expected)
  })

  test('an id that is taken', () => {
    for (const [id, owner] of [
      ['Document.Copy', 'the operation Document.Copy'],
      ['Update.It', 'the operation Document.Update'],
      ['other', 'the chain b'],
    ] as const) {
      const { chain, places } = parseChain({ id, text: '{}', format: 'yaml' })
      const registry = registryOf({ b: 'aliases: [other]\noperations: []\n' })
      expect(findingsOfChain({ chain, places, registry })).toEqual([
        { field: 'id', message: `the id "${id}" is taken by ${owner}` },
      ])
    }
  })

  test('when calls multiply, also by the change of a chain deep inside', () => {
    const chains = { a: `[${Array(20).fill('b')}]`, b: `[${Array(20).fill('demo')}]`, demo: '[]' }
    const steps = (count: number): string => '- Context.FetchDocument\n'.repeat(count)
    expect(findings(steps(12), chains)).toEqual([])
    expect(findings(steps(13), chains)).toEqual([
      'undefined:undefined operations: with every call followed, the chain a comes to 5200 operations; at most 5000 are allowed',
    ])
  })

  test('in bounded time, however much is wrong', () => {
    const took = computingTime(() => expect(findings('- Document.Copyy\n'.repeat(15_000))).toHaveLength(100))
    expect(took).toBeLessThan(20_000)
  })

  test('with all findings in one error', () => {
    const { chain, places } = parseChain({ id: 'demo', text: '- A\n- B\n', format: 'yaml' })
    expect(() => checkChain({ chain, places, registry: registryOf() })).toThrow(
      expect.objectContaining({
        code: 'invalid',
        status: 422,
        message: `Chain 'demo' is refused: unknown operation "A" (line 1, column 3), and 1 more`,
        details: [expect.objectContaining({ line: 1 }), expect.objectContaining({ line: 2 })],
      }),
    )
  })
})

import { describe, expect, test } from 'vitest'
import { isArchivoltError } from '../errors/index.js'
import { parseChain } from './parse-chain.js'
import type { ChainFormat } from './types.js'
import { writeXml } from './write-xml.js'
import { writeYaml } from './write-yaml.js'

const parse = (text: string, format: ChainFormat = 'yaml') => parseChain({ id: 'demo', text, format })

/** `line:column field: message` of each problem. */
const problemsOf = (text: string, format: ChainFormat = 'yaml'): string[] => {
  try {
    parse(text, format)
  } catch (error) {
    if (!isArchivoltError(error)) throw error
    expect(error.code).toBe('invalid')
    return error.details.map(
      ({ line, column, field, message }) => `${line}:${column} ${field ? `${field}: ` : ''}${message}`,
    )
  }
  return []
}

/** The example of automation.md §8. */
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

const XML = `<chain id="demo" replace="true"><description>Copies a note</description>
 <aliases><alias>demo.old</alias></aliases>
 <param type="string" name="folder" required="true"><value>/inbox</value></param>
 <operation id="Context.FetchDocument"/>
 <operation id="Document.Copy"><param type="document" name="target">expr:ChainParameters["folder"]</param></operation>
 <operation id="Document.Update"><param type="properties" name="properties"><property key="dc:title">a &lt; b</property></param></operation>
</chain>
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
      ['2:3 operations[0]: expected a map with the parameters of A, found a list'],
    ],
    [
      'a text for parameters',
      '- A: now\n',
      ['1:6 operations[0]: expected a map with the parameters of A, found a text'],
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
        '2:10 aliases: expected a list, found a number',
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
      ['1:1 expected a list of operations or a map with description, params and operations, found a text'],
    ],
    [
      'broken indentation',
      '- A:\n    p: 1\n   q: 2\n',
      ['3:1 All mapping items must start at the same column'],
    ],
    ['two documents', '- A\n---\n- B\n', ['2:1 more than one YAML document; a chain is one']],
    [
      'the id of another chain',
      'entity-type: chain\nid: other\noperations: []\n',
      ['2:5 id: the chain is deployed as "demo", but calls itself "other"'],
    ],
  ])('is refused with places: %s', (_, text, problems) => {
    expect(problemsOf(text)).toEqual(problems)
  })
})

describe('hostile YAML', () => {
  const bomb = ['a: &a [x,x,x,x,x,x,x,x,x]']
  for (let level = 1; level < 9; level++) {
    const before = String.fromCharCode(96 + level)
    const name = String.fromCharCode(97 + level)
    bomb.push(`${name}: &${name} [${Array(9).fill(`*${before}`).join(',')}]`)
  }

  test.each([
    ['aliases that multiply', bomb.join('\n'), /more than 20000 values, aliases followed/],
    ['an anchor inside itself', '- A: &a\n    p: *a\n', /nested deeper than 32 levels/],
    ['an alias without an anchor', '- A: *missing\n', /missing/],
    ['deep nesting', `- A: ${'['.repeat(5000)}${']'.repeat(5000)}`, /nested deeper/],
    ['a key twice', '- A:\n    p: 1\n    p: 2\n', /^3:5 p: the key "p" appears twice$/],
    [
      'the key __proto__',
      '- A:\n    m:\n      __proto__:\n        x: 1\n',
      /^3:7 __proto__: the name __proto__ is not allowed$/,
    ],
    ['a NUL', '- A:\n    p: "a\\0b"\n', /^2:8 contains a character that cannot be stored/],
    ['half a surrogate pair', '- A:\n    p: "\\uD800"\n', /cannot be stored/],
    ['an unknown tag', '- A:\n    p: !!js/function "x"\n', /^2:8 .*tag/],
    [
      'binary by an old directive',
      '%YAML 1.1\n---\n- A:\n    p: !!binary aGk=\n',
      /only texts, numbers and booleans/,
    ],
    ['a key that is a list', '- ? [a]\n  : 1\n', /a key must be a plain text/],
    ['infinity', '- A:\n    p: .inf\n', /^2:8 the number \.inf cannot be kept exactly/],
    ['a number that would lose digits', '- A:\n    p: 12345678901234567890\n', /write it in quotes/],
  ])('is refused: %s', (_, text, message) => {
    const started = performance.now()
    expect(problemsOf(text)[0]).toMatch(message)
    expect(performance.now() - started).toBeLessThan(2_000)
  })

  test('many keys take no quadratic time', () => {
    const keys = Array.from({ length: 19_000 }, (_, index) => `k${index}`).join(',')
    const started = performance.now()
    expect(Object.keys(parse(`- A: {${keys}}`).chain.steps[0]?.params ?? {})).toHaveLength(19_000)
    expect(performance.now() - started).toBeLessThan(2_000)
  })

  test('names of Object.prototype are names like others', () => {
    const { chain } = parse('- constructor:\n    toString: 1\n')
    expect(chain.steps[0]).toMatchObject({ operation: 'constructor', params: { toString: 1 } })
  })

  test('a text over the limit is too large', () => {
    expect(() => parse(' '.repeat(300_000))).toThrow(expect.objectContaining({ code: 'tooLarge' }))
  })

  test.each(['', 'a/b', '../up', 'Chain.demo', 'schema.json', 'a\u0000', `a${'b'.repeat(200)}`, 'demo '])(
    'the id %j is refused',
    (id) => {
      expect(() => parseChain({ id, text: '- A', format: 'yaml' })).toThrow(/cannot be a chain's id/)
    },
  )
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

describe('XML', () => {
  test('is read with the place of each step', () => {
    expect(parse(XML, 'xml').chain).toEqual({
      id: 'demo',
      description: 'Copies a note',
      aliases: ['demo.old'],
      params: [{ name: 'folder', type: 'string', isRequired: true, values: ['/inbox'] }],
      steps: [
        {
          operation: 'Context.FetchDocument',
          params: {},
          at: { line: 4, column: 2, field: 'operations[0]' },
        },
        {
          operation: 'Document.Copy',
          params: { target: 'expr:ChainParameters["folder"]' },
          at: { line: 5, column: 2, field: 'operations[1]' },
        },
        {
          operation: 'Document.Update',
          params: { properties: { 'dc:title': 'a < b' } },
          at: { line: 6, column: 2, field: 'operations[2]' },
        },
      ],
    })
  })

  test.each([
    ['integer', '12', 12],
    ['long', '-3', -3],
    ['long', '12345678901234567890', '12345678901234567890'],
    ['integer', 'twelve', 'twelve'],
    ['float', '1.5', 1.5],
    ['boolean', 'TRUE', true],
    ['boolean', 'no', 'no'],
    ['boolean', 'expr:a && b', 'expr:a && b'],
    ['document', './a', './a'],
    ['date', '2024-01-01', '2024-01-01'],
    ['strange', '1', '1'],
    ['properties', 'a=1\nb=2', 'a=1\nb=2'],
  ])('a parameter of type %s reads %j', (type, text, value) => {
    const { chain } = parse(
      `<chain><operation id="A"><param type="${type}" name="p">\n <![CDATA[${text}]]> </param></operation></chain>`,
      'xml',
    )
    expect(chain.steps[0]?.params.p).toEqual(value)
  })

  test('becomes YAML and comes back', () => {
    const { chain } = parse(XML, 'xml')
    const places = (steps: typeof chain.steps) => steps.map(({ at: _, ...step }) => step)
    for (const again of [parse(writeYaml(chain)).chain, parse(writeXml(chain), 'xml').chain])
      expect({ ...again, steps: places(again.steps) }).toEqual({ ...chain, steps: places(chain.steps) })
  })

  test('may ask not to replace', () => {
    expect(parse('<chain id="demo" replace="false"/>', 'xml').mayReplace).toBe(false)
    expect(parse('<chain id="demo"/>', 'xml').mayReplace).toBe(true)
  })

  test.each([
    ['another root', '<chains/>', ['1:1 expected the element <chain>, found <chains>']],
    [
      'a misspelt element',
      '<chain>\n <operatoin id="A"/></chain>',
      ['2:2 unexpected element <operatoin> inside <chain>, did you mean "operation"?'],
    ],
    [
      'a misspelt attribute',
      '<chain>\n <operation ids="A"/></chain>',
      [
        '2:2 unknown attribute "ids" of <operation>, did you mean "id"?',
        '2:2 <operation> needs the attribute id',
      ],
    ],
    [
      'stray text',
      '<chain>\n <operation id="A">hello</operation></chain>',
      ['2:20 unexpected text inside <operation>'],
    ],
    ['another id', '<chain id="x"/>', ['1:1 id: the chain is deployed as "demo", but calls itself "x"']],
    [
      'a parameter given twice',
      '<chain><operation id="A"><param name="p">1</param>\n<param name="p">2</param></operation></chain>',
      ['2:1 operations[0].p: the parameter "p" is given twice'],
    ],
    ['an attribute without quotes', '<chain id=demo/>', ['1:1 attribute "demo" missed quot(")!']],
    [
      'an end that does not fit',
      '<chain>\n<operation id="A">\n</chain>',
      ['2:19 Opening and ending tag mismatch: "operation" != "chain"'],
    ],
    [
      'a document type',
      '<!DOCTYPE chain><chain/>',
      ['1:1 a document type declaration (<!DOCTYPE>) is not allowed'],
    ],
    [
      'an external entity',
      '<!DOCTYPE c [<!ENTITY e SYSTEM "file:///etc/passwd">]><chain><description>&e;</description></chain>',
      ['1:1 a document type declaration (<!DOCTYPE>) is not allowed'],
    ],
    ['an unknown entity', '<chain><description>&e;</description></chain>', ['1:8 entity not found:&e;']],
    [
      'a NUL',
      '<chain><description>&#0;</description></chain>',
      ['1:8 description: contains a character that cannot be stored (NUL or half a surrogate pair)'],
    ],
    ['nothing', '', ['1:1 missing root element']],
    [
      'deep nesting',
      `<chain>${'<a>'.repeat(9000)}${'</a>'.repeat(9000)}</chain>`,
      ['1:8 unexpected element <a> inside <chain>'],
    ],
  ])('is refused with places: %s', (_, text, problems) => {
    expect(problemsOf(text, 'xml')).toEqual(problems)
  })
})

import { describe, expect, test } from 'vitest'
import { writeXml } from '../writing/write-xml.js'
import { writeYaml } from '../writing/write-yaml.js'
import { parse, problemsOf } from './parse-chain.fixture.js'

const XML = `<chain id="demo" replace="true"><description>Copies a note</description>
 <aliases><alias>demo.old</alias></aliases>
 <param type="string" name="folder" required="true"><value>/inbox</value></param>
 <operation id="Context.FetchDocument"/>
 <operation id="Document.Copy"><param type="document" name="target">expr:ChainParameters["folder"]</param></operation>
 <operation id="Document.Update"><param type="properties" name="properties"><property key="dc:title">a &lt; b</property></param></operation>
</chain>
`

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
    [
      'a value as an attribute',
      '<chain><operation id="A">\n<param name="p" value="1"/></operation></chain>',
      ['2:1 <param> takes its value as text between its tags, and not as the attribute value'],
    ],
    [
      'a default as text',
      '<chain>\n<param name="p">en</param></chain>',
      ['2:17 params.p: a default of the parameter is written <value>en</value>'],
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
      ['2:19 Opening and ending tag mismatch: "operation" != "chain"; is an element not closed?'],
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

import { describe, expect, test } from 'vitest'
import { computingTime } from '../../../../../test/support/computing-time.js'
import { namesOfYaml } from '../../../lint/names.fixture.js'
import { parseChain } from '../../reading/parse-chain.js'
import { registryOf } from '../../registry.fixture.js'
import { warningsOfChain } from './chain-warnings.js'

const SCHEMAS = `
schemas:
  dublincore: { prefix: dc, fields: { title: string, subjects: "string[]" } }
  uid: { fields: { uid: string } }
`
const names = namesOfYaml(SCHEMAS)

const warnings = (
  text: string,
  format: 'yaml' | 'xml' = 'yaml',
  chains: { [id: string]: string } = {},
): string[] => {
  const { chain, places } = parseChain({ id: 'demo', text, format })
  return warningsOfChain({ chain, places, registry: registryOf(chains), names }).map(
    ({ line, column, field, message }) => `${line}:${column} ${field}: ${message}`,
  )
}

const step = (value: string): string => `- Every.Type:\n    text: ${value}\n`

test.each([
  'expr:Document["dc:title"] + Document.title + Document.dublincore.title + Document["dc:subjects/0"]',
  'expr:Document.getTitle() + Document.parent.titel + Document.hasFacet("a") + Document.getParent("x").name',
  `'expr:Document.isFolder ? currentDocument.lifeCycle : Context["Document.titel"]'`,
  'expr:ChainParameters["whatever"]',
  '"expr:@{Document[\'dc:title\']} by @{CurrentUser.name}"',
  'Document.titel and ChainParameters.x, in words',
])('%s needs no warning', (value) => {
  expect(warnings(step(value))).toEqual([])
})

test.each([
  [
    'expr:Document["dc:titel"]',
    '2:16 operations[0].text: Document["dc:titel"]: no schema has the property "dc:titel", so that it is null, did you mean "dc:title"?',
  ],
  [
    '"expr:a @{Document.titel} b"',
    '2:21 operations[0].text: Document.titel: no schema has the property "titel", so that it is null, did you mean "title"?',
  ],
  [
    'expr:1 + currentDocument.getTitel()',
    '2:20 operations[0].text: currentDocument.getTitel(…): documents have no such method',
  ],
  [
    'expr:Document.hasFacets("a")',
    '2:16 operations[0].text: Document.hasFacets(…): documents have no such method, did you mean "hasFacet"?',
  ],
  [
    '"of @{Document.title}"',
    '2:15 operations[0].text: the text holds @{…}, and stays as it is: what is evaluated begins with expr:',
  ],
])('%s is warned of', (value, warning) => {
  expect(warnings(step(value))).toEqual([warning])
})

test('parameters that a chain with parameters does not declare', () => {
  const text = (key: string): string =>
    `params:\n- folder:\noperations:\n- Update.It:\n    properties:\n      dc:title: expr:${key}\n`
  expect(warnings(text('ChainParameters["folder"] + ChainParameters.folder'))).toEqual([])
  expect(warnings(text('ChainParameters["foldr"]'))).toEqual([
    '6:22 operations[0].properties.dc:title: ChainParameters.foldr: the chain declares no parameter "foldr", did you mean "folder"?',
  ])
})

test('what a chain with parameters is handed, and reads without declaring it', () => {
  const reading = '- Every.Type:\n    text: expr:ChainParameters.colour\n'
  const chains = {
    open: reading,
    strict: `params:\n- color:\noperations:\n${reading}`,
  }
  const run = (id: string): string =>
    `- RunOperation:\n    id: ${id}\n    parameters:\n      color: red\n      colour: red\n`
  expect(warnings(run('open'), 'yaml', chains)).toEqual([])
  expect(warnings(run('strict'), 'yaml', chains)).toEqual([
    '5:7 operations[0].parameters.colour: unknown parameter "colour" of strict, did you mean "color"?',
  ])
})

test.each([
  ['expr:greeting', 'nothing sets the variable "greeting", so that it is null, unless a caller passes it'],
  [
    '"expr:Context[\'error\']"',
    'nothing sets the variable "error", so that it is null; an error chain reads exceptionName and exceptionObject',
  ],
])('a variable that nothing sets: %s', (value, message) => {
  expect(warnings(step(value))).toEqual([expect.stringContaining(message)])
})

test.each([
  ['fuond', 'did you mean "found"?'],
  ['foldr', 'did you mean ChainParameters["folder"]?'],
  ['greeting', 'unless a caller passes it'],
])('a variable that is asked of Context and is almost right: %s', (name, hint) => {
  const chain = `params:\n- folder:\noperations:\n- Every.Name:\n    name: found\n${step(`expr:Context["${name}"]`)}`
  const message = `nothing sets the variable "${name}", so that it is null, ${hint}`
  expect(warnings(chain)).toEqual([`7:16 operations[1].text: ${message}`])
})

test.each([
  ['a step sets it', '- Every.Type:\n    text: greeting\n', 'greeting', {}],
  ['a parameter', 'params:\n- greeting:\noperations:\n', 'ChainParameters.greeting', {}],
  ['another chain does', '', 'greeting', { other: '- Every.Type:\n    text: greeting\n' }],
  ['a step may set any', '- Every.Name:\n    name: expr:Document.name\n', 'greeting', {}],
  ['the expression allows for its absence', '', 'Context.greeting == null', {}],
  ['of a failure', '', 'exceptionName + exceptionObject.message', {}],
  ['of an event', '', 'Event.name', {}],
  ['of several events', '', 'bulk of @{Events.size()}', {}],
  ['of a workflow', '', 'WorkflowVariables.level + NodeVariables.reminders + workflowInitiator', {}],
])('a variable is not warned of: %s', (_, before, name, chains) => {
  expect(warnings(`${before}${step(`"expr:${name}"`)}`, 'yaml', chains)).toEqual([])
})

test('durations of business days that nothing has deployed', () => {
  const known = namesOfYaml('durations: { review: { numberOfDays: 3 } }')
  const found = (expression: string) => {
    const { chain, places } = parseChain({ id: 'demo', text: step(expression), format: 'yaml' })
    const checked = warningsOfChain({ chain, places, registry: registryOf({}), names: known })
    return checked.map(({ message }) => message)
  }
  expect(found('expr:CurrentDate.businessDays("review").date')).toEqual([])
  expect(found('expr:Fn.getLimitDate("review", CurrentDate.date)')).toEqual([])
  const message = (name: string) =>
    `the date is null: there is no duration of business days "${name}", did you mean "review"?`
  expect(found('expr:CurrentDate.businessDays("revew").date')).toEqual([message('revew')])
  expect(found("expr:Fn.getLimitDate('reviews', CurrentDate.date)")).toEqual([message('reviews')])
})

describe('a loop', () => {
  const chains = {
    blind: '- Context.FetchDocument\n- Every.Type:\n    text: x\n',
    reading: '- Context.FetchDocument\n- Every.Type:\n    text: expr:item\n',
    nested: '- RunOperation:\n    id: reading\n',
    own: '- Every.Type:\n    text: expr:one\n',
  }
  const loop = (id: string, more = ''): string => `- Test.Loop:\n    id: ${id}\n    list: found\n${more}`

  test.each([
    loop('reading'),
    loop('nested'),
    loop('own', '    item: one\n'),
    loop('expr:ChainParameters.id'),
  ])('whose target may read the element: %s', (text) => {
    expect(warnings(text, 'yaml', chains)).toEqual([])
  })

  test.each([loop('blind'), loop('own'), loop('Context.FetchDocument')])(
    'whose target does not: %s',
    (text) => {
      expect(warnings(text, 'yaml', chains)).toEqual([
        expect.stringMatching(
          /^2:9 operations\[0\]\.id: .* does not read the variable "item" that holds the element/,
        ),
      ])
    },
  )
})

test.each([
  ['foudn', ['5:11 operations[1].list: nothing sets the variable "foudn", did you mean "found"?']],
  ['found', []],
  ['whatever', []],
  ['expr:name', []],
])('a loop over the list %s, where a step sets found', (list, expected) => {
  const text = `- Every.Name:\n    name: found\n- Test.Loop:\n    id: reading\n    list: ${list}\n`
  const reported = warnings(text, 'yaml', {
    reading: '- Every.Type:\n    text: expr:item\n',
    // What is deployed already names the list as well.
    demo: text,
  })
  expect(reported.filter((line) => line.includes('.list: nothing'))).toEqual(expected)
})

test.each([
  ['expr:Fn.getEmail("a") + Session.query("SELECT * FROM File") + Fn.toString() + HTTP.get("a")', []],
  [
    'expr:Fn.getNexId("a")',
    ['2:16 operations[0].text: Fn.getNexId: there is no such function, did you mean "getNextId"?'],
  ],
  [
    'expr:Session.saveDocument(Document)',
    ['2:16 operations[0].text: Session.saveDocument: only scripts have this function'],
  ],
  ['expr:HTTP.head("a")', ['2:16 operations[0].text: HTTP.head: there is no such function']],
])('functions of %s', (value, expected) => {
  expect(warnings(step(value))).toEqual(expected)
})

describe('statements of a script', () => {
  const script = (...lines: string[]): string =>
    `- Every.Notation:\n    script: |\n${lines.map((line) => `      ${line}\n`).join('')}`

  test.each([
    [
      'Context["a"] = Document["dc:title"] + Fn.getNextId("a")',
      'Session.saveDocument(Document); "@{Document.titel}"',
    ],
    ['var Fn = {next: 1}; Fn.whatever()', 'Document.setPropertyValue("dc:title", "x")'],
    ['Document = Session.getDocument("/a"); Document.anything', 'ChainParameters["x"]'],
  ])('%s needs no warning', (...lines) => {
    expect(warnings(script(...lines))).toEqual([])
  })

  test('are looked at like expressions, with their line', () => {
    const text = script(
      'Context["a"] = Document["dc:titel"]',
      'Context["b"] = Fn.getEmials("a")',
      'Document.getTitel()',
    )
    expect(warnings(text)).toEqual([
      '2:13 operations[0].script: Document["dc:titel"]: no schema has the property "dc:titel", so that it is null, did you mean "dc:title"? (line 1 of the script)',
      '2:13 operations[0].script: Fn.getEmials: there is no such function, did you mean "getEmails"? (line 2 of the script)',
      '2:13 operations[0].script: Document.getTitel(…): documents have no such method (line 3 of the script)',
    ])
  })

  test('of one line are reported with their column', () => {
    expect(warnings('- Every.Notation:\n    script: Context["a"] = Fn.getEmials("a")\n')).toEqual([
      '2:28 operations[0].script: Fn.getEmials: there is no such function, did you mean "getEmails"?',
    ])
  })

  test('see parameters that the chain does not declare', () => {
    const text = `params:\n- folder:\noperations:\n- Every.Notation:\n    script: ChainParameters.foldr\n`
    expect(warnings(text)).toEqual([
      expect.stringMatching(/declares no parameter "foldr", did you mean "folder"/),
    ])
  })
})

test('conditions, and filters of error chains', () => {
  expect(
    warnings('- Every.Notation:\n    condition: Document.titel == 1\n    where: dc:a = "@{b}"\n'),
  ).toEqual([expect.stringMatching(/^2:16 operations\[0\]\.condition: Document\.titel: /)])
  expect(warnings('operations: []\nonError:\n- chain: a\n  filter: Document.titel == 1\n')).toEqual([
    expect.stringMatching(/onError\[0\]\.filter: Document\.titel: /),
  ])
})

test.each([
  ['exceptionName = "NotFound"', true],
  ['expr:exceptionName = "NotFound"', true],
  ['exceptionName == "a = b" && x >= 1 && [1].some(y => y != 2)', false],
  ['wanted = "NotFound"; exceptionName == wanted', false],
])('a filter of error chains that is %s assigns: %s', (filter, assigns) => {
  const text = `operations: []\nonError:\n- chain: a\n  filter: '${filter}'\n`
  const warning = expect.stringMatching(/^4:\d+ onError\[0\]\.filter: a condition assigns with "=": write ==/)
  expect(warnings(text).filter((line) => line.includes('assigns'))).toEqual(assigns ? [warning] : [])
})

test('types that XML may call as it likes', () => {
  expect(warnings('<chain id="demo">\n <param name="n" type="int"/></chain>', 'xml')).toEqual([
    expect.stringMatching(
      /^2:2 params\.n\.type: unknown type "int", did you mean "integer"\? .*; it is read as text$/,
    ),
  ])
})

test('thousands of typos are not each compared with all that might be meant', () => {
  const fields = Array.from({ length: 1_000 }, (_, n) => `subject${n}: string`).join(', ')
  const large = `schemas: { dublincore: { prefix: dc, fields: { ${fields} } } }`
  const names = namesOfYaml(large)
  const text = step(`expr:${Array.from({ length: 2_500 }, (_, n) => `Document["dc:subjct${n}"]`).join('+')}`)
  const { chain, places } = parseChain({ id: 'demo', text, format: 'yaml' })
  const registry = registryOf()
  const took = computingTime(() =>
    expect(warningsOfChain({ chain, places, registry, names })).toHaveLength(100),
  )
  expect(took).toBeLessThan(10_000)
})

test('nor are thousands of names in properties, lists, queries and expressions', () => {
  const many = (of: (n: number) => string, by: string): string =>
    Array.from({ length: 4_000 }, (_, n) => of(n)).join(by)
  const text = [
    `- Every.Type: {text: "expr:${many((n) => `greting${n}`, '+')}"}`,
    `- Every.Notation: {query: "SELECT * FROM Document WHERE ${many((n) => `dc:titel${n} = 1`, ' OR ')}"}`,
    `- Every.Name: {properties: {${many((n) => `"dc:titel${n}": x`, ', ')}}, types: "${many((n) => `Fil${n}`, ',')}"}`,
  ].join('\n')
  const { chain, places } = parseChain({ id: 'demo', text, format: 'yaml' })
  const registry = registryOf()
  const took = computingTime(() =>
    expect(warningsOfChain({ chain, places, registry, names })).toHaveLength(100),
  )
  expect(took).toBeLessThan(20_000)
})

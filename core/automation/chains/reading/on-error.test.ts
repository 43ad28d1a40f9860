import { expect, test } from 'vitest'
import { createRegistry } from '../../language/index.js'
import { operations } from '../../operations/index.js'
import { findingsOfChain } from '../checking/check-chain.js'
import { callersOf } from '../checking/targets.js'
import { chainOf } from '../registry.fixture.js'
import { writeXml } from '../writing/write-xml.js'
import { writeYaml } from '../writing/write-yaml.js'
import { parse, problemsOf } from './parse-chain.fixture.js'

const YAML = `operations:
- Context.FetchDocument
onError:
- chain: fix
- chain: worse
  filter: expr:exceptionName == "DocumentNotFoundException"
  rollback: false
  priority: 2
`

const EXPECTED = [
  { chain: 'fix', rollback: true, priority: 0 },
  {
    chain: 'worse',
    filter: 'expr:exceptionName == "DocumentNotFoundException"',
    rollback: false,
    priority: 2,
  },
]

const CATCH = `<catchChain id="c1" onChainId="demo"><run chainId="fix"/>
  <run chainId="worse" priority="2" rollBack="false" filterId="f1"/></catchChain>`
const FILTER = `<filter id="f1">expr:exceptionName == "DocumentNotFoundException"</filter>`
const CHAIN = '<chain id="demo"><operation id="Context.FetchDocument"/></chain>'

const withoutPlaces = (text: string, format: 'yaml' | 'xml') =>
  parse(text, format).chain.onError?.map(({ at: _, ...errorChain }) => errorChain)

test.each([
  ['in the map view', YAML, 'yaml'],
  ['inside of the chain', CHAIN.replace('</chain>', `${CATCH}${FILTER}</chain>`), 'xml'],
  ['beside the chain', `<extension point="chains">${CHAIN}${CATCH}${FILTER}</extension>`, 'xml'],
  [
    'in extensions of their own',
    `<component name="x"><extension>${CHAIN}</extension><extension>${CATCH}</extension><extension>${FILTER}</extension></component>`,
    'xml',
  ],
] as const)('error chains are read %s', (_, text, format) => {
  expect(withoutPlaces(text, format)).toEqual(EXPECTED)
})

test('error chains are written as they are read', () => {
  const { chain } = parse(YAML)
  expect(writeYaml(chain)).toBe(YAML)
  expect(withoutPlaces(writeXml(chain), 'xml')).toEqual(EXPECTED)
})

test.each([
  [
    'onError: fix',
    [
      '1:10 onError: expected a list of maps with chain, filter, rollback, priority, found a text; write - chain: fix',
    ],
  ],
  [
    'onError: [fix]',
    [
      '1:11 onError[0]: expected a map with chain, filter, rollback, priority, found a text; write - chain: fix',
    ],
  ],
  [
    'onError:\n- chain: a\n  filter: exceptionName == (\n',
    [expect.stringMatching(/^3:11 onError\[0\]\.filter: Expression .* cannot be read: /)],
  ],
  ['onError: [{}]', ['1:11 onError[0].chain: the key "chain" is needed: the chain that runs']],
  [
    'onError:\n- chain: a\n  rolback: false\n  priority: high\n  rollback: 1\n  filter: true\n',
    [
      '3:3 onError[0].rolback: unknown key "rolback", did you mean "rollback"?',
      '4:13 onError[0].priority: expected a number, found a text',
      '5:13 onError[0].rollback: expected true or false, found a number',
      '6:11 onError[0].filter: expected an expression, found a boolean',
    ],
  ],
])('%j is refused', (text, problems) => {
  expect(problemsOf(text)).toEqual(problems)
})

test.each([
  [`<extension>${CATCH}</extension>`, /expected the element <chain>/],
  [`<extension>${CHAIN}${CHAIN}</extension>`, /one chain is deployed at a time/],
  [`<extension>${CHAIN}${CATCH}</extension>`, /no <filter> with the id "f1"/],
  [
    `<extension>${CHAIN}${CATCH}<filter id="f1">expr:1 +</filter></extension>`,
    /Expression "1 \+" cannot be read/,
  ],
  [
    `<extension>${CHAIN}${CATCH}<filter id="f1">expr:1 +</filter></extension>`,
    /Expression "1 \+" cannot be read/,
  ],
  [`<extension>${CHAIN}${CATCH.replace('demo', 'other')}${FILTER}</extension>`, /error chains of "other"/],
  [
    `<extension>${CHAIN}${CATCH.replace('"2"', '"high"')}${FILTER}</extension>`,
    /expected a number, found "high"/,
  ],
])('%j is refused', (text, message) => {
  expect(problemsOf(text, 'xml').join()).toMatch(message)
})

const registry = createRegistry(operations, [
  chainOf('fix', '- Context.FetchDocument\n'),
  chainOf('looping', 'operations: [Context.FetchDocument]\nonError:\n- chain: demo\n'),
  chainOf('committing', '- RunInNewTransaction:\n    id: fix\n'),
])

test.each([
  ['operations: []\nonError: [{chain: fix}]', []],
  ['operations: []\nonError: [{chain: fox}]', ['onError[0].chain: unknown chain "fox", did you mean "fix"?']],
  [
    'operations: []\nonError: [{chain: Document.Query}]',
    ['onError[0].chain: unknown chain "Document.Query"'],
  ],
  [
    'operations: []\nonError: [{chain: demo}]',
    ['onError[0].chain: the chain is its own error chain: demo -> demo'],
  ],
  [
    'operations: []\nonError: [{chain: looping}]',
    ['onError[0].chain: the chain is its own error chain: demo -> looping -> demo'],
  ],
  [
    'operations: []\nonError: [{chain: committing}]',
    ['onError[0].chain: committing commits on its way; an error chain is one transaction'],
  ],
  [
    '- RunInNewTransaction:\n    id: fix\n',
    ['operations: it is an error chain of looping, and must not commit on its way'],
  ],
])('the check of %j', (text, expected) => {
  const { chain, places } = parse(text)
  const found = findingsOfChain({ chain, places, registry })
  expect(found.map(({ field, message }) => `${field}: ${message}`)).toEqual(expected)
})

test('a chain that is an error chain is called by the chains that name it', () => {
  expect(callersOf(chainOf('demo', '- Context.FetchDocument\n'), registry)).toEqual(['looping'])
})

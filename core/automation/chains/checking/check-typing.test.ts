import { expect, test } from 'vitest'
import { createRegistry, defineOperation, type ValueType, VOID } from '../../language/index.js'
import { parseChain } from '../reading/parse-chain.js'
import { findingsOfChain } from './check-chain.js'

const operation = (
  id: string,
  input: ValueType,
  output: ValueType,
  rest: { callsTarget?: 'once'; isSlow?: boolean } = {},
) =>
  defineOperation({
    id,
    label: id,
    category: 'Test',
    description: `Does ${id}`,
    params: { id: { type: 'string' } },
    methods: ({ method }) => [method(input, output, async () => VOID)],
    ...rest,
  })

const OPERATIONS = [
  operation('Fetch', 'void', 'document'),
  operation('Lock', 'document', 'document'),
  operation('GetFile', 'document', 'blob'),
  operation('Convert', 'blob', 'blob'),
  operation('Slow', 'blob', 'blob', { isSlow: true }),
  operation('Describe', 'document', 'string'),
  operation('Run', 'void', 'void', { callsTarget: 'once' }),
]

const findings = (text: string): string[] => {
  const { chain, places } = parseChain({ id: 'demo', text, format: 'yaml' })
  const inner = parseChain({ id: 'inner', text: '- GetFile', format: 'yaml' }).chain
  return findingsOfChain({ chain, places, registry: createRegistry(OPERATIONS, [inner]) }).map(
    ({ line, field, message }) => `${line} ${field}: ${message}`,
  )
}

test.each([
  [
    'a file is no document',
    '- GetFile\n- Lock',
    '2 operations[1]: "Lock" takes no input of type blob, which "GetFile" (operations[0]) gives: no input finds a way through',
  ],
  [
    'whatever comes in, a document is fetched',
    '- Fetch\n- Lock\n- Convert',
    '3 operations[2]: "Convert" takes no input of type document, which "Lock" (operations[1]) gives: no input finds a way through',
  ],
  [
    'behind a call, which may give anything',
    '- Run:\n    id: inner\n- GetFile\n- Lock',
    '4 operations[2]: "Lock" takes no input of type blob, which "GetFile" (operations[1]) gives: no input finds a way through',
  ],
])('a chain that no input gets through is refused: %s', (_, text, expected) => {
  expect(findings(text)).toEqual([expected])
})

test('every such step is named, beside other mistakes', () => {
  const lost = (taker: number, giver: string, at: number): string =>
    `operations[${taker}]: "Lock" takes no input of type blob, which "${giver}" (operations[${at}]) gives: no input finds a way through`
  expect(findings('- GetFile\n- Slow\n- Lock\n- Nope\n- GetFile\n- Lock')).toEqual([
    '4 operations[3]: unknown operation "Nope"',
    `3 ${lost(2, 'Slow', 1)}`,
    `6 ${lost(5, 'GetFile', 4)}`,
  ])
})

test.each([
  '- Lock\n- GetFile\n- Convert',
  '- Describe\n- Lock',
  '- GetFile\n- Run:\n    id: inner\n- Lock',
  '- GetFile\n- inner\n- Lock',
  '- GetFile\n- Fetch\n- Lock',
  '[]',
])('what an input may get through is not: %j', (text) => {
  expect(findings(text)).toEqual([])
})

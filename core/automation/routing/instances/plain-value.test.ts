import { expect, test } from 'vitest'
import { VOID } from '../../language/index.js'
import { plainValue } from './scope.js'

const VARIABLES = {
  workflowInitiator: { type: 'string', value: 'ann' },
  workflowParent: VOID,
  NodeVariables: { type: 'json', value: { button: 'ok' } },
} as const

test.each([
  ['true', { type: 'boolean', value: true }],
  ['false', { type: 'boolean', value: false }],
  ['workflowInitiator', { type: 'string', value: 'ann' }],
  ['-5 >= 0', { type: 'boolean', value: false }],
  ['(5)>=0', { type: 'boolean', value: true }],
  ['0 >= 0', { type: 'boolean', value: true }],
  ['0 > 0', { type: 'boolean', value: false }],
  ['0 <= 0', { type: 'boolean', value: true }],
  ['-86400000 < 3600000', { type: 'boolean', value: true }],
])('%s is known without the sandbox', (source, value) => {
  expect(plainValue(source, VARIABLES)).toEqual(value)
})

test.each([
  'workflowParent',
  'NodeVariables',
  'toString',
  'NodeVariables["button"] == "ok"',
  '1 > 0 && 2 > 1',
  '5 > 60*60',
  '1.5 > 1',
  '5 == 5',
  '99999999999999999 > 0',
  '',
])('%s is evaluated', (source) => {
  expect(plainValue(source, VARIABLES)).toBeUndefined()
})

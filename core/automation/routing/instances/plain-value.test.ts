import { expect, test } from 'vitest'
import { VOID } from '../../language/index.js'
import { plainValue } from './scope.js'

const VARIABLES = {
  workflowInitiator: { type: 'string', value: 'ann' },
  workflowParent: VOID,
  NodeVariables: { type: 'json', value: { button: 'ok' } },
} as const

const NOW = new Date('2028-02-28T23:30:00.004Z')

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
  ['CurrentDate.days(2)', { type: 'date', value: '2028-03-01T23:30:00.004Z' }],
  ['CurrentDate.weeks(-1)', { type: 'date', value: '2028-02-21T23:30:00.004Z' }],
])('%s is known without the sandbox', (source, value) => {
  expect(plainValue(source, { variables: VARIABLES, now: NOW })).toEqual(value)
})

test.each([
  'workflowParent',
  'NodeVariables',
  'toString',
  'NodeVariables["button"] == "ok"',
  '1 > 0 && 2 > 1',
  '5 > 60*60',
  'CurrentDate',
  'CurrentDate.months(1)',
  'CurrentDate.days(1).weeks(1)',
  'CurrentDate.days(1234567)',
  '1.5 > 1',
  '5 == 5',
  '99999999999999999 > 0',
  '',
])('%s is evaluated', (source) => {
  expect(plainValue(source, { variables: VARIABLES, now: NOW })).toBeUndefined()
})

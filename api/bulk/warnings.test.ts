import { expect, test } from 'vitest'
import { createRegistry } from '../../core/automation/language/index.js'
import { namesOfYaml } from '../../core/automation/lint/names.fixture.js'
import { operations } from '../../core/automation/operations/index.js'
import { warningsOfBulk } from './warnings.js'

const registry = createRegistry(operations, [])
const names = namesOfYaml('schemas:\n  dublincore: { prefix: dc, fields: { title: string } }\n')
const warnings = (action: string, parameters = {}) => warningsOfBulk(action, parameters, { registry, names })

test('a command is warned of what its documents will fail by', () => {
  const parameters = { value: 'nosuch' }
  expect(warnings('automation', { operationId: 'Document.FollowLifecycleTransition', parameters })).toEqual([
    'value: there is no life-cycle transition "nosuch"',
  ])
})

test('a command is warned of what nothing reads', () => {
  const parameters = { xpath: 'dc:title', value: 'x', saev: 'true' }
  expect(warnings('automationUi', { operationId: 'Document.SetProperty', parameters })).toEqual([
    'unknown parameter "saev" of Document.SetProperty, did you mean "save"?',
  ])
})

test.each([
  ['setProperties', { 'dc:title': 'x' }],
  ['trash', {}],
  ['index', {}],
  ['none', {}],
  ['automation', { operationId: 'Nothing.There' }],
])('%s of %j needs no warning', (action, parameters) => {
  expect(warnings(action, parameters)).toEqual([])
})

import { Hono } from 'hono'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { fail } from '../../core/platform/errors/index.js'
import type { Environment } from '../edge/index.js'
import { errorHandler } from './handlers.js'

const violation = {
  field: 'dc:title',
  messageKey: 'label.schema.constraint.violation.NotNullConstraint.dublincore.title',
  message: 'This value is required',
  invalid_value: null,
  constraint: { 'entity-type': 'validation_constraint', name: 'NotNullConstraint', parameters: {} },
  path: [{ field_name: 'dc:title', is_list_item: false }],
}

const app = new Hono<Environment>()
app.onError(errorHandler(pino({ level: 'silent' })))
app.get('/invalid', () => {
  throw fail('invalid', 'dc:title: This value is required', { details: [violation] })
})
app.get('/missing', () => {
  throw fail('notFound', 'nothing')
})

test.each([
  [undefined, 'json'],
  ['*/*', 'json'],
  ['application/json+nxentity', 'json'],
  ['text/html, application/json;q=0.1', 'json'],
  ['text/plain', 'text'],
  ['text/html', 'text'],
])('a validation report for Accept %s is %s', async (accept, kind) => {
  const response = await app.request('/invalid', { headers: accept ? { Accept: accept } : {} })
  expect(response.status).toBe(422)
  if (kind === 'text') expect(await response.text()).toBe('dc:title: This value is required')
  else expect(await response.json()).toMatchObject({ 'entity-type': 'validation_report', number: 1 })
})

test('other errors are entities whatever the caller takes', async () => {
  const response = await app.request('/missing', { headers: { Accept: 'text/plain' } })
  expect(response.status).toBe(404)
  expect(await response.json()).toMatchObject({ 'entity-type': 'exception', message: 'nothing' })
})

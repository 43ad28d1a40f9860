import { Hono } from 'hono'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { fail } from '../../core/platform/errors/index.js'
import { ClientGone, type Environment } from '../edge/index.js'
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

test('a quota that is used up is a line without a stack, since nothing is broken', async () => {
  const lines: string[] = []
  const full = new Hono<Environment>()
  full.onError(errorHandler(pino({ level: 'info' }, { write: (line: string) => lines.push(line) })))
  full.get('/full', () => {
    throw fail('insufficientStorage', 'ann has written too much')
  })
  expect((await full.request('/full')).status).toBe(507)
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ level: 40, msg: 'refused for lack of space', path: '/full' }),
  ])
  expect(lines[0]).toContain('ann has written too much')
  expect(lines[0]).not.toContain('handlers.test')
})

test('who has gone is a line of its own, and no fault', async () => {
  const lines: { level: number; msg: string }[] = []
  const logger = pino({}, { write: (line) => lines.push(JSON.parse(line)) })
  const left = new Hono<Environment>()
  left.onError(errorHandler(logger))
  left.get('/', () => {
    throw new ClientGone()
  })
  expect((await left.request('/')).status).toBe(499)
  expect(lines).toMatchObject([{ level: 30, msg: 'client broke off' }])
})

test('other errors are entities whatever the caller takes', async () => {
  const response = await app.request('/missing', { headers: { Accept: 'text/plain' } })
  expect(response.status).toBe(404)
  expect(await response.json()).toMatchObject({ 'entity-type': 'exception', message: 'nothing' })
})

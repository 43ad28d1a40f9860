import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { idempotencyHeader } from '../idempotency/index.js'
import { routeGroup } from './route-group.js'

const describeThings = routeGroup({ tag: 'things', path: { id: 'Id of the thing' }, errors: [503] })
const answer = z.object({}).describe('A thing')

describe('the statuses that are derived', () => {
  test.each([
    ['a read', 'GET /thing', {}, []],
    ['a write', 'DELETE /thing', {}, [403]],
    ['a write of what is the own', 'DELETE /thing', { isOwn: true }, []],
    ['a body', 'POST /thing', { body: z.object({}) }, [403, 413, 415]],
    ['a body of any type', 'POST /thing', { body: z.object({}), takesAnyType: true }, [403, 413]],
    ['a key', 'POST /thing', { header: idempotencyHeader }, [403, 409]],
    ['errors that are listed', 'PUT /thing', { errors: [403, 504] }, [504, 403]],
  ] as const)('%s', (_, route, details, errors) => {
    const [doc] = describeThings({ something: [route, 'Does something', { ...details, 200: answer }] })
    expect([...doc!.errors].sort()).toEqual([...errors, 503].sort())
  })
})

test('successes have the headers of a repeated request and of warnings, where there may be some', () => {
  const details = { header: idempotencyHeader, warns: true, 200: answer, 303: 'It is elsewhere' } as const
  const [doc, other] = describeThings({
    something: ['POST /thing', 'Does something', details],
    nothing: ['GET /thing', 'Reads it', { 200: answer }],
  })
  expect(Object.keys(doc!.responses[200]!.headers!)).toEqual(['Idempotent-Replayed', 'Archivolt-Warning'])
  expect(doc!.responses[303]).toEqual({ description: 'It is elsewhere' })
  expect(other!.responses[200]!.headers).toBeUndefined()
})

test('parameters of a path are those of its template', () => {
  const [doc] = describeThings({ getThing: ['GET /thing/{id}', 'Reads a thing', { 200: answer }] })
  expect(doc).toMatchObject({ method: 'GET', path: '/thing/{id}', operationId: 'getThing', tag: 'things' })
  expect(Object.keys(doc!.parameters.path!.shape)).toEqual(['id'])
  expect(doc!.parameters.path!.shape.id!.description).toBe('Id of the thing')
})

test('one that nobody describes is a mistake of the table', () => {
  expect(() => describeThings({ getPart: ['GET /thing/{part}', 'Reads a part', { 200: answer }] })).toThrow(
    'The parameter {part} of /thing/{part} is not described',
  )
})

test('answers are JSON, nothing with a meaning, or described whole', () => {
  const other = { description: 'A picture', content: { 'image/png': z.string() } }
  const [doc] = describeThings({
    getThing: ['GET /thing', 'Reads a thing', { 200: answer, 204: 'It is gone', 206: other }],
  })
  expect(doc!.responses).toEqual({
    200: { description: 'A thing', content: { 'application/json': answer } },
    204: { description: 'It is gone' },
    206: other,
  })
})

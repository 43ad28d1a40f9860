import { ServiceError } from '@temporalio/client'
import { expect, test } from 'vitest'
import { engineFailure } from './unavailable.js'

const grpcError = (code: number, details: string): Error =>
  Object.assign(new Error(`${code}: ${details}`), { code, details, metadata: {} })

const wrapped = (cause: Error): Error =>
  new ServiceError('Failed to get Workflow execution history', { cause })

test.each([
  ['an address where nobody listens', grpcError(14, 'connect ECONNREFUSED')],
  ['a connection that is lost', wrapped(grpcError(2, 'transport error'))],
  ['a server that does not answer in time', wrapped(grpcError(4, 'Deadline exceeded'))],
  ['a server whose database is too busy', wrapped(grpcError(13, 'database is locked'))],
  ['a server that was interrupted', wrapped(grpcError(10, 'shard status unknown'))],
  ['a server that takes no more', wrapped(grpcError(8, 'namespace rate limit exceeded'))],
])('says that Temporal cannot be reached for %s', (_, error) => {
  expect(engineFailure(error)).toMatchObject({ code: 'unavailable', status: 503 })
})

test.each([
  ['a query that Temporal does not understand', wrapped(grpcError(3, 'invalid query'))],
  ['an error of other origin', new Error('transport error')],
  ['what is no error', 'transport error'],
])('leaves %s', (_, error) => {
  expect(engineFailure(error)).toBeUndefined()
})

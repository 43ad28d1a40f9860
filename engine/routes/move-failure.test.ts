import { ServiceError } from '@temporalio/client'
import { expect, test } from 'vitest'
import { moveFailure } from './move-failure.js'

const late = new ServiceError('Update failed', {
  cause: Object.assign(new Error('deadline'), { code: 4, details: 'Deadline exceeded', metadata: {} }),
})

test('a move that takes longer than its caller waits is said to go on', () => {
  expect(moveFailure(late, { waited: 60_000, most: 60_000 })).toMatchObject({
    code: 'unavailable',
    retryable: false,
    message: 'The workflow did not answer within 60 s: its move may still go on',
  })
})

test('a server that does not answer before cannot be reached', () => {
  expect(moveFailure(late, { waited: 10, most: 60_000 })).toMatchObject({
    code: 'unavailable',
    message: 'Temporal cannot be reached or does not respond',
  })
  expect(moveFailure(new Error('other'), { waited: 60_000, most: 60_000 })).toBeUndefined()
})

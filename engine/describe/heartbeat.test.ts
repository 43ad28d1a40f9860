import { defaultPayloadConverter } from '@temporalio/common'
import { expect, test } from 'vitest'
import { heartbeatOf } from './heartbeat.js'

type Described = Parameters<typeof heartbeatOf>[0]

const running = (...heartbeats: unknown[]): Described => ({
  raw: {
    pendingActivities: heartbeats.map((details) => ({
      heartbeatDetails: { payloads: [defaultPayloadConverter.toPayload(details)!] },
    })),
  } as Described['raw'],
})

test('the place of a loop is read from the heartbeat of its page', () => {
  expect(heartbeatOf(running({ position: 3, total: 9 }))).toEqual({ position: 3, total: 9 })
})

test.each([[[]], [[undefined]], [[null]], [['half']], [[{ position: 3 }]]])(
  'heartbeats %j of other work have no place',
  (heartbeats) => {
    expect(heartbeatOf(running(...heartbeats))).toBeUndefined()
  },
)

test('an activity without a place does not hide the loop beside it', () => {
  expect(heartbeatOf(running(undefined, { position: 0, total: 2 }))).toEqual({ position: 0, total: 2 })
  expect(heartbeatOf({ raw: { pendingActivities: [{}] } as Described['raw'] })).toBeUndefined()
})

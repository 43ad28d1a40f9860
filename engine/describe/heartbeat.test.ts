import { defaultPayloadConverter } from '@temporalio/common'
import { expect, test } from 'vitest'
import { fractionOf, heartbeatOf } from './heartbeat.js'

type Described = Parameters<typeof heartbeatOf>[1]

const client = {
  options: { loadedDataConverter: { payloadConverter: defaultPayloadConverter, payloadCodecs: [] } },
} as unknown as Parameters<typeof heartbeatOf>[0]

const running = (...heartbeats: unknown[]): Described => ({
  raw: {
    pendingActivities: heartbeats.map((details) => ({
      heartbeatDetails: { payloads: [defaultPayloadConverter.toPayload(details)!] },
    })),
  } as Described['raw'],
})

test('the place of a loop is read from the heartbeat of its page', async () => {
  expect(await heartbeatOf(client, running({ position: 3, total: 9 }))).toEqual({ position: 3, total: 9 })
})

test.each([[[]], [[undefined]], [[null]], [['half']], [[{ position: 3 }]]])(
  'heartbeats %j of other work have no place',
  async (heartbeats) => {
    expect(await heartbeatOf(client, running(...heartbeats))).toBeUndefined()
  },
)

test('the progress of a conversion is read from its heartbeat', async () => {
  expect(await fractionOf(client, running(undefined, { fraction: 0.25 }))).toBe(0.25)
  expect(await fractionOf(client, running({ position: 3, total: 9 }))).toBeUndefined()
})

test('an activity without a place does not hide the loop beside it', async () => {
  expect(await heartbeatOf(client, running(undefined, { position: 0, total: 2 }))).toEqual({
    position: 0,
    total: 2,
  })
  expect(await heartbeatOf(client, { raw: { pendingActivities: [{}] } as Described['raw'] })).toBeUndefined()
})

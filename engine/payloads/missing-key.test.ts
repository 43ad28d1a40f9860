import { defaultPayloadConverter, type PayloadCodec } from '@temporalio/common'
import { expect, test } from 'vitest'
import { lenient, missingKey, missingKeyFailure, orLeniently, unreadableAmong } from './missing-key.js'

const payloadOf = (value: unknown) => defaultPayloadConverter.toPayload(value)
const codecThat = (fail: (value: unknown) => void): PayloadCodec => ({
  encode: async (payloads) => payloads,
  decode: async (payloads) => {
    for (const payload of payloads) fail(defaultPayloadConverter.fromPayload(payload))
    return payloads
  },
})

test('what cannot be decrypted leaves the rest readable, and says which key is missing', async () => {
  const codec = codecThat((value) => {
    if (value === 'secret') throw missingKey('0123')
  })
  const read = await lenient(codec).decode(['a', 'secret', 'b'].map(payloadOf))
  const values = read.map((payload) => defaultPayloadConverter.fromPayload(payload))
  expect([values[0], values[2]]).toEqual(['a', 'b'])
  expect(unreadableAmong(values)).toBe(
    'ARCHIVOLT_TEMPORAL_KEY has not the key 0123, by which a payload is encrypted',
  )
  expect(unreadableAmong(['a', null, undefined, {}, 1])).toBeUndefined()
})

test('other failures stay failures', async () => {
  const broken = new Error('the tag is wrong')
  const codec = codecThat(() => {
    throw broken
  })
  await expect(lenient(codec).decode([payloadOf('a')])).rejects.toBe(broken)
  await expect(
    orLeniently(
      () => Promise.reject(broken),
      async () => 'read',
    ),
  ).rejects.toBe(broken)
  expect(missingKeyFailure(broken)).toBeUndefined()
})

test('a caller learns the setting', async () => {
  expect(missingKeyFailure(missingKey('0123'))).toMatchObject({
    code: 'operationFailed',
    message: expect.stringContaining('ARCHIVOLT_TEMPORAL_KEY has not the key 0123'),
  })
  expect(
    await orLeniently(
      () => Promise.reject(missingKey('0123')),
      async () => 'read',
    ),
  ).toBe('read')
})

import { createHmac, hkdfSync } from 'node:crypto'
import { defaultPayloadConverter, type Payload, type SerializationContext } from '@temporalio/common'
import { expect, test } from 'vitest'
import { createPayloads } from './create-payloads.js'
import { createRemoteCodec } from './remote-codec.js'

const KEY = 'k'.repeat(32)
const OTHER = 'o'.repeat(32)

type Options = {
  signingKeys?: string[]
  encryptionKeys?: string[]
  secret?: string
  unsignedUntil?: number
  unboundUntil?: number
  secretNames?: string[]
}

const codecs = ({
  signingKeys = [],
  encryptionKeys = [],
  secret = 'of the installation',
  unsignedUntil = 0,
  unboundUntil = 0,
  secretNames = ['password'],
}: Options = {}) => {
  const contributions = { get: () => new Map(secretNames.map((name) => [name, {}])) }
  const { payloadCodecs = [] } = createPayloads({
    settings: { temporal: { taskQueue: 'queue', signingKeys, encryptionKeys } },
    runKey: { secret, unsignedUntil, unboundUntil },
    snapshot: () => ({ contributions: contributions as never }),
  })
  return {
    write: async (value: unknown, context?: SerializationContext): Promise<Payload> => {
      let payloads = [defaultPayloadConverter.toPayload(value) as Payload]
      for (const codec of payloadCodecs) payloads = await codec.encode(payloads, context)
      return payloads[0]!
    },
    read: async (payload: Payload, context?: SerializationContext): Promise<unknown> => {
      let payloads = [payload]
      for (const codec of payloadCodecs.toReversed()) payloads = await codec.decode(payloads, context)
      return defaultPayloadConverter.fromPayload(payloads[0]!)
    },
  }
}

const run = (workflowId: string): SerializationContext => ({
  type: 'workflow',
  namespace: 'default',
  workflowId,
})
const activity = (workflowId: string, activityId: string): SerializationContext => ({
  type: 'activity',
  namespace: 'default',
  workflowId,
  activityId,
  isLocal: false,
})
const textOf = ({ data }: Payload): string => Buffer.from(data ?? []).toString()
const plain = (text: string): Payload => ({
  metadata: { encoding: Buffer.from('json/plain') },
  data: Buffer.from(text),
})

const INPUT = { principal: 'ann', plan: { nodes: [1, 2.5, 'ä'] } }
const REFUSED = { archivoltUnsignedUntil: 0 }

test.each([{}, { a: 1 }, INPUT, [1], 'text', null, 7])('%j comes back as it was written', async (value) => {
  const { write, read } = codecs()
  expect(await read(await write(value, run('r')), run('r'))).toEqual(value)
  expect(await read(await write(value))).toEqual(value)
})

test.each([undefined, null, []])('a payload with the data %j is as it was', async (data) => {
  const empty = { metadata: { encoding: Buffer.from('binary/null') }, data } as unknown as Payload
  expect(await codecs().read(empty, run('r'))).toBeUndefined()
})

test('what is signed for one run is refused in any other place', async () => {
  const { write, read } = codecs()
  const written = await write(INPUT, run('r'))
  for (const place of [run('s'), run('r-2026-01-01T00:00:00Z'), activity('r', '1')])
    expect(await read(written, place)).toMatchObject(REFUSED)
  const scheduled = await write(INPUT, activity('r', '1'))
  expect(await read(scheduled, activity('r', '1'))).toEqual(INPUT)
  for (const place of [activity('r', '2'), activity('s', '1'), run('r')])
    expect(await read(scheduled, place)).toMatchObject(REFUSED)
})

test('what was changed, or signed by another installation, is refused', async () => {
  const { write, read } = codecs()
  const changed = plain(textOf(await write(INPUT, run('r'))).replace('ann', 'Administrator'))
  expect(await read(changed, run('r'))).toMatchObject(REFUSED)
  const foreign = await codecs({ secret: 'of another' }).write(INPUT, run('r'))
  expect(await read(foreign, run('r'))).toMatchObject(REFUSED)
})

test('what is unsigned is marked, whatever it says of itself', async () => {
  const { read } = codecs({ unsignedUntil: 5 })
  const said = plain('{"principal":"x","archivoltUnsignedUntil":9e15 }')
  expect(await read(said, run('r'))).toEqual({ principal: 'x', archivoltUnsignedUntil: 5 })
  expect(await read(plain('{ }'), run('r'))).toEqual({ archivoltUnsignedUntil: 5 })
})

test('what was signed before starts were bound may have begun before that alone', async () => {
  const object = JSON.stringify(INPUT)
  const key = Buffer.from(hkdfSync('sha256', 'of the installation', '', 'archivolt run signatures', 32))
  const signature = createHmac('sha256', key).update(`workflow\ndefault\nr\n\0${object}`).digest('base64url')
  const signed = plain(`{"archivoltSignature":"${signature}",${object.slice(1)}`)
  const { read } = codecs({ unboundUntil: 7, unsignedUntil: 5 })
  expect(await read(signed, run('r'))).toEqual({ ...INPUT, archivoltUnsignedUntil: 7 })
  expect(await read(signed, run('s'))).toMatchObject(REFUSED)
})

test.each([' ', '\n', '\t', '\r', '\ufeff', '\ufeff \r\n'])(
  '%j before an unsigned object hides nothing',
  async (before) => {
    const { read } = codecs()
    expect(await read(plain(`${before}{"principal":"Administrator"}`), run('r'))).toMatchObject(REFUSED)
  },
)

test('the input of a schedule is that of each of its runs, and of nothing else', async () => {
  const { write, read } = codecs()
  const written = await write(INPUT, run('queue-schedule-nightly'))
  const id = 'queue-schedule-nightly-2026-01-01T00:00:00Z'
  expect(await read(written, run(id))).toEqual(INPUT)
  expect(await read(written, run('queue-schedule-weekly-2026-01-01T00:00:00Z'))).toMatchObject(REFUSED)
  const continued = await write(INPUT, run(id))
  expect(await read(continued, run(`${id}-2026-01-02T00:00:00Z`))).toMatchObject(REFUSED)
})

test('a new key signs, those before it still verify', async () => {
  const before = await codecs({ signingKeys: [KEY] }).write(INPUT, run('r'))
  const both = codecs({ signingKeys: [OTHER, KEY] })
  expect(await both.read(before, run('r'))).toEqual(INPUT)
  const after = await both.write(INPUT, run('r'))
  expect(await codecs({ signingKeys: [KEY] }).read(after, run('r'))).toMatchObject(REFUSED)
})

test("the database's key verifies beside those of the setting, until it is another", async () => {
  const before = await codecs({ secret: 'leaked' }).write({ ...INPUT, password: 'hunter2' }, run('r'))
  const beside = codecs({ secret: 'leaked', signingKeys: [KEY] })
  expect(await beside.read(before, run('r'))).toEqual({ ...INPUT, password: 'hunter2' })
  const after = await beside.write(INPUT, run('r'))
  const retired = codecs({ secret: 'another', signingKeys: [KEY] })
  expect(await retired.read(after, run('r'))).toEqual(INPUT)
  const plainBefore = await codecs({ secret: 'leaked' }).write(INPUT, run('r'))
  expect(await retired.read(plainBefore, run('r'))).toMatchObject(REFUSED)
})

test('values of secret names are readable nowhere but here', async () => {
  const { write, read } = codecs({ secretNames: ['password', 'token'] })
  const value = { params: { password: 'hunter2', name: 'ann' }, nested: [{ token: { value: 'abc123' } }] }
  const written = await write(value, run('r'))
  expect(textOf(written)).toContain('"name":"ann"')
  expect(textOf(written)).not.toMatch(/hunter2|abc123/)
  expect(await read(written, run('r'))).toEqual(value)
})

test('nobody reads a secret by giving it as a text of his own', async () => {
  const { write, read } = codecs()
  const sealed = /archivolt-sealed:[\w-]+/.exec(textOf(await write({ password: 'hunter2' }, run('r'))))![0]
  const given = { text: sealed, password: sealed }
  const written = await write(given, run('s'))
  expect(textOf(written)).not.toContain(sealed)
  expect(await read(written, run('s'))).toEqual(given)
  expect(await read(plain(JSON.stringify(given)), run('s'))).toMatchObject(given)
})

test('with a key nothing of a payload is readable, and what was written without one still is', async () => {
  const encrypted = codecs({ encryptionKeys: [KEY] })
  for (const value of [INPUT, 'text', null]) {
    const written = await encrypted.write(value, run('r'))
    expect(textOf(written)).not.toMatch(/ann|text|null/)
    expect(await encrypted.read(written, run('r'))).toEqual(value)
    expect(await codecs({ encryptionKeys: [OTHER, KEY] }).read(written, run('r'))).toEqual(value)
    for (const encryptionKeys of [[OTHER], []])
      await expect(codecs({ encryptionKeys }).read(written, run('r'))).rejects.toThrow(
        /ARCHIVOLT_TEMPORAL_KEY has not the key/,
      )
  }
  expect(await encrypted.read(await codecs().write(INPUT, run('r')), run('r'))).toEqual(INPUT)
})

test('an encrypted payload that was changed is not read', async () => {
  const { write, read } = codecs({ encryptionKeys: [KEY] })
  const written = await write(INPUT, run('r'))
  written.data![written.data!.length - 1]! ^= 1
  await expect(read(written, run('r'))).rejects.toThrow()
})

test('the remote codec shows what is encrypted, but no secret, and signs nothing', async () => {
  const remote = createRemoteCodec([KEY])!
  const { write, read } = codecs({ encryptionKeys: [KEY] })
  const { metadata, data } = await write({ name: 'ann', password: 'hunter2' }, run('r'))
  const base64 = (bytes: Uint8Array | null | undefined) => Buffer.from(bytes ?? []).toString('base64')
  const sent = {
    metadata: Object.fromEntries(Object.entries(metadata!).map(([name, value]) => [name, base64(value)])),
    data: base64(data),
  }
  const [shown] = await remote.decode([sent])
  const text = Buffer.from(shown?.data ?? '', 'base64').toString()
  expect(text).toContain('"name":"ann"')
  expect(text).not.toContain('hunter2')
  const [again] = await remote.encode([
    { metadata: { encoding: base64(Buffer.from('json/plain')) }, data: base64(Buffer.from('{"a":1}')) },
  ])
  const forged = {
    metadata: Object.fromEntries(
      Object.entries(again?.metadata ?? {}).map(([name, value]) => [name, Buffer.from(value, 'base64')]),
    ),
    data: Buffer.from(again?.data ?? '', 'base64'),
  }
  expect(await read(forged, run('r'))).toMatchObject({ a: 1, ...REFUSED })
  expect(createRemoteCodec([])).toBeUndefined()
})

test('a signature takes microseconds', async () => {
  const { write, read } = codecs()
  const ROUNDS = 5_000
  const before = process.cpuUsage()
  for (let round = 0; round < ROUNDS; round++) await read(await write(INPUT, run('r')), run('r'))
  const { user, system } = process.cpuUsage(before)
  // There and back, with its JSON: some 15 on two cores.
  expect((user + system) / ROUNDS).toBeLessThan(300)
})

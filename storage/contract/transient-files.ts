import { randomBytes, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import type { BlobStore } from '../../core/files/blobs/index.js'
import type {
  TransientFileStore,
  TransientStoreConfig,
  TransientSummary,
} from '../../core/files/transient/index.js'

/** Opens one store: what has been opened under a name finds what another one of that name has written. */
export type OpenTransientStore = (config: TransientStoreConfig) => TransientFileStore

const CONFIG: Omit<TransientStoreConfig, 'name' | 'path'> = {
  kind: 'local',
  firstLifeMs: 60_000,
  secondLifeMs: 60_000,
  targetMaxBytes: undefined,
  absoluteMaxBytes: undefined,
}

const listOf = async (store: TransientFileStore): Promise<TransientSummary[]> => {
  const found: TransientSummary[] = []
  for await (const summary of store.list()) found.push(summary)
  return found.sort((a, b) => (a.key < b.key ? -1 : 1))
}

/**
 * What every store of transient entries must do.
 *
 * @param blobs that its stored blobs are in.
 */
export const describeTransientFileStore = (
  kind: string,
  { open, blobs }: { open: OpenTransientStore; blobs: () => BlobStore },
): void => {
  const opened = (config: Partial<TransientStoreConfig> = {}): TransientFileStore => {
    const name = randomUUID()
    return open({ ...CONFIG, name, path: name, ...config })
  }

  describe(`transient store contract: ${kind}`, () => {
    test('has nothing of an entry that nobody has put', async () => {
      const store = opened()
      expect(await store.exists('a')).toBe(false)
      expect(await store.parameters('a')).toBeUndefined()
      expect(await store.parameter('a', 'p')).toBeUndefined()
      expect(await store.blobNames('a')).toEqual([])
      expect(await store.blob('a', 'b')).toBeUndefined()
      expect(await store.length('a')).toBe(-1)
      expect(await store.isCompleted('a')).toBe(false)
      expect(await store.remove('a')).toBe(false)
      await store.release('a')
      await store.removeParts('a', ['b'])
      await expect(store.open('a', 'b')).rejects.toMatchObject({ code: 'notFound' })
    })

    test('keeps parameters, for whoever opens it next', async () => {
      const config = { name: randomUUID(), path: randomUUID() }
      const key = `ä/../${randomUUID()}\u0001`
      await opened(config).putParameters(key, { a: 1, 'b/../c': { d: [null, 'é'] } })
      const store = opened(config)
      await store.putParameters(key, { a: 'two' })
      expect(await store.parameters(key)).toEqual(
        new Map<string, unknown>([
          ['a', 'two'],
          ['b/../c', { d: [null, 'é'] }],
        ]),
      )
      expect(await store.parameter(key, 'a')).toBe('two')
      expect(await store.length(key)).toBe(0)
      await store.removeParts(key, ['a'])
      expect(await store.parameter(key, 'a')).toBeUndefined()
    })

    test('of several that add a parameter or a blob at once exactly one wins', async () => {
      const store = opened()
      const values = Array.from({ length: 8 }, (_, at) => `value ${at}`)
      const kept = await Promise.all(values.map((value) => store.addParameter('a', 'p', value)))
      expect(new Set(kept)).toEqual(new Set([await store.parameter('a', 'p')]))
      const put = values.map((_, at) => store.putBlob('a', 'b', Readable.from([Buffer.alloc(at + 1)])))
      const lengths = (await Promise.all(put)).map(({ length }) => length)
      expect(new Set(lengths)).toEqual(new Set([(await buffer(await store.open('a', 'b'))).length]))
    })

    test('keeps bytes and stored blobs under names; the first stays unless it is replaced', async () => {
      const store = opened()
      const bytes = randomBytes(300_000)
      const stored = await blobs().write(Buffer.from('stored'))
      await store.putBlob('a', 'x/1', Readable.from([bytes]))
      await store.putBlob('a', 'empty', new Uint8Array())
      await store.putBlob('a', 'x/1', Buffer.from('later'))
      await store.putBlob('a', 's', stored)
      expect((await buffer(await store.open('a', 'x/1'))).equals(bytes)).toBe(true)
      expect(await text(await store.open('a', 's'))).toBe('stored')
      expect(await store.blob('a', 's')).toEqual({ length: 6, stored })
      expect(await store.blob('a', 'x/1')).toMatchObject({ length: bytes.length })
      expect([...(await store.blobNames('a'))].sort()).toEqual(['empty', 's', 'x/1'])
      expect(await store.length('a')).toBe(bytes.length + 6)
      const found: string[] = []
      await store.references((key) => found.push(key))
      expect(found).toContain(stored.key)
      await store.putBlob('a', 's', Buffer.from('bytes now'), { replaces: true })
      await store.putBlob('a', 'x/1', stored, { replaces: true })
      expect(await text(await store.open('a', 's'))).toBe('bytes now')
      expect(await store.blob('a', 'x/1')).toEqual({ length: 6, stored })
      await store.removeParts('a', ['s', 'x/1'])
      expect(await store.blobNames('a')).toEqual(['empty'])
    })

    test('content that fails or is too long leaves nothing, and can be sent again', async () => {
      const store = opened()
      const broken = async function* () {
        yield Buffer.from('half')
        throw new Error('connection lost')
      }
      await expect(store.putBlob('a', 'b', broken())).rejects.toThrow('connection lost')
      await expect(store.putBlob('a', 'b', Buffer.from('12345'), { maxLength: 4 })).rejects.toMatchObject({
        code: 'tooLarge',
      })
      const parts: number[] = []
      const receive = (bytes: number): void => {
        parts.push(bytes)
        if (parts.length === 2) throw new Error('no room')
      }
      const content = Readable.from([Buffer.from('ab'), Buffer.from('cde'), Buffer.from('f')])
      await expect(store.putBlob('a', 'b', content, { receive })).rejects.toThrow('no room')
      expect(parts).toEqual([2, 3])
      expect(await store.blobNames('a')).toEqual([])
      await store.putBlob('a', 'b', Buffer.from('whole'))
      expect(await text(await store.open('a', 'b'))).toBe('whole')
    })

    test('marks an entry as complete, and takes that back', async () => {
      const store = opened()
      await store.setCompleted('a', true)
      expect([await store.exists('a'), await store.isCompleted('a')]).toEqual([true, true])
      await store.setCompleted('a', false)
      expect(await store.isCompleted('a')).toBe(false)
    })

    test('lists entries with their length, each store its own, and removes them', async () => {
      const [store, other] = [opened(), opened()]
      await store.putBlob('a', 'b', Buffer.from('12345'))
      await store.putParameters('c', { p: 1 })
      await other.putParameters('d', { p: 1 })
      expect(await listOf(store)).toMatchObject([
        { key: 'a', length: 5 },
        { key: 'c', length: 0, keptBytes: 0 },
      ])
      expect(await store.remove('a')).toBe(true)
      expect(await listOf(store)).toMatchObject([{ key: 'c', length: 0 }])
      expect(await store.exists('a')).toBe(false)
    })

    test('an entry ends its life; one that is written again begins without what it had', async () => {
      const store = opened({ firstLifeMs: 0 })
      await store.putParameters('a', { p: 1 })
      await expect.poll(() => store.exists('a')).toBe(false)
      expect(await listOf(store)).toEqual([])
      expect(await store.removeExpired()).toBe(1)
      expect(await store.removeExpired()).toBe(0)
      const name = randomUUID()
      const brief = opened({ name, path: name, firstLifeMs: 0 })
      await brief.putParameters('a', { p: 1 })
      await expect.poll(() => brief.exists('a')).toBe(false)
      const long = opened({ name, path: name })
      await brief.putParameters('a', { q: 2 })
      expect(await long.parameters('a')).toEqual(new Map([['q', 2]]))
    })

    test('a released entry has a second life, which a write ends', async () => {
      const store = opened({ secondLifeMs: 0 })
      await store.putParameters('a', { p: 1 })
      await store.release('a')
      await expect.poll(() => store.exists('a')).toBe(false)
      const longer = opened()
      await longer.putParameters('a', { p: 1 })
      await longer.release('a')
      expect(await longer.exists('a')).toBe(true)
      await longer.putParameters('a', {})
      expect(await longer.removeExpired()).toBe(0)
    })

    test('above its target size what is released goes at once', async () => {
      const store = opened({ targetMaxBytes: 4 })
      await store.putBlob('a', 'b', Buffer.from('1234'))
      await store.release('a')
      expect(await store.exists('a')).toBe(true)
      await store.putBlob('c', 'd', Buffer.from('5'))
      await store.release('c')
      expect(await store.exists('c')).toBe(false)
    })

    test('above its absolute size blobs are refused, and parameters are not', async () => {
      const store = opened({ absoluteMaxBytes: 6 })
      await store.putBlob('a', 'b', Buffer.from('1234'))
      const stored = await blobs().write(Buffer.from('567'))
      for (const content of [Buffer.from('567'), stored])
        await expect(store.putBlob('a', 'c', content)).rejects.toMatchObject({
          code: 'insufficientStorage',
          message: expect.stringContaining('Maximum Transient Space Exceeded'),
        })
      await store.putParameters('a', { p: 1 })
      await store.putBlob('a', 'c', Buffer.from('56'))
      expect(await store.length('a')).toBe(6)
    })
  })
}

import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import type { BlobStore } from '../../core/files/blobs/index.js'
import type { TransientFileStore } from '../../core/files/transient/index.js'
import { createUploads, type Uploads } from '../../core/files/uploads/index.js'

const OWNER = { name: 'ann', isAdministrator: false }
const CHUNKS = ['aaa', 'bbb', 'ccc']

/**
 * What uploads need of a transient store that several processes share.
 *
 * @param open opens the same store for another process.
 */
export const describeSharedUploads = (
  kind: string,
  { open, blobs }: { open: (name: string) => TransientFileStore; blobs: BlobStore },
): void => {
  const uploadsOn = (store: TransientFileStore, write: BlobStore['write'] = blobs.write): Uploads =>
    createUploads({
      stores: { handlers: () => ['default'], storeOf: () => store },
      blobs: { write, roomOf: async () => () => undefined },
      maxBytes: 1_000_000,
      maxOpen: 3,
    })
  const processOn = (name: string, write?: BlobStore['write']): Uploads => uploadsOn(open(name), write)

  const send = (uploads: Uploads, batch: string, chunk: number) =>
    uploads.addChunk(
      { owner: OWNER, batch, index: '0' },
      {
        ...{ name: 'a.txt', mimeType: 'text/plain', size: 9, chunk, count: 3 },
        content: Buffer.from(CHUNKS[chunk]!),
      },
    )

  const contentOf = async (uploads: Uploads, batch: string): Promise<string> =>
    text(await blobs.open((await uploads.blob({ owner: OWNER, batch, index: '0' }))!))

  describe(`uploads on a shared transient store: ${kind}`, () => {
    test('one process takes a chunk, and another one finishes', async () => {
      const name = randomUUID()
      const [here, there] = [processOn(name), processOn(name)]
      const batch = await here.create(OWNER)
      await send(here, batch, 2)
      await send(there, batch, 0)
      expect(await here.file({ owner: OWNER, batch, index: '0' })).toMatchObject({
        isComplete: false,
        chunks: { count: 3, uploaded: [0, 2] },
      })
      expect(await here.progress({ owner: OWNER, batch })).toMatchObject([{ index: '0', arrived: 6 }])
      expect(await send(there, batch, 1)).toMatchObject({ isComplete: true })
      expect(await contentOf(here, batch)).toBe('aaabbbccc')
    })

    test('a file is whole after a process has ended with its last chunk', async () => {
      const name = randomUUID()
      // What a store in the database keeps chunks with is not what joins them.
      const ending = processOn(name, async () => {
        throw new Error('killed')
      })
      const batch = await ending.create(OWNER)
      await send(ending, batch, 0)
      await send(ending, batch, 1)
      await expect(send(ending, batch, 2)).rejects.toThrow('killed')
      const next = processOn(name)
      expect(await next.file({ owner: OWNER, batch, index: '0' })).toMatchObject({ isComplete: true })
      expect(await contentOf(next, batch)).toBe('aaabbbccc')
      expect(await open(name).blobNames(JSON.stringify([OWNER.name, batch]))).toEqual(['file/0'])
    })

    test('the last chunks at once, and more than once, make one file', async () => {
      const name = randomUUID()
      const processes = [processOn(name), processOn(name)]
      const batch = await processes[0]!.create(OWNER)
      const sent = await Promise.all(
        [0, 1, 2, 2, 1, 0].map((chunk, at) => send(processes[at % 2]!, batch, chunk)),
      )
      expect(sent.every((file) => file !== undefined)).toBe(true)
      for (const uploads of processes) expect(await contentOf(uploads, batch)).toBe('aaabbbccc')
    })

    test('a process that takes all chunks lists what the store has when the last one has come', async () => {
      const store = open(randomUUID())
      let listed = 0
      const uploads = uploadsOn({
        ...store,
        blobNames: (key) => {
          listed++
          return store.blobNames(key)
        },
      })
      const batch = await uploads.create(OWNER)
      for (const chunk of [2, 0])
        expect(await send(uploads, batch, chunk)).toMatchObject({
          isComplete: false,
          chunks: { count: 3, uploaded: chunk === 2 ? [2] : [0, 2] },
        })
      expect(listed).toBe(0)
      expect(await send(uploads, batch, 1)).toMatchObject({ isComplete: true })
      expect(listed).toBeGreaterThan(0)
      expect(await contentOf(uploads, batch)).toBe('aaabbbccc')
    })

    test('what one process has removed is not there for another one, which has just taken a chunk of it', async () => {
      const name = randomUUID()
      const [here, there] = [processOn(name), processOn(name)]
      const batch = await here.create(OWNER)
      const place = { owner: OWNER, batch, index: '0' }
      await send(here, batch, 0)
      await send(here, batch, 1)
      expect(await there.removeFile(place)).toBe(true)
      expect(await send(here, batch, 2)).toMatchObject({ isComplete: false, chunks: { uploaded: [2] } })
      expect(await there.remove({ owner: OWNER, batch })).toBe(true)
      expect(await send(here, batch, 0)).toBeUndefined()
      expect(await here.file(place)).toBeUndefined()
    })

    test('a user has so many batches, with files or without, and further ones when some are gone', async () => {
      const name = randomUUID()
      const other = { name: 'bob', isAdministrator: false }
      const here = processOn(name)
      const batches = [await here.create(OWNER), await here.create(OWNER), await here.create(OWNER)]
      const refused = { code: 'tooManyRequests', message: expect.stringContaining('User ann has 3 batches') }
      await expect(here.create(OWNER)).rejects.toMatchObject(refused)
      // What another process has begun counts as well; one that is there is no further one.
      await expect(processOn(name).create(OWNER, { id: 'own' })).rejects.toMatchObject(refused)
      expect(await here.create(OWNER, { id: batches[0]! })).toBe(batches[0])
      await here.create(other)
      for (let more = 0; more < 4; more++) await here.create({ name: 'admin', isAdministrator: true })
      await here.remove({ owner: OWNER, batch: batches[1]! })
      await here.create(OWNER, { id: 'own' })
      await expect(here.create(OWNER)).rejects.toMatchObject(refused)
    })

    test('a chunk that comes again after its file is whole is not kept', async () => {
      const name = randomUUID()
      const [here, there] = [processOn(name), processOn(name)]
      const batch = await here.create(OWNER)
      for (const chunk of [0, 1, 2]) await send(here, batch, chunk)
      for (const uploads of [here, there])
        expect(await send(uploads, batch, 1)).toMatchObject({
          isComplete: true,
          chunks: { uploaded: [0, 1, 2] },
        })
      expect(await open(name).blobNames(JSON.stringify([OWNER.name, batch]))).toEqual(['file/0'])
    })
  })
}

import { expect, test, vi } from 'vitest'
import type { BlobStore } from '../../files/blobs/index.js'
import type { DocumentRecord } from '../../model/properties/index.js'
import type { Session } from '../documents/index.js'
import { storeArchive } from './index.js'

const sessionOf = (name: string) => ({ principal: { name } }) as Session
const document = {} as DocumentRecord

test('an archive is not begun for who has gone', async () => {
  const write = vi.fn<BlobStore['write']>()
  const stores = { session: sessionOf('ann'), blobs: { write } as unknown as BlobStore }
  const gone = storeArchive({ ...stores, signal: AbortSignal.abort() }, document, { isTree: true })
  await expect(gone).rejects.toThrow('aborted')
  expect(write).not.toHaveBeenCalled()
})

test('the archives of one user leave a place to others', async () => {
  vi.useFakeTimers()
  const begun: string[] = []
  const exported = (name: string) => {
    const write = (): never => {
      begun.push(name)
      return new Promise(() => undefined) as never
    }
    return storeArchive({ session: sessionOf(name), blobs: { write } as unknown as BlobStore }, document, {
      isTree: true,
    })
  }
  const asked = Array.from({ length: 4 }, () => exported('ann'))
  const refused = expect(asked[3]).rejects.toMatchObject({ code: 'tooManyRequests', retryAfter: 1 })
  void exported('bob')
  await vi.advanceTimersByTimeAsync(1)
  expect(begun).toEqual([...Array.from({ length: 3 }, () => 'ann'), 'bob'])
  await vi.advanceTimersByTimeAsync(10_000)
  await refused
  vi.useRealTimers()
})

import { expect, test } from 'vitest'
import type { BlobValue } from '../../model/properties/index.js'
import type { CoreEvent } from '../../platform/events/index.js'
import type { Session } from '../documents/index.js'
import { noteDownload } from './note-download.js'

const eventsOf = async (download: object): Promise<CoreEvent[]> => {
  const emitted: CoreEvent[] = []
  const stores = { outbox: { emit: async (events: CoreEvent[]) => void emitted.push(...events) } }
  await noteDownload({ stores } as unknown as Session, {
    ...{ document: null, xpath: 'file:content', reason: 'download' },
    blob: { name: 'a.txt' } as BlobValue,
    ...download,
  })
  return emitted
}

test('a download is noted with the name of its file', async () => {
  expect(await eventsOf({})).toMatchObject([
    { event: 'download', payload: { comment: 'a.txt', extendedInfos: { blobFilename: 'a.txt' } } },
  ])
})

test('what somebody makes long is noted as far as it says something', async () => {
  const long = 'n'.repeat(3_000_000)
  const events = await eventsOf({ blob: { name: `${long}.txt` }, xpath: `files:${long}`, redirect: long })
  expect(JSON.stringify(events).length).toBeLessThan(6_000)
  expect(events).toMatchObject([{ payload: { comment: expect.stringMatching(/n\.txt$/) } }])
})

import { expect, test } from 'vitest'
import type { BlobValue } from '../../model/properties/index.js'
import { type MediaTools, makeOf } from './make.js'

const source = { name: 'a.html' } as BlobValue

const askedFor = async (kind: string, owner?: string): Promise<object[]> => {
  const asked: object[] = []
  const convert = async (request: object) => {
    asked.push(request)
    return source
  }
  const pictureViews = async (request: object) => {
    asked.push(request)
    return []
  }
  const media = {
    describePicture: async () => ({}),
    readMetadata: async () => ({}),
    probe: async () => ({ streams: [] }),
  }
  const contributions = { get: () => new Map([['WebM 480p', { converter: 'convertToWebm' }]]) }
  const tools = { convert, pictureViews, media, contributions }
  await makeOf({ kind, source, owner }, tools as unknown as MediaTools)
  return asked
}

test.each(['text', 'thumbnail', 'picture', 'transcoding:WebM 480p'])(
  '%s is made in the turn of who waits for it, and counts for nobody',
  async (kind) => {
    expect(await askedFor(kind, 'eve')).toMatchObject([
      { owner: { name: 'system' }, turnOf: { name: 'eve', isAdministrator: false } },
    ])
    expect(await askedFor(kind)).toMatchObject([{ turnOf: undefined }])
  },
)

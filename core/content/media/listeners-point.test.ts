import { expect, test } from 'vitest'
import { createBlobValue } from '../../files/blobs/index.js'
import type { ContentModel } from '../../model/content-model/index.js'
import type { DocumentRecord } from '../../model/properties/index.js'
import { mergeContributions } from '../../platform/contributions/index.js'
import {
  automaticVideoConversionsPoint,
  pictureConversionsPoint,
  videoConversionsPoint,
} from './conversion-points.js'
import { isMediaEvent, mediaListenersPoint, mediaWorkOf } from './listeners-point.js'

const points = [
  mediaListenersPoint,
  pictureConversionsPoint,
  videoConversionsPoint,
  automaticVideoConversionsPoint,
]
const configured = {
  mediaListeners: {
    pictures: { makes: 'picture', facets: ['Picture'] },
    films: { makes: 'transcoding', facets: ['Video'] },
    texts: { makes: 'text', mimeTypes: ['text/*', 'application/pdf'] },
    imports: { makes: 'thumbnail', events: ['imported'] },
  },
  videoConversions: { small: { converter: 'x' }, large: { converter: 'x' }, unused: { converter: 'x' } },
  automaticVideoConversions: { large: { order: 2 }, small: { order: 1 }, unknown: {} },
}
const contributions = mergeContributions([{ file: 'a.yaml', text: JSON.stringify(configured) }], points)
const model = { facetsOf: (_type: string, facets: readonly string[]) => facets } as unknown as ContentModel

const stored = { key: 'a'.repeat(64), digest: 'a'.repeat(32), digestAlgorithm: 'MD5', length: 1 } as const
const document = (name: string, more: object = {}) =>
  ({
    type: 'File',
    facets: [],
    isProxy: false,
    properties: { 'file:content': createBlobValue({ stored, name }) },
    ...more,
  }) as unknown as DocumentRecord

const kinds = (of: DocumentRecord, event = 'documentCreated') =>
  mediaWorkOf(of, { model, contributions, event }).map(({ kind }) => kind)

test.each<[string, DocumentRecord, string, readonly string[]]>([
  ['by facet', document('a.jpg', { facets: ['Picture'] }), 'documentModified', ['picture']],
  ['by mime type', document('a.txt'), 'documentCreated', ['text']],
  ['by event', document('a.bin'), 'imported', ['thumbnail']],
  [
    'each automatic conversion, in order',
    document('a.mp4', { facets: ['Video'] }),
    'documentCreated',
    ['transcoding:small', 'transcoding:large'],
  ],
  ['nothing of another event', document('a.txt'), 'documentRemoved', []],
  ['nothing without a file', document('a.txt', { properties: {} }), 'documentCreated', []],
  [
    'of a proxy its words alone',
    document('a.txt', { isProxy: true, facets: ['Picture'] }),
    'documentCreated',
    ['text'],
  ],
])('what is made of a file: %s', (_case, of, event, expected) => {
  expect(kinds(of, event)).toEqual(expected)
})

test('who creates a picture with views keeps them, until its file changes', () => {
  const file = document('a.jpg').properties
  const viewed = document('a.jpg', {
    facets: ['Picture'],
    properties: { ...file, 'picture:views': [{ title: 'Own' }] },
  })
  const wanted = (event: string) =>
    mediaWorkOf(viewed, { model, contributions, event }).map(({ isSettled = false }) => isSettled)
  expect([wanted('documentCreated'), wanted('documentModified')]).toEqual([[true], [false]])
})

test('events that nobody waits for are passed over', () => {
  expect(
    ['imported', 'documentModified', 'loginSuccess'].map((event) => isMediaEvent(contributions, event)),
  ).toEqual([true, true, false])
})

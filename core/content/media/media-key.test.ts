import { expect, test } from 'vitest'
import type { BlobValue } from '../../model/properties/index.js'
import { mediaKeyOf } from './media-key.js'

const source: BlobValue = {
  name: 'a.jpg',
  'mime-type': 'image/jpeg',
  encoding: null,
  digestAlgorithm: 'MD5',
  digest: 'd41d8cd98f00b204e9800998ecf8427e',
  key: 'a'.repeat(64),
  length: 3,
}

test('the same bytes of the same type have the same key, whatever they are called', () => {
  expect(mediaKeyOf({ source: { ...source, name: 'a.svg' } })).toBe(mediaKeyOf({ source }))
})

test.each<[string, Partial<BlobValue>]>([
  ['other bytes of the same MD5', { key: 'b'.repeat(64) }],
  ['another encoding', { encoding: 'UTF-8' }],
  ['another type', { 'mime-type': 'text/html' }],
])('%s have another', (_, other) => {
  expect(mediaKeyOf({ source: { ...source, ...other } })).not.toBe(mediaKeyOf({ source }))
})

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

test('the same file has the same key', () => {
  expect(mediaKeyOf({ source: { ...source, encoding: 'UTF-8' } })).toBe(mediaKeyOf({ source }))
})

test.each<[string, Partial<BlobValue>]>([
  ['other bytes of the same MD5', { key: 'b'.repeat(64) }],
  ['another name', { name: 'a.svg' }],
  ['another type', { 'mime-type': 'text/html' }],
])('%s have another', (_, other) => {
  expect(mediaKeyOf({ source: { ...source, ...other } })).not.toBe(mediaKeyOf({ source }))
})

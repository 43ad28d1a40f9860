import { expect, test } from 'vitest'
import { isBlobValue } from '../../model/properties/index.js'
import { contentTypeOf, createBlobValue } from './blob-value.js'
import type { StoredBlob } from './types.js'

const stored: StoredBlob = {
  key: 'a'.repeat(64),
  digest: 'd41d8cd98f00b204e9800998ecf8427e',
  digestAlgorithm: 'MD5',
  length: 0,
}

test.each([
  [{ name: 'a.docx' }, 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  [{ name: 'a.PDF' }, 'application/pdf'],
  [{ name: 'a.mhtml' }, 'multipart/related'],
  [{ name: 'a.mht' }, 'multipart/related'],
  [{ name: 'a.unknown-extension' }, 'application/octet-stream'],
  [{ name: null }, 'application/octet-stream'],
  [{ name: 'a.bin', mimeType: 'image/png' }, 'image/png'],
  [{ name: 'a.pdf', mimeType: 'pdf' }, 'application/pdf'],
  [{ name: 'a.pdf', mimeType: 'application/octet-stream' }, 'application/pdf'],
  [{ name: 'a.txt', mimeType: 'text/html\r\nX: y' }, 'text/plain'],
])('mime type of %j', (description, mimeType) => {
  const blob = createBlobValue({ stored, ...description })
  expect(blob).toEqual({ ...stored, name: description.name, 'mime-type': mimeType, encoding: null })
  expect(isBlobValue(blob)).toBe(true)
})

test.each([
  [null],
  ['text'],
  [[]],
  [{}],
  [{ ...stored, digest: '../../../etc/passwd' }],
  [{ ...stored, digestAlgorithm: 'SHA-256' }],
  [{ ...stored, key: '../../../etc/passwd' }],
  [{ ...stored, key: 'd41d8cd98f00b204e9800998ecf8427e' }],
  [{ ...stored, length: -1 }],
  [{ ...stored, length: '0' }],
])('%j is no blob', (value) => {
  expect(isBlobValue(value)).toBe(false)
})

test.each([
  ['text/plain', 'UTF-8', 'text/plain; charset=UTF-8'],
  ['text/plain; charset=iso-8859-1', 'UTF-8', 'text/plain; charset=iso-8859-1'],
  ['text/plain', 'a\r\nb', 'text/plain'],
  ['text/plain', null, 'text/plain'],
  ['image/svg+xml', null, 'image/svg+xml'],
  ['no type', 'UTF-8', 'application/octet-stream'],
  ['text/html\nX-Evil: 1', null, 'application/octet-stream'],
  [null, null, 'application/octet-stream'],
])('content type of %j with encoding %j', (mimeType, encoding, expected) => {
  expect(contentTypeOf({ 'mime-type': mimeType, encoding })).toBe(expected)
})

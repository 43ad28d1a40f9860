import { expect, test } from 'vitest'
import type { BlobValue } from '../../model/properties/index.js'
import { type DownloadRequest, planDownload } from './download.js'

const digest = '5eb63bbbe01eeed093cb22bb8f5acdc3'
const etag = `"${digest}"`
const blob: BlobValue = {
  name: 'hello.txt',
  'mime-type': 'text/plain',
  encoding: 'UTF-8',
  digestAlgorithm: 'MD5',
  digest,
  length: 11,
}
const plan = (request: Partial<DownloadRequest> = {}) => planDownload({ blob, method: 'GET', ...request })
const lastModified = new Date('2024-05-01T10:00:00.700Z')
const httpDate = 'Wed, 01 May 2024 10:00:00 GMT'

test('whole body', () => {
  expect(plan()).toEqual({
    status: 200,
    body: 'all',
    headers: {
      ETag: etag,
      'Accept-Ranges': 'bytes',
      'Content-Type': 'text/plain; charset=UTF-8',
      'Content-Disposition': "attachment; filename*=UTF-8''hello.txt",
      'X-Content-Type-Options': 'nosniff',
      'Content-Length': '11',
    },
  })
})

test.each<[string, Partial<DownloadRequest>, Partial<ReturnType<typeof plan>>]>([
  ['a range', { range: 'bytes=2-4' }, { status: 206, body: { start: 2, end: 4 } }],
  ['a clamped range', { range: 'bytes=9-99' }, { status: 206, body: { start: 9, end: 10 } }],
  ['several ranges', { range: 'bytes=0-1,3-4' }, { status: 200, body: 'all' }],
  [
    'a range past the end',
    { range: 'bytes=11-' },
    { status: 416, body: null, headers: { 'Content-Range': 'bytes */11' } },
  ],
  ['a stale If-Range past the end', { range: 'bytes=11-', ifRange: '"other"' }, { status: 200, body: 'all' }],
  ['HEAD', { method: 'HEAD' }, { status: 200, body: null }],
  ['HEAD with a range', { method: 'HEAD', range: 'bytes=0-1' }, { status: 200, body: null }],
  ['a current If-Range', { range: 'bytes=0-1', ifRange: etag }, { status: 206 }],
  ['a stale If-Range', { range: 'bytes=0-1', ifRange: '"other"' }, { status: 200, body: 'all' }],
  ['a known tag', { ifNoneMatch: etag }, { status: 304, body: null, headers: { ETag: etag } }],
  ['a known tag in a list', { ifNoneMatch: `"x", ${etag}` }, { status: 304 }],
  ['any tag', { ifNoneMatch: '*' }, { status: 304 }],
  ['a weak tag', { ifNoneMatch: `W/${etag}` }, { status: 200 }],
  ['another tag', { ifNoneMatch: '"x"' }, { status: 200 }],
  ['not modified since', { lastModified, ifModifiedSince: httpDate }, { status: 304 }],
  [
    'not modified since, although the tag differs',
    { lastModified, ifModifiedSince: httpDate, ifNoneMatch: '"x"' },
    { status: 304 },
  ],
  ['modified since', { lastModified, ifModifiedSince: 'Wed, 01 May 2024 09:59:59 GMT' }, { status: 200 }],
  ['a date that is none', { lastModified, ifModifiedSince: 'yesterday' }, { status: 200 }],
  ['a date without a document', { ifModifiedSince: httpDate }, { status: 200 }],
])('%s', (_case, request, expected) => {
  expect(plan(request)).toMatchObject(expected)
})

test('headers of a range', () => {
  expect(plan({ range: 'bytes=-4', lastModified }).headers).toMatchObject({
    'Content-Length': '4',
    'Content-Range': 'bytes 7-10/11',
    'Last-Modified': httpDate,
  })
})

test('the name asked for replaces the blob name', () => {
  const { headers } = plan({ fileName: 'other.txt', isInline: true })
  expect(headers['Content-Disposition']).toBe("inline; filename*=UTF-8''other.txt")
})

test.each([
  ['text/html', true, true],
  ['TEXT/HTML; charset=utf-8', true, true],
  ['image/svg+xml', true, true],
  ['application/xhtml+xml', true, true],
  ['application/octet-stream', true, true],
  ['image/evil+xml', true, true],
  ['audio/evil+xml', true, true],
  ['video/vnd.evil+xml; charset=utf-8', true, true],
  ['text/xml', true, true],
  ['text/vtt', true, true],
  ['text/html', false, false],
  ['image/png', true, false],
  ['IMAGE/JPEG; x=y', true, false],
  ['video/mp4', true, false],
  ['audio/mpeg', true, false],
  ['text/plain', true, false],
  ['application/pdf', true, false],
])('%s, inline %s: sandboxed %s', (mimeType, isInline, isSandboxed) => {
  const { headers } = plan({ blob: { ...blob, 'mime-type': mimeType, encoding: null }, isInline })
  expect(headers['Content-Security-Policy']?.startsWith('sandbox;') ?? false).toBe(isSandboxed)
})

test.each([
  [{ wantDigest: 'MD5' }, { Digest: 'MD5=XrY7u+Ae7tCTyyK7j1rNww==' }],
  [{ wantDigest: 'sha-256, md5;q=0.3' }, { Digest: 'MD5=XrY7u+Ae7tCTyyK7j1rNww==' }],
  [{ wantDigest: 'contentmd5' }, { 'Content-MD5': 'XrY7u+Ae7tCTyyK7j1rNww==' }],
])('digest headers for %j', (request, expected) => {
  expect(plan(request).headers).toMatchObject(expected)
})

test.each([[{}], [{ wantDigest: 'sha-256' }], [{ wantDigest: 'contentmd5', range: 'bytes=0-1' }]])(
  'no digest headers for %j',
  (request) => {
    const { headers } = plan(request)
    expect([headers.Digest, headers['Content-MD5']]).toEqual([undefined, undefined])
  },
)

import { describe, expect, test } from 'vitest'
import { parseIdTarget, parsePathTarget } from './target.js'

describe('after /path', () => {
  test.each([
    ['', '/', []],
    ['/', '/', []],
    ['/@children', '/', [{ name: 'children', rest: '' }]],
    ['/a/b', '/a/b', []],
    ['//a//b/', '/a/b', []],
    ['/a%20b/c+d', '/a b/c+d', []],
    ['/a/x@y', '/a/x@y', []],
    ['/a%2Fb', '/a/b', []],
    ['/%C3%A9', '/é', []],
    [
      '/a/@blob/file%3Acontent/@convert',
      '/a',
      [
        { name: 'blob', rest: 'file:content' },
        { name: 'convert', rest: '' },
      ],
    ],
    ['/a/@blob/files:files/0/file', '/a', [{ name: 'blob', rest: 'files:files/0/file' }]],
  ])('%s', (raw, ref, adapters) => {
    expect(parsePathTarget(raw)).toEqual({ ref, adapters })
  })

  test.each([
    '/a/../b',
    '/..',
    '/%2e%2e/etc',
    '/a%2F..%2Fb',
    '/a/./b',
    '/a%00b',
    '/%E9',
    '/%',
    '/a/@blob/../x',
  ])('%s is refused', (raw) => {
    expect(() => parsePathTarget(raw)).toThrowError(expect.objectContaining({ code: 'badRequest' }))
  })
})

describe('after /id', () => {
  test('one id and its adapters', () => {
    expect(parseIdTarget('/1-2/@op/Document.Copy')).toEqual({
      ref: '1-2',
      adapters: [{ name: 'op', rest: 'Document.Copy' }],
    })
  })

  test.each(['', '/', '/1/2'])('%j is no document', (raw) => {
    expect(() => parseIdTarget(raw)).toThrowError(expect.objectContaining({ code: 'notFound' }))
  })
})

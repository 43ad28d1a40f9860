import { expect, test } from 'vitest'
import { routeDocs } from '../route-docs.js'
import { honouringOf } from './refuse.js'

const honours = honouringOf(routeDocs({ hasEngine: true }))

test.each([
  ['/automation/Document.Query', true],
  ['/automation/Document.Query/@async', true],
  ['/automation/login', false],
  ['/automation/runs/1/retry', false],
  ['/automation/runs/1/items/retry', false],
  ['/automation/schedules/nightly/run', false],
  ['/id', true],
  ['/id/1-2', true],
  ['/path', true],
  ['/path/', true],
  ['/path/a/b c', true],
  ['/path/a/@comment', true],
  ['/path/a/@comment/1', false],
  ['/path/a/@acl', false],
  ['/path/@annotation', true],
  ['/path/a/@bo/Invoice/one', true],
  ['/path/a/@bo/Invoice/one/two', true],
  ['/path/a/b/@op/Document.Copy', true],
  ['/path/a/@children/@op/Document.Copy', true],
  ['/path/a/@pp/mine/@op/Document.Copy', true],
  ['/path/a/@convert', false],
  ['/path/a/@blob/files:files/0/file/@convert', false],
  ['/search/saved', true],
  ['/search/saved/1/bulk/trash', true],
  ['/search/pp/mine/bulk/trash', true],
  ['/search/bulk/trash', true],
  ['/search/bulk', false],
  ['/user', false],
  ['/contributions', false],
])('POST %s honours a key: %j', (path, expected) => {
  expect(honours(`/api/v1${path}`)).toBe(expected)
})

test.each(['/api/v1', '/api/v12/search/saved', '/search/saved', '/nxfile/x'])(
  'POST %s is below no description',
  (path) => {
    expect(honours(path)).toBe(false)
  },
)

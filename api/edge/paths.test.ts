import { expect, test } from 'vitest'
import { contextPathOf, routedPath } from './paths.js'

test.each([
  ['/api/v1/id/1', '/api/v1/id/1'],
  ['/site/api/v1/id/1?x=/api', '/api/v1/id/1'],
  ['/site/api/id/1', '/api/v1/id/1'],
  ['/nuxeo/api/v1/path/a%20b/@children', '/api/v1/path/a%20b/@children'],
  ['/nuxeo/site/api/v1/me', '/api/v1/me'],
  ['/nuxeo', '/'],
  ['/nuxeox/api', '/nuxeox/api'],
  ['/site/automation/Document.Create', '/api/v1/automation/Document.Create'],
  ['/nuxeo/site/automation', '/api/v1/automation'],
  ['/api/v1/repo/default/path/repo/default/x', '/api/v1/path/repo/default/x'],
  ['/api/v1/repo/other/id/1', '/api/v1/repo/other/id/1'],
  ['/site/apiary', '/site/apiary'],
  ['/health/live', '/health/live'],
  ['', '/'],
])('%s is routed as %s', (path, routed) => {
  expect(routedPath(`http://host:1${path}`)).toBe(routed)
})

test('the context path is told from the address', () => {
  expect([
    contextPathOf('http://h/nuxeo/api'),
    contextPathOf('http://h/nuxeoo'),
    contextPathOf('http://h/api'),
  ]).toEqual(['/nuxeo', '', ''])
})

import { expect, test } from 'vitest'
import { contextPathOf, requestedRepository, routedPath } from './paths.js'
import { pathByRepository } from './repositories.js'

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
  ['/site/automation/', '/api/v1/automation'],
  ['/nuxeo/site/automation/login/?x=/', '/api/v1/automation/login'],
  ['/api/v1/repo/other/automation/', '/api/v1/automation'],
  ['/api/v1/path/a/', '/api/v1/path/a/'],
  ['/api/v1/path/', '/api/v1/path/'],
  ['/api/v1/directory/nature/', '/api/v1/directory/nature'],
  ['/api/v1/directory/nature/a/', '/api/v1/directory/nature/a/'],
  ['/api/v1/repo/default/path/repo/default/x', '/api/v1/path/repo/default/x'],
  ['/api/v1/repo/other/id/1', '/api/v1/id/1'],
  ['/api/v1/repo/other', '/api/v1'],
  ['/api/v1/repo/', '/api/v1/repo'],
  ['/api/v1/repository/x', '/api/v1/repository/x'],
  ['/files/1?path=a', '/api/v1/automation/files/1'],
  ['/nuxeo/site/api/files/1', '/api/v1/automation/files/1'],
  ['/api/v1/repo/other/files/1', '/api/v1/automation/files/1'],
  ['/site/apiary', '/site/apiary'],
  ['/health/live', '/health/live'],
  ['', '/'],
])('%s is routed as %s', (path, routed) => {
  expect(routedPath(`http://host:1${path}`)).toBe(routed)
})

test('the context path is derived from the address', () => {
  expect([
    contextPathOf('http://h/nuxeo/api'),
    contextPathOf('http://h/nuxeoo'),
    contextPathOf('http://h/api'),
  ]).toEqual(['/nuxeo', '', ''])
})

const HEADER = { 'x-nxrepository': 'header' }

test.each<[string, Record<string, string>, string | undefined]>([
  ['/api/v1/id/1', {}, undefined],
  ['/api/v1/repo/url/id/1?nxrepository=query', HEADER, 'url'],
  ['/api/v1/repo/a%2Fb%20c/id/1', {}, 'a/b c'],
  ['/api/v1/repo/%E0%A4/id/1', {}, '%E0%A4'],
  ['/api/v1/id/1?nxrepository=query', HEADER, 'header'],
  ['/api/v1/id/1?nxrepository=query', { 'X-NXRepository': '' }, 'query'],
  ['/site/automation/Op?nxrepository=query', {}, 'query'],
  ['/nuxeo/nxbigfile/url/1/file:content', HEADER, 'url'],
  ['/nxfile/url/1', {}, 'url'],
  ['/health/live', HEADER, undefined],
])('%s with %j names the repository %s', (path, headers, expected) => {
  expect(requestedRepository({ url: `http://h${path}`, headers: new Headers(headers) })).toBe(expected)
})

test.each([
  ['/api/v1/id/1', '/api/v1/id/1'],
  ['/api/v1/repo/default/id/1', '/api/v1/id/1'],
  ['/api/v1/repo/archive/id/1', '/~archive/api/v1/id/1'],
  ['/api/v1/repo/nowhere/id/1', '/~/api/v1/id/1'],
  ['/nxfile/archive/1', '/~archive/nxfile/archive/1'],
  ['/~archive/api/v1/id/1', '//~archive/api/v1/id/1'],
])('%s goes to the route %s', (path, route) => {
  const routeOf = pathByRepository('default', new Set(['default', 'archive']))
  expect(routeOf(new Request(`http://h${path}`))).toBe(route)
})

import { expect, test } from 'vitest'
import { routeDocs } from '../route-docs.js'
import { describedMethods } from './described-methods.js'

const methodsOf = describedMethods(routeDocs({ hasEngine: true }))

test.each<[string, readonly string[] | undefined]>([
  ['/api/v1/group/search', ['GET', 'HEAD']],
  ['/~other/api/v1/user/search', ['GET', 'HEAD']],
  ['/api/v1/group/a/b/@users', ['GET', 'HEAD']],
  ['/api/v1/contributions/types/schema.json', ['GET', 'HEAD']],
  ['/api/v1/automation/retitle/@async', ['POST']],
  ['/api/v1/automation/files/@async', ['POST']],
  ['/api/v1/automation/files/1', ['GET', 'HEAD']],
  ['/json/cmis', ['GET', 'HEAD']],
  ['/api/v1/automation/login', ['POST']],
  ['/api/v1/group/readers', ['GET', 'PUT', 'DELETE', 'HEAD']],
  ['/api/v1/group/a/b', ['GET', 'PUT', 'DELETE', 'HEAD']],
  ['/api/v1/group/a/user/b', ['POST', 'DELETE']],
  ['/api/v1/directory/nature/a/b', ['GET', 'PUT', 'DELETE', 'HEAD']],
  ['/api/v1/upload/new/default', ['POST']],
  // A name decides: of a chain, of a document.
  ['/api/v1/automation/runs', undefined],
  ['/api/v1/id/1/@children', undefined],
])('%s has the methods %j', (path, methods) => {
  expect(methodsOf(path)).toEqual(methods)
})

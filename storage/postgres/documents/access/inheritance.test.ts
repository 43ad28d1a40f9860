import { expect, test } from 'vitest'
import {
  buildPermissionModel,
  type EffectiveAcl,
  securityPoints,
} from '../../../../core/access/security/index.js'
import { mergeContributions } from '../../../../core/platform/contributions/index.js'
import { inheritAcls, isBelow, parentOf } from './inheritance.js'

const permissions = buildPermissionModel(mergeContributions([], securityPoints))
const outer: EffectiveAcl = [{ username: 'outer', permission: 'Read', granted: true, browse: false }]

/** Each document grants its own path something. */
const inForce = (...paths: string[]) => {
  const holders = paths.map((path) => ({
    path,
    own: [{ name: 'local', aces: [{ username: path, permission: 'Read', granted: true }] }],
  }))
  const acls = inheritAcls(holders, { outer, permissions })
  return Object.fromEntries(
    paths.map((path, index) => [path, acls[index]?.map(({ username }) => username).slice(1)]),
  )
}

test('each inherits from the nearest above it, and the first from outside', () => {
  expect(inForce('/p', '/p/a', '/p/a/x/y')).toEqual({
    '/p': ['outer'],
    '/p/a': ['/p', 'outer'],
    '/p/a/x/y': ['/p/a', '/p', 'outer'],
  })
  expect(inForce('/', '/p')).toEqual({ '/': ['outer'], '/p': ['/', 'outer'] })
})

test.each(['/p/ab', '/p/a-b', '/p/a b', '/p/a.b', "/p/a'"])(
  '/p/a and %s are beside each other, also for what is below them',
  (beside) => {
    const paths = ['/p', '/p/a', '/p/a/x', beside, `${beside}/x`].sort()
    expect(inForce(...paths)).toEqual({
      '/p': ['outer'],
      '/p/a': ['/p', 'outer'],
      '/p/a/x': ['/p/a', '/p', 'outer'],
      [beside]: ['/p', 'outer'],
      [`${beside}/x`]: [beside, '/p', 'outer'],
    })
  },
)

test('the folder of a path', () => {
  expect(['/', '/a', '/a/b'].map(parentOf)).toEqual([null, '/', '/a'])
})

test.each([
  ['/a/b', '/a', true],
  ['/a', '/', true],
  ['/a', '/a', false],
  ['/', '/', false],
  ['/ab', '/a', false],
  ['/a', '/a/b', false],
])('%s is below %s: %s', (path, folder, expected) => {
  expect(isBelow(path, folder)).toBe(expected)
})

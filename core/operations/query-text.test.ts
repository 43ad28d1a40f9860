import { describe, expect, it } from 'vitest'
import type { PropertyValue } from '../documents/index.js'
import { principalOf } from '../security/index.js'
import { queryText } from './query-text.js'

type Request = Partial<Parameters<typeof queryText>[0]>

const textOf = (request: Request): string =>
  queryText({
    query: 'SELECT * FROM File',
    queryParams: [],
    namedParameters: {},
    sortBy: [],
    sortOrder: [],
    caller: { principal: principalOf('ann', [], false), repository: 'default' },
    ...request,
  })

const WHERE = 'SELECT * FROM File WHERE '

describe('queryText', () => {
  it.each<[string, Request, string]>([
    ['leaves a plain query as it is', {}, 'SELECT * FROM File'],
    [
      'binds positions, quoted',
      { query: `${WHERE}dc:title = ?`, queryParams: ["it's"] },
      `${WHERE}dc:title = 'it\\'s'`,
    ],
    [
      'puts the caller in',
      { query: `${WHERE}dc:creator = ?`, queryParams: ['$currentUser'] },
      `${WHERE}dc:creator = 'ann'`,
    ],
    [
      'binds names, by type and as lists',
      {
        query: `${WHERE}s:size > :n AND dc:creator IN :who`,
        namedParameters: { n: 3, who: ['bob', '$currentUser'] },
      },
      `${WHERE}s:size > 3 AND dc:creator IN ('bob', 'ann')`,
    ],
    ['sorts descending by default', { sortBy: ['dc:title'] }, 'SELECT * FROM File ORDER BY dc:title DESC'],
    [
      'pairs orders with properties',
      { sortBy: ['dc:title', 'dc:created'], sortOrder: ['asc'] },
      'SELECT * FROM File ORDER BY dc:title ASC, dc:created DESC',
    ],
  ])('%s', (_title, request, expected) => {
    expect(textOf(request)).toBe(expected)
  })

  it.each<[string, Request, RegExp]>([
    ['a clause in sortBy', { sortBy: ['dc:title LIMIT 1'] }, /^sortBy: /],
    ['an empty sortBy', { sortBy: [''] }, /^sortBy: /],
    ['an unknown order', { sortBy: ['dc:title'], sortOrder: ['up'] }, /^sortOrder: 'up'/],
    ['a map', { namedParameters: { a: { b: 1 } as PropertyValue } }, /^namedParameters: a /],
    ['a list in a list', { namedParameters: { a: [['b']] } }, /^namedParameters: a /],
    ['a missing value', { query: `${WHERE}dc:title = ?` }, /parameter 1/],
  ])('refuses %s', (_title, request, message) => {
    expect(() => textOf(request)).toThrow(
      expect.objectContaining({ code: 'badRequest', message: expect.stringMatching(message) }),
    )
  })
})

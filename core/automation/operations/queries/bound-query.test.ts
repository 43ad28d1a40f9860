import { describe, expect, it } from 'vitest'
import { principalOf } from '../../../access/security/index.js'
import { parseNxql } from '../../../model/nxql/index.js'
import type { PropertyValue } from '../../../model/properties/index.js'
import { boundQuery } from './bound-query.js'

type Request = Partial<Parameters<typeof boundQuery>[0]>

const queryOf = (request: Request) =>
  boundQuery({
    query: 'SELECT * FROM File',
    queryParams: [],
    namedParameters: {},
    sortBy: [],
    sortOrder: [],
    caller: { principal: principalOf('ann', [], false), repository: 'default' },
    ...request,
  })

/** A tree says where its parts stand in the text, which differs where an order was put in. */
const withoutPlaces = (tree: object) =>
  JSON.parse(JSON.stringify(tree, (key, value) => (key === 'offset' ? undefined : value)))

const WHERE = 'SELECT * FROM File WHERE '

describe('boundQuery', () => {
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
      'sorts as the caller asks, not as the query does',
      { query: 'SELECT * FROM File ORDER BY dc:created', sortBy: ['dc:title'], sortOrder: ['Asc'] },
      'SELECT * FROM File ORDER BY dc:title ASC',
    ],
    [
      'pairs orders with properties',
      { sortBy: ['dc:title', 'dc:created'], sortOrder: ['asc'] },
      'SELECT * FROM File ORDER BY dc:title ASC, dc:created DESC',
    ],
  ])('%s', (_title, request, expected) => {
    expect(withoutPlaces(queryOf(request))).toEqual(withoutPlaces(parseNxql(expected)))
  })

  it.each<[string, Request, RegExp]>([
    ['a clause in sortBy', { sortBy: ['dc:title LIMIT 1'] }, /^sortBy: /],
    ['an empty sortBy', { sortBy: [''] }, /^sortBy: /],
    ['an unknown order', { sortBy: ['dc:title'], sortOrder: ['up'] }, /^sortOrder: 'up'/],
    ['a map', { namedParameters: { a: { b: 1 } as PropertyValue } }, /^namedParameters: a /],
    ['a list in a list', { namedParameters: { a: [['b']] } }, /^namedParameters: a /],
    ['a missing value', { query: `${WHERE}dc:title = ?` }, /parameter 1/],
  ])('refuses %s', (_title, request, message) => {
    expect(() => queryOf(request)).toThrow(
      expect.objectContaining({ code: 'badRequest', message: expect.stringMatching(message) }),
    )
  })
})

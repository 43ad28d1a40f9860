import { describe, expect, test } from 'vitest'
import { parseNxql, type Query } from '../../model/nxql/index.js'
import { buildQuery, type ProviderRequest } from './build-query.js'
import { providersOf } from './provider.fixture.js'
import { createSearchDocument } from './search-document.js'

const built = (yaml: string, request: Partial<ProviderRequest> = {}): Query => {
  const { model, provider } = providersOf(`pageProviders: { p: ${yaml} }`)
  const asked = { queryParams: [], named: {}, quickFilters: [], ...request }
  const document = createSearchDocument(provider('p'), asked.named, model)
  return buildQuery(provider('p'), asked, { document, model })
}

/** A query without the places of its parts, which differ when it is put together. */
const shape = (query: unknown): unknown =>
  JSON.parse(
    JSON.stringify(query, (key, value) => (key === 'offset' || key === 'source' ? undefined : value)),
  )

const expectQuery = (query: Query, nxql: string): void => {
  expect(shape(query)).toEqual(shape(parseNxql(nxql)))
}

describe('a pattern', () => {
  test('takes positional and named parameters, quoted', () => {
    const query = built('{ pattern: "SELECT * FROM File WHERE dc:title = ? AND dc:nature = :nature" }', {
      queryParams: ["it's"],
      named: { nature: "' OR 1=1 --" },
    })
    expectQuery(query, "SELECT * FROM File WHERE dc:title = 'it\\'s' AND dc:nature = '\\' OR 1=1 --'")
  })

  test.each([
    [[], 'No value for parameter 1'],
    [['a', 'b'], '2 parameters for a query that takes 1'],
  ])('refuses %j as values of one mark', (queryParams, message) => {
    expect(() => built('{ pattern: "SELECT * FROM File WHERE dc:title = ?" }', { queryParams })).toThrowError(
      message,
    )
  })

  test('is the query itself when its parameters are not quoted', () => {
    const query = built('{ pattern: "?", quoteParameters: false }', { queryParams: ['SELECT * FROM File'] })
    expectQuery(query, 'SELECT * FROM File')
  })

  test('is narrowed by quick filters, whatever it says itself', () => {
    const yaml = `{ pattern: "SELECT * FROM File WHERE dc:title = 'a' OR dc:title = 'b'",
      quickFilters: [{ name: art, clause: "dc:nature = 'art'", sort: [{ column: dc:title }] }, { name: off, clause: "dc:nature = 'x'" }] }`
    expectQuery(
      built(yaml, { quickFilters: ['art', 'unknown'] }),
      "SELECT * FROM File WHERE (dc:title = 'a' OR dc:title = 'b') AND dc:nature = 'art' ORDER BY dc:title ASC",
    )
  })

  test('knows what it is sorted by', () => {
    const yaml =
      '{ pattern: "SELECT * FROM File WHERE SORTED_COLUMN IS NOT NULL", sort: [{ column: dc:title, ascending: false }] }'
    expectQuery(built(yaml), 'SELECT * FROM File WHERE dc:title IS NOT NULL ORDER BY dc:title DESC')
    expectQuery(
      built(yaml, { sort: [{ field: 'dc:nature', isAscending: true }] }),
      'SELECT * FROM File WHERE dc:nature IS NOT NULL ORDER BY dc:nature ASC',
    )
  })
})

describe('a where clause', () => {
  const yaml = `{ searchDocumentType: Form, whereClause: { fixedPart: "dc:title = ? OR dc:title = 'b'",
    predicates: [{ parameter: dc:nature, operator: IN, fields: [form:natures] }] } }`

  test('keeps its fixed part together', () => {
    expectQuery(
      built(yaml, { queryParams: ['a'], named: { natures: 'n' } }),
      "SELECT * FROM Document WHERE (dc:title = 'a' OR dc:title = 'b') AND dc:nature = 'n'",
    )
  })

  test('is no condition at all when nothing has a value', () => {
    expectQuery(
      built('{ whereClause: { predicates: [{ parameter: dc:title, operator: "=", fields: [title] }] } }'),
      'SELECT * FROM Document',
    )
  })

  test('may start from another statement', () => {
    expectQuery(
      built('{ whereClause: { statement: "SELECT * FROM File", fixedPart: "dc:title = \'a\'" } }'),
      "SELECT * FROM File WHERE dc:title = 'a'",
    )
  })

  test('lets no sub-clause out of its place', () => {
    const query = built(
      `{ whereClause: { fixedPart: "dc:title = 'a'", predicates: [{ parameter: x, type: subClause, fields: [clause] }] } }`,
      { named: { clause: "dc:nature = 'b') OR (dc:nature = 'c'" } },
    )
    expectQuery(
      query,
      "SELECT * FROM Document WHERE dc:title = 'a' AND ((dc:nature = 'b') OR (dc:nature = 'c'))",
    )
  })
})

test.each([
  ['{ pattern: "SELECT * FORM File" }', 'Syntax error'],
  ['{ pattern: "SELECT * FROM File", whereClause: {} }', 'cannot be combined with "whereClause"'],
  ['{ pageSize: 1 }', 'needs a "pattern" or a "whereClause"'],
  [
    '{ pattern: "SELECT * FROM File", quickFilters: [{ name: a, clause: "dc:title =" }] }',
    'quickFilters[0].clause',
  ],
  ['{ pattern: "SELECT * FROM File", quickFilters: [{ name: a }, { name: a }] }', '"a" is repeated'],
  ['{ whereClause: { predicates: [{ parameter: dc:title }] } }', 'needs an "operator"'],
  ['{ pattern: "SELECT * FROM File", searchDocumentType: From }', 'is not among the types'],
  [
    '{ pattern: "SELECT * FROM File", aggregates: [{ id: a, type: histogram, field: c:count }] }',
    'needs a positive number',
  ],
  [
    '{ pattern: "SELECT * FROM File", aggregates: [{ id: a, type: terms, field: c:count, properties: { order: up } }] }',
    '"count", "term" or "key"',
  ],
])('%s is refused when it is deployed', (yaml, message) => {
  expect(() => built(yaml)).toThrowError(message)
})

import { expect, test } from 'vitest'
import { requireOpenFields, withoutHiddenFields } from './hidden-fields.js'

test.each([
  { sort: ['_seq_no'] },
  { sort: [{ _shard_doc: 'asc' }] },
  { docvalue_fields: [{ field: '_seq_no' }] },
  { aggs: { a: { terms: { field: 'collectionMember:collectionIds' } } } },
  { query: { prefix: { 'collection:documentIds': '4' } } },
  { query: { multi_match: { query: 'a', fields: ['ecm:scope^2'] } } },
])('a body may not ask %j', (body) => {
  expect(() => requireOpenFields(body)).toThrow('is for administrators')
})

test('all else may be asked', () => {
  expect(() =>
    requireOpenFields({ sort: ['ecm:uuid'], query: { match: { 'dc:title': 'my_doc _seq_no' } }, size: 1 }),
  ).not.toThrow()
})

test('an answer shows no such fields of its entries', () => {
  const entry = () => ({
    _id: 'a',
    _source: { 'dc:title': 'a', 'ecm:scope': 1 },
    fields: { 'ecm:scope': [1], 'collection:documentIds.fulltext': ['b'] },
    highlight: { 'dc:title': ['a'], 'ecm:ancestorId': ['c'] },
  })
  const answer = {
    hits: { hits: [entry()] },
    aggregations: { a: { buckets: [{ b: { hits: { hits: [entry()] } } }] } },
  }
  const shown = { _id: 'a', _source: { 'dc:title': 'a' }, fields: {}, highlight: { 'dc:title': ['a'] } }
  expect(withoutHiddenFields(answer)).toEqual({
    hits: { hits: [shown] },
    aggregations: { a: { buckets: [{ b: { hits: { hits: [shown] } } }] } },
  })
})

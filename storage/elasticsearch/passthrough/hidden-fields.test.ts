import { expect, test } from 'vitest'
import { requireOpenFields, withoutHiddenFields } from './hidden-fields.js'

test.each([
  { sort: ['_seq_no'] },
  { sort: [{ _shard_doc: 'asc' }] },
  { docvalue_fields: [{ field: '_seq_no' }] },
  { aggs: { a: { terms: { field: 'collectionMember:collectionIds' } } } },
  { query: { prefix: { 'collection:documentIds': '4' } } },
  { query: { multi_match: { query: 'a', fields: ['ecm:scope^2'] } } },
  { query: { multi_match: { query: '1', fields: ['ecm:scop*'] } } },
  { query: { exists: { field: 'ecm:sc*' } } },
  { query: { query_string: { query: '_seq_no:<6' } } },
  { query: { query_string: { query: 'dc\\:title:a AND +ecm\\:scope:1' } } },
  { query: { query_string: { query: '_seq_no :>3' } } },
  { query: { query_string: { query: 'ecm\\u003Ascope\n:1' } } },
  { query: { query_string: { query: '\\u005fseq_no:1' } } },
  { query: { query_string: { query: '**_s**q*no:1' } } },
  { query: { query_string: { query: '/abc/ecm\\:scope:4' } } },
  { query: { query_string: { query: 'a^2.5ecm\\:scope:4' } } },
  { query: { query_string: { query: 'a~2_seq_no:4' } } },
  { query: { query_string: { query: '[1 TO 2]_seq_no:4' } } },
  { query: { simple_query_string: { query: 'a', fields: ['collection:documentIds.fulltext'] } } },
  { aggs: { a: { terms: { field: 'ecm:ancestorId' } } } },
  { sort: [{ 'ecm:ancestorId': 'asc' }] },
  { query: { prefix: { 'ecm:ancestorId': '4' } } },
  { query: { query_string: { query: 'ecm\\:ancestorId:4*' } } },
])('a body may not ask %j', (body) => {
  expect(() => requireOpenFields(body)).toThrow('is for administrators')
})

test.each([
  { sort: ['ecm:uuid'], query: { match: { 'dc:title': 'my_doc _seq_no' } }, size: 1 },
  { query: { query_string: { query: 'e* AND dc\\:title:_*' } } },
  { query: { query_string: { query: '_seq_no dc\\:title :a' } } },
  { query: { query_string: { query: `${'*'.repeat(10_000)}z:1` } } },
  { query: { multi_match: { query: '1', fields: ['*', 'dc:*'] } } },
  { query: { match_all: {} }, _source: ['ecm:*'], fields: ['*'] },
  {
    query: {
      bool: { filter: [{ term: { 'ecm:ancestorId': 'a' } }, { terms: { 'ecm:ancestorId': ['a'] } }] },
    },
  },
  { query: { match_all: {} }, _source: ['ecm:uuid', 'ecm:ancestorId'] },
])('all else may be asked: %j', (body) => {
  expect(() => requireOpenFields(body)).not.toThrow()
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

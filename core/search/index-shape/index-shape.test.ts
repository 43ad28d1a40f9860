import { expect, test } from 'vitest'
import { sampleModel } from '../../model/nxql/model.fixture.js'
import { mergeContributions } from '../../platform/contributions/index.js'
import { indexShapeOf, indexShapeRegistry, searchIndexPoint } from './index.js'

const model = sampleModel()

const contributionsOf = (searchIndex: object) =>
  mergeContributions([{ file: 'index.yaml', text: JSON.stringify({ searchIndex }) }], [searchIndexPoint])

const deploy = (searchIndex: object) =>
  indexShapeRegistry.build(contributionsOf(searchIndex), { get: () => model as never })

const GRAMS = {
  analysis: {
    analyzer: { grams: { type: 'custom', tokenizer: 'standard', filter: ['three'] } },
    filter: { three: { type: 'ngram', min_gram: 3, max_gram: 3 } },
  },
  fields: { 'dc:title': { grams: { type: 'text', analyzer: 'grams' } } },
}

test('additions of several contributions are one shape, whatever their order', () => {
  const places = {
    fields: { 's:address/city': { place: { type: 'geo_point' } } },
    excludes: ['dc:description'],
  }
  expect(() => deploy({ grams: GRAMS, places })).not.toThrow()
  const shape = indexShapeOf(contributionsOf({ grams: GRAMS, places }), model)
  expect(shape).toEqual({
    ...GRAMS,
    fields: { ...GRAMS.fields, 's:address/city': { place: { type: 'geo_point' } } },
    excludes: ['collection:documentIds', 'collectionMember:collectionIds', 'dc:description'],
  })
  expect(JSON.stringify(indexShapeOf(contributionsOf({ places, grams: GRAMS }), model))).toBe(
    JSON.stringify(shape),
  )
})

const field = (xpath: string, name: string, type = 'keyword', more = {}) => ({
  fields: { [xpath]: { [name]: { type, ...more } } },
})

test.each([
  ['an unknown property', { a: field('dc:nothing', 'x') }, 'no such property: dc:nothing'],
  ['a property without a value', { a: field('file:content', 'x') }, 'file:content has no value of its own'],
  ['an unknown type', { a: field('dc:title', 'x', 'join') }, 'searchIndex.a.fields.dc:title.x.type'],
  ['an unknown analyzer', { a: field('dc:title', 'x', 'text', { analyzer: 'y' }) }, 'no such analyzer: y'],
  [
    'a field of the product',
    { a: field('dc:title', 'fulltext') },
    'dc:title.fulltext is a field of every index',
  ],
  [
    'a field that is something else already',
    { a: field('dc:title', 'x'), b: field('dc:title', 'x', 'wildcard') },
    'dc:title.x conflicts with the field of "a"',
  ],
  [
    'an analyzer that is something else already',
    { a: GRAMS, b: { analysis: { filter: { three: { type: 'ngram', max_gram: 4 } } } } },
    'conflicts with the one of "a"',
  ],
  [
    'an analyzer of the engine',
    { a: { analysis: { analyzer: { standard: {} } } } },
    'is the name of a built-in one',
  ],
  ['an unknown property left out', { a: { excludes: ['dc:nothing'] } }, 'no such property: dc:nothing'],
  [
    'a part of a property left out',
    { a: { excludes: ['s:address/city'] } },
    'no such property: s:address/city',
  ],
  [
    'a property left out that has fields',
    { a: { excludes: ['dc:title'] }, b: field('dc:title', 'x') },
    '"b" adds fields to dc:title',
  ],
])('%s is refused', (_, searchIndex, message) => {
  expect(() => deploy(searchIndex)).toThrow(message)
})

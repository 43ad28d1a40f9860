import { expect, test } from 'vitest'
import { parseSettings } from './index.js'

const DATABASE_URL = 'postgres://localhost/archivolt'
const ELASTICSEARCH_URL = 'http://search:9200'

test.each([
  ['not without an address', {}, undefined],
  ['by its address', { ELASTICSEARCH_URL }, { url: ELASTICSEARCH_URL, index: 'archivolt' }],
  ['not when it is off', { ELASTICSEARCH_URL, ARCHIVOLT_ELASTICSEARCH: 'off' }, undefined],
  [
    'with indexes of another name',
    { ELASTICSEARCH_URL, ARCHIVOLT_ELASTICSEARCH_INDEX: 'mine' },
    { url: ELASTICSEARCH_URL, index: 'mine' },
  ],
])('Elasticsearch is used %s', (_, variables, expected) => {
  expect(parseSettings({ DATABASE_URL, ...variables }).elasticsearch).toEqual(expected)
})

test.each(['ftp://search', 'search:9200'])('refuses the address %s', (address) => {
  expect(() => parseSettings({ DATABASE_URL, ELASTICSEARCH_URL: address })).toThrow(/ELASTICSEARCH_URL/)
})

import { describe, expect, test } from 'vitest'
import { defaultProperties, readProperties, writeProperties } from './index.js'
import { schemasNamed, someBlob } from './model.fixture.js'
import type { BlobValue, Properties, PropertyValue } from './types.js'

const blobUrl = (xpath: string, { digest }: BlobValue) => `http://h/${xpath}?${digest.slice(0, 4)}`
const write = (properties: Properties, ...names: string[]) =>
  writeProperties(properties, { schemas: schemasNamed(...names), blobUrl })

const written = (xpath: string) => ({ ...someBlob(), length: '1', data: `http://h/${xpath}?0cc1` })

test('every field of the asked schemas is there, in their order', () => {
  const json = write({ 'a:text': 'x', 's:title': 'not asked' }, 'file', 'all')
  expect(Object.keys(json).slice(0, 4)).toEqual(['file:content', 'file:scans', 'a:text', 'a:owner'])
  expect(json).not.toHaveProperty('s:title')
  expect(write({})).toEqual({})
})

describe('values', () => {
  test.each<[string, PropertyValue | undefined, PropertyValue]>([
    ['a:text', undefined, null],
    ['a:text', '', ''],
    ['a:count', 0, 0],
    ['a:flag', false, false],
    ['a:day', '2015-07-01T08:00:00.000Z', '2015-07-01T08:00:00.000Z'],
    ['a:tags', undefined, []],
    ['a:tags', null, []],
    ['a:tags', ['x', null], ['x', null]],
    ['a:part', null, { name: null, size: null, day: null, constructor: null, inner: { deep: null } }],
    ['a:part', { size: 1 }, { name: null, size: 1, day: null, constructor: null, inner: { deep: null } }],
    ['a:parts', undefined, []],
    [
      'a:parts',
      [{ name: 'x', file: someBlob() }],
      [{ name: 'x', file: written('a:parts/0/file'), tags: [] }],
    ],
    ['a:parts', [null], [{ name: null, file: null, tags: [] }]],
    ['file:content', null, null],
    ['file:content', someBlob(), written('file:content')],
    ['file:scans', [someBlob(), null], [written('file:scans/0'), null]],
  ])('%s of %j', (key, stored, json) => {
    const properties: Properties = stored === undefined ? {} : { [key]: stored }
    expect(write(properties, 'all', 'file')[key]).toEqual(json)
  })

  test('a blob has exactly the keys of the wire, unset ones as null', () => {
    const blob = { ...someBlob(), name: null, 'mime-type': null }
    expect(JSON.stringify(write({ 'file:content': blob }, 'file')['file:content'])).toBe(
      '{"name":null,"mime-type":null,"encoding":null,"digestAlgorithm":"MD5","digest":"0cc175b9c0f1b6a831c399e269772661","length":"1","data":"http://h/file:content?0cc1"}',
    )
  })
})

test.each<[string, Properties, PropertyValue]>([
  ['stored', { 'named:filename': 'own' }, 'own'],
  ['of the file beside it', { 'named:filename': 'own', 'named:content': someBlob() }, someBlob().name],
  [
    'stored, when the file has none',
    { 'named:filename': 'own', 'named:content': { ...someBlob(), name: null } },
    'own',
  ],
])('a file name is the one %s', (_case, properties, expected) => {
  expect(write(properties, 'named')['named:filename']).toBe(expected)
})

test('what was written reads back the same', async () => {
  const properties: Properties = {
    'a:text': 'x',
    'a:ratio': 0.1,
    'a:day': '2015-07-01T08:00:00.000Z',
    'a:tags': ['a', 'b'],
    'a:part': { name: 'n', inner: { deep: 'd' } },
    'a:parts': [{ name: 'x', file: someBlob() }],
    'file:content': someBlob(),
  }
  const schemas = schemasNamed('all', 'file')
  const json: unknown = JSON.parse(JSON.stringify(write(properties, 'all', 'file')))
  const read = await readProperties(json, { schemas, onBlob: async () => someBlob() })
  expect(writeProperties(read, { schemas, blobUrl })).toEqual(json)
  expect(read).toMatchObject(properties)
})

test('new documents start with the defaults, each with its own', () => {
  const schemas = schemasNamed('all', 'preset')
  const first = defaultProperties(schemas)
  expect(first).toEqual({
    'preset:ordering': 10,
    'preset:marks': ['x'],
    'preset:day': '2024-02-29T00:00:00.000Z',
  })
  expect(defaultProperties(schemas)['preset:marks']).not.toBe(first['preset:marks'])
})

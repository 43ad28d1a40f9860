import { describe, expect, test } from 'vitest'
import { isArchivoltError } from '../../platform/errors/index.js'
import { type BlobSource, readProperties, readProperty } from './index.js'
import { schemasNamed, someBlob, testModel } from './model.fixture.js'
import type { PropertyValue } from './types.js'

const schemas = schemasNamed('all', 'file')

const read = (json: unknown, options = {}) => readProperties(json, { schemas, ...options })

/** The property that a value is refused for. */
const refusal = async (json: unknown): Promise<string | undefined> => {
  const error = await read(json).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error === undefined) return undefined
  if (!isArchivoltError(error)) throw error
  expect(error.code).toBe('badRequest')
  return error.message
}

describe('scalars', () => {
  test.each<[string, unknown, PropertyValue]>([
    ['a:text', 'x', 'x'],
    ['a:text', '', ''],
    ['a:text', 5, '5'],
    ['a:text', true, 'true'],
    ['a:text', '😀', '😀'],
    ['a:text', null, null],
    ['a:count', 5, 5],
    ['a:count', '-12', -12],
    ['a:count', '+3', 3],
    ['a:count', '', null],
    ['a:count', '+9007199254740993', '9007199254740993'],
    ['a:count', 1e3, 1000],
    ['a:ratio', 1.5, 1.5],
    ['a:ratio', '1.5e3', 1500],
    ['a:ratio', '.5', 0.5],
    ['a:ratio', '', null],
    ['a:flag', true, true],
    ['a:flag', 0, false],
    ['a:flag', -1, true],
    ['a:flag', 'TRUE', true],
    ['a:flag', 'yes', false],
    ['a:flag', '', false],
    ['a:bytes', 'AAEC', 'AAEC'],
    ['a:bytes', 'AA==', 'AA=='],
    ['a:owner', 'anna', 'anna'],
    ['a:owner', { 'entity-type': 'user', id: 'anna', properties: {} }, 'anna'],
    ['a:owner', { 'entity-type': 'group', groupname: 'staff' }, 'staff'],
    ['a:topic', { 'entity-type': 'directoryEntry', id: 'art' }, 'art'],
    ['a:other', { 'entity-type': 'document', uid: 'd-1', repository: 'default' }, 'default:d-1'],
    ['a:other', { 'entity-type': 'document', uid: 'd-1' }, 'd-1'],
  ])('%s takes %j', async (key, json, stored) => {
    expect(await read({ [key]: json })).toEqual({ [key]: stored })
  })

  test.each<[string, unknown]>([
    ['a:text', []],
    ['a:text', ['x']],
    ['a:text', {}],
    ['a:text', 'nul \0'],
    ['a:text', 'half \ud800'],
    ['a:owner', {}],
    ['a:owner', { id: 5 }],
    ['a:owner', []],
    ['a:count', 1.5],
    ['a:count', '1.5'],
    ['a:count', 'x'],
    ['a:count', ' 1'],
    ['a:count', '0x10'],
    ['a:count', 2 ** 53],
    ['a:count', '9223372036854775808'],
    ['a:count', true],
    ['a:count', []],
    ['a:ratio', 'NaN'],
    ['a:ratio', 'Infinity'],
    ['a:ratio', '1e400'],
    ['a:ratio', '1e99999'],
    ['a:ratio', {}],
    ['a:flag', 0.5],
    ['a:flag', []],
    ['a:bytes', 'A'],
    ['a:bytes', '????'],
    ['a:bytes', 5],
    ['a:day', 1435737600000],
    ['a:day', true],
  ])('%s refuses %j', async (key, json) => {
    expect(await refusal({ [key]: json })).toContain(`Unable to deserialize property: ${key}: it holds `)
  })

  test('texts of no length are null for the older reader', async () => {
    expect(await read({ 'a:text': '', 'a:tags': ['', 'x'] }, { isEmptyStringNull: true })).toEqual({
      'a:text': null,
      'a:tags': [null, 'x'],
    })
  })
})

describe('dates', () => {
  test.each([
    ['2015', '2015-01-01T00:00:00.000Z'],
    ['2015-07', '2015-07-01T00:00:00.000Z'],
    ['2015-07-02', '2015-07-02T00:00:00.000Z'],
    ['2015-07-02T08:30', '2015-07-02T08:30:00.000Z'],
    ['2015-07-02T08:30:15', '2015-07-02T08:30:15.000Z'],
    ['2015-07-02T08:30:15.1', '2015-07-02T08:30:15.100Z'],
    ['2015-07-02T08:30:15.00Z', '2015-07-02T08:30:15.000Z'],
    ['2015-07-02T08:30:15.123456Z', '2015-07-02T08:30:15.123Z'],
    ['2015-07-02T08:30:15.123Z', '2015-07-02T08:30:15.123Z'],
    ['2015-07-02T00:30+02:00', '2015-07-01T22:30:00.000Z'],
    ['2015-07-02T08:30:00-0530', '2015-07-02T14:00:00.000Z'],
    ['2016-02-29', '2016-02-29T00:00:00.000Z'],
    ['', null],
    [null, null],
  ])('%j is %j', async (text, stored) => {
    expect(await read({ 'a:day': text })).toEqual({ 'a:day': stored })
  })

  test.each([
    'yesterday',
    '15-07-02',
    '2015-7-2',
    '2015-02-30',
    '2015-02-29T00:00:00.000Z',
    '2015-13-01',
    '2015-07-02T24:00:00',
    '2015-07-02T08',
    '2015-07-02 08:30',
    '2015-07-02T08:30:15.',
    '2015-07-02T08:30+25:00',
    '0000-01-01T00:00+01:00',
    '9999-12-31T23:59-01:00',
    '+012015-01-01',
    `2015${' '.repeat(100_000)}`,
  ])('%.40s is none', async (text) => {
    expect(await refusal({ 'a:day': text })).toContain('Unable to deserialize property: a:day: it holds ')
  })

  test('milliseconds are taken inside complex values only', async () => {
    expect(await read({ 'a:part': { day: 1435737600000 } })).toEqual({
      'a:part': { day: '2015-07-01T08:00:00.000Z' },
    })
    expect(await refusal({ 'a:part': { day: 8.64e15 } })).toContain(
      'Unable to deserialize property: a:part/day: it holds ',
    )
  })
})

describe('lists and complex values', () => {
  test.each<[string, unknown, PropertyValue]>([
    ['a:tags', ['a', 5, null], ['a', '5', null]],
    ['a:tags', [], null],
    ['a:tags', null, null],
    ['a:counts', ['1', 2], [1, 2]],
    ['a:days', ['2015'], ['2015-01-01T00:00:00.000Z']],
    ['a:part', { name: 'x', size: null, unknown: 1 }, { name: 'x' }],
    ['a:part', { inner: { deep: 'd', unknown: {} } }, { inner: { deep: 'd' } }],
    ['a:part', { constructor: 'own' }, { constructor: 'own' }],
    ['a:part', {}, {}],
    ['a:part', null, null],
    ['a:parts', [{ name: 'x', tags: ['t'] }, null], [{ name: 'x', tags: ['t'] }, null]],
    ['a:parts', [], null],
  ])('%s takes %j', async (key, json, stored) => {
    expect(await read({ [key]: json })).toEqual({ [key]: stored })
  })

  test.each<[string, unknown, string]>([
    ['a:tags', 'a', 'a:tags'],
    ['a:tags', { 0: 'a', length: 1 }, 'a:tags'],
    ['a:tags', [['a']], 'a:tags/0'],
    ['a:counts', [1, 'x'], 'a:counts/1'],
    ['a:part', 'x', 'a:part'],
    ['a:part', [], 'a:part'],
    ['a:part', { size: 'x' }, 'a:part/size'],
    ['a:part', { inner: 5 }, 'a:part/inner'],
    ['a:parts', {}, 'a:parts'],
    ['a:parts', ['x'], 'a:parts/0'],
    ['a:parts', [{ tags: 'x' }], 'a:parts/0/tags'],
  ])('%s refuses %j', async (key, json, xpath) => {
    expect(await refusal({ [key]: json })).toContain(`Unable to deserialize property: ${xpath}: it holds `)
  })
})

describe('blobs', () => {
  const collect = async (json: unknown) => {
    const seen: [string, BlobSource][] = []
    const properties = await read(json, {
      onBlob: async (source: BlobSource, { xpath }: { xpath: string }) => {
        seen.push([xpath, source])
        return source.kind === 'upload' && source.batch === 'gone' ? null : someBlob(xpath)
      },
    })
    return { seen, properties }
  }
  const bare = { name: null, mimeType: null, encoding: null }

  test.each<[unknown, BlobSource]>([
    [{ data: 'hi' }, { kind: 'text', text: 'hi', ...bare }],
    [{ data: '' }, { kind: 'text', text: '', ...bare }],
    [
      { content: 'hi', filename: 'f.txt', name: 'n.txt', 'mime-type': 'text/x', encoding: 'utf-16' },
      { kind: 'text', text: 'hi', name: 'f.txt', mimeType: 'text/x', encoding: 'utf-16' },
    ],
    [
      { ...someBlob(), length: '1', data: 'http://h/nxbigfile/default/1/file:content' },
      {
        kind: 'url',
        url: 'http://h/nxbigfile/default/1/file:content',
        name: 'a.txt',
        mimeType: 'text/plain',
        encoding: null,
      },
    ],
    [
      { 'upload-batch': 'b', 'upload-fileId': '0' },
      { kind: 'upload', batch: 'b', file: '0' },
    ],
  ])('%j', async (json, source) => {
    const { seen, properties } = await collect({ 'file:content': json })
    expect(seen).toEqual([['file:content', source]])
    expect(properties).toEqual({ 'file:content': someBlob('file:content') })
  })

  test('stand where their JSON stood, in lists and complex values too', async () => {
    const { properties } = await collect({
      'file:scans': [{ data: 'a' }, null, { data: 'b' }],
      'a:parts': [{ name: 'x', file: { data: 'c' } }, { file: null }],
      content: null,
    })
    expect(properties).toEqual({
      'file:scans': [someBlob('file:scans/0'), null, someBlob('file:scans/2')],
      'a:parts': [{ name: 'x', file: someBlob('a:parts/0/file') }, {}],
      'file:content': null,
    })
  })

  test('that cannot be found are null', async () => {
    const { properties } = await collect({ 'file:content': { 'upload-batch': 'gone', 'upload-fileId': '0' } })
    expect(properties).toEqual({ 'file:content': null })
  })

  test.each([
    'text',
    5,
    [],
    {},
    { data: 5 },
    { 'upload-batch': 'b' },
    { 'upload-batch': 'b', 'upload-fileId': 0 },
    { data: 'x', name: 'nul \0' },
    someBlob(),
    Object.create({ data: 'inherited' }),
  ])('%j is none', async (json) => {
    await expect(collect({ 'file:content': json })).rejects.toThrow(
      'Unable to deserialize property: file:content',
    )
  })

  test('are not asked for before all else has been read', async () => {
    let calls = 0
    const onBlob = async () => {
      calls++
      return someBlob()
    }
    await expect(read({ 'file:content': { data: 'x' }, 'a:count': 'x' }, { onBlob })).rejects.toThrow(
      'a:count',
    )
    expect(calls).toBe(0)
  })

  test('are refused when nobody reads them', async () => {
    expect(await refusal({ 'file:content': { data: 'x' } })).toContain(
      'Unable to deserialize property: file:content: it holds ',
    )
  })
})

describe('which properties', () => {
  test('those of schemas without prefix may come without', async () => {
    expect(
      await readProperties({ plain: 'x', 'preset:ordering': 5 }, { schemas: schemasNamed('preset') }),
    ).toEqual({
      'preset:plain': 'x',
      'preset:ordering': 5,
    })
  })

  test.each([
    { 'a:unknown': 1 },
    { 's:title': 'of a schema the document has not' },
    { 'dc:title': 'of no schema' },
    { text: 'bare, but the schema has a prefix' },
    { 'all:text': 'the name of the schema is not its prefix' },
    { 'a:part/name': 'no xpath' },
    JSON.parse('{"__proto__":{"a:text":"x"},"constructor":{"prototype":{}},"toString":1}'),
    {},
    null,
  ])('%j is ignored', async (json) => {
    const properties = await read(json)
    expect(properties).toEqual({})
    expect(Object.getPrototypeOf(properties)).toBe(Object.prototype)
  })

  test.each(['x', 5, [], [{}]])('%j is no map of properties', async (json) => {
    expect(await refusal(json)).toContain('Unable to deserialize property: properties: it holds ')
  })
})

describe('hostile input', () => {
  test('a prototype in a complex value stays data, and is dropped', async () => {
    const part = JSON.parse('{"__proto__":{"name":"inherited"},"hasOwnProperty":1}')
    expect(await read({ 'a:part': part, 'a:parts': [part] })).toEqual({ 'a:part': {}, 'a:parts': [{}] })
    expect(({} as { name?: string }).name).toBeUndefined()
  })

  test('nesting deeper than the schema is not followed', async () => {
    let deep: unknown = 'x'
    for (let level = 0; level < 100_000; level++) deep = { inner: deep }
    expect(await refusal({ 'a:part': deep })).toBeUndefined()
    let list: unknown = 'x'
    for (let level = 0; level < 100_000; level++) list = [list]
    expect(await refusal({ 'a:tags': list })).toContain('Unable to deserialize property: a:tags/0: it holds ')
  })

  test('a list has a hundred thousand elements at most', async () => {
    const { 'a:counts': counts } = await read({ 'a:counts': new Array(100_000).fill('7') })
    expect(counts).toHaveLength(100_000)
    const tooMany = new Array(100_001).fill(null)
    expect(await refusal({ 'a:counts': tooMany })).toBe('a:counts: has more than 100000 elements')
    expect(await refusal({ 'a:parts': [{ tags: tooMany }] })).toBe(
      'a:parts/0/tags: has more than 100000 elements',
    )
  })

  test('a hundred thousand unknown names are only looked up', async () => {
    expect(await read(Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`a:x${i}`, i])))).toEqual(
      {},
    )
  })
})

test('one field may be read by itself', async () => {
  const { field } = testModel.resolve('a:parts/0')!
  const onBlob = async () => someBlob()
  expect(await readProperty({ file: { data: 'x' } }, { field, xpath: 'a:parts/0', onBlob })).toEqual({
    file: someBlob(),
  })
  expect(() => readProperty([], { field, xpath: 'a:parts/0' })).toThrow('a:parts/0')
  const content = testModel.resolve('file:content')!.field
  expect(await readProperty({ data: 'x' }, { field: content, xpath: 'file:content', onBlob })).toEqual(
    someBlob(),
  )
})

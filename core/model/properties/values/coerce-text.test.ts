import { expect, test } from 'vitest'
import { coerceText } from '../index.js'
import { someBlob, testModel } from '../model.fixture.js'
import type { PropertyValue } from '../types.js'

const coerce = async (
  xpath: string,
  text: string | null,
  onBlob?: () => Promise<ReturnType<typeof someBlob>>,
) => coerceText(text, { field: testModel.resolve(xpath)!.field, xpath, onBlob })

test.each<[string, string | null, PropertyValue]>([
  ['a:text', 'a, b', 'a, b'],
  ['a:text', '', null],
  ['a:text', null, null],
  ['a:count', '12', 12],
  ['a:flag', 'True', true],
  ['a:day', '2015-07-01', '2015-07-01T00:00:00.000Z'],
  ['a:tags', 'a,b', ['a', 'b']],
  ['a:tags', 'a\\,b,c', ['a,b', 'c']],
  ['a:tags', 'a\\\\,c:\\d', ['a\\', 'c:\\d']],
  ['a:tags', 'a, b', ['a', ' b']],
  ['a:tags', 'a,,b,', ['a', '', 'b', '']],
  ['a:tags', 'a\nb', ['a\nb']],
  ['a:tags', 'a\\', ['a\\']],
  ['a:tags', '', null],
  ['a:tags/0', 'a,b', 'a,b'],
  ['a:counts', '1, 2', [1, 2]],
  ['a:part', '{"name":"x"}', { name: 'x' }],
  ['a:part', 'null', null],
  ['a:parts', '[{"name":"x"}]', [{ name: 'x' }]],
  ['a:parts', '[]', null],
  ['file:content', '', null],
])('%s of %j', async (xpath, text, value) => {
  expect(await coerce(xpath, text)).toEqual(value)
})

test.each([
  ['a:count', 'x', 'a:count'],
  ['a:day', 'now', 'a:day'],
  ['a:counts', '1,x', 'a:counts/1'],
  ['a:part', 'x', 'a:part'],
  ['a:part', '[]', 'a:part'],
  ['a:part', '{"size":"x"}', 'a:part/size'],
  ['a:parts', '{}', 'a:parts'],
  ['file:content', 'x', 'file:content'],
  ['file:content', JSON.stringify(someBlob()), 'file:content'],
  ['file:content', '{"data":"x"}', 'file:content'],
])('%s refuses %j', async (xpath, text, at) => {
  await expect(coerce(xpath, text)).rejects.toThrow(
    expect.objectContaining({
      code: 'badRequest',
      message: expect.stringContaining(`Unable to deserialize property: ${at}: it holds `),
    }),
  )
})

test('a list of more elements than a document may have is refused', async () => {
  await expect(coerce('a:tags', ','.repeat(100_000))).rejects.toThrow('a:tags: has more than 100000 elements')
})

test('blobs in JSON text are read by whoever can', async () => {
  expect(await coerce('a:parts', '[{"file":{"data":"x"}}]', async () => someBlob())).toEqual([
    { file: someBlob() },
  ])
})

test('a long list takes linear time', async () => {
  expect(await coerce('a:tags', 'a\\,b,'.repeat(99_999))).toHaveLength(100_000)
})

test('a list has so many commas at most, those that separate nothing among them', async () => {
  await expect(coerce('a:tags', '\\,'.repeat(1_000_001))).rejects.toThrow(
    'a:tags: has more than 1000000 commas',
  )
  await expect(coerce('a:tags', ','.repeat(100_000))).rejects.toThrow('a:tags: has more than 100000 elements')
  expect(await coerce('a:tags', ','.repeat(99_999))).toHaveLength(100_000)
})

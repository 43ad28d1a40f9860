import { describe, expect, test } from 'vitest'
import { createPropertyChanges, getProperty, removeProperty, setProperty } from './index.js'
import { testModel as model, someBlob } from './model.fixture.js'
import type { Properties, PropertyValue } from './types.js'

const STORED: Properties = {
  'a:text': 'x',
  'a:tags': ['p', 'q'],
  'a:part': { name: 'n', inner: { deep: 'd' } },
  'a:parts': [
    { name: 'x', tags: ['s', 't'] },
    { name: 'y', file: someBlob() },
  ],
  'file:content': someBlob(),
}

describe('getProperty', () => {
  test.each<[string, PropertyValue | undefined]>([
    ['a:text', 'x'],
    ['a:count', null],
    ['a:tags', ['p', 'q']],
    ['a:tags/1', 'q'],
    ['a:tags/2', null],
    ['a:tags/*', ['p', 'q']],
    ['a:part/inner/deep', 'd'],
    ['a:part/constructor', null],
    ['a:parts/1/name', 'y'],
    ['a:parts/*/name', ['x', 'y']],
    ['a:parts/*1/tags/*2', ['s', 't']],
    ['a:parts/5/name', null],
    ['a:parts/item[1]/file/length', 1],
    ['content/name', 'a.txt'],
    ['file:content/data', someBlob().digest],
    ['a:unknown', undefined],
    ['__proto__', undefined],
    ['a:part/__proto__', undefined],
  ])('%s', (xpath, value) => {
    expect(getProperty(STORED, { model, xpath })).toEqual(value)
  })
})

describe('setProperty', () => {
  test.each<[string, PropertyValue, string, PropertyValue]>([
    ['a:text', 5, 'a:text', '5'],
    ['a:count', '7', 'a:count', 7],
    ['a:day', '2015', 'a:day', '2015-01-01T00:00:00.000Z'],
    ['a:text', null, 'a:text', null],
    ['a:tags', [], 'a:tags', null],
    ['a:tags/0', 'r', 'a:tags', ['r', 'q']],
    ['a:tags/2', 'r', 'a:tags', ['p', 'q', 'r']],
    ['a:counts/0', '1', 'a:counts', [1]],
    ['a:part/size', '3', 'a:part', { name: 'n', inner: { deep: 'd' }, size: 3 }],
    ['a:part/inner/deep', 'e', 'a:part', { name: 'n', inner: { deep: 'e' } }],
    ['a:part', { name: 'm' }, 'a:part', { name: 'm' }],
    [
      'a:parts/0/tags/1',
      'u',
      'a:parts',
      [
        { name: 'x', tags: ['s', 'u'] },
        { name: 'y', file: someBlob() },
      ],
    ],
    ['a:parts/2/name', 'z', 'a:parts', [...(STORED['a:parts'] as PropertyValue[]), { name: 'z' }]],
    [
      'a:parts/0/file',
      someBlob('b'),
      'a:parts',
      [
        { name: 'x', tags: ['s', 't'], file: someBlob('b') },
        { name: 'y', file: someBlob() },
      ],
    ],
    ['content', someBlob('b'), 'file:content', someBlob('b')],
    ['file:content/name', 'b.txt', 'file:content', someBlob('b.txt')],
    ['file:content', null, 'file:content', null],
  ])('%s to %j', (xpath, value, key, stored) => {
    const before = structuredClone(STORED)
    expect(setProperty(STORED, { model, xpath, value })).toEqual({ ...STORED, [key]: stored })
    expect(STORED).toEqual(before)
  })

  test.each<[string, PropertyValue, string]>([
    ['a:unknown', 'x', 'No such property: a:unknown'],
    ['__proto__/polluted', 'x', 'No such property: __proto__/polluted'],
    ['a:part/__proto__', {}, 'No such property: a:part/__proto__'],
    ['a:tags/*', 'x', 'A wildcard cannot be written: a:tags/*'],
    ['a:tags/3', 'x', 'No item at a:tags/3: the list has 2'],
    ['a:tags/999999999', 'x', 'No item at a:tags/999999999: the list has 2'],
    ['a:count', 'x', 'Unable to deserialize property: a:count: it holds an integer, not "x"'],
    ['a:tags', 'x', 'Unable to deserialize property: a:tags: it holds a list, each of it a text, not "x"'],
    [
      'file:content',
      { data: 'x' },
      'Unable to deserialize property: file:content: it holds a file, not a map',
    ],
    ['file:content/digest', 'x', 'Read-only part of a blob: file:content/digest'],
    ['file:content/length', 5, 'Read-only part of a blob: file:content/length'],
    ['a:parts/0/file/name', 'x', 'No blob at a:parts/0/file'],
  ])('%s refuses %j', (xpath, value, message) => {
    expect(() => setProperty(STORED, { model, xpath, value })).toThrow(
      expect.objectContaining({ code: 'badRequest', message }),
    )
  })
})

describe('createPropertyChanges', () => {
  test('sets one value after the other, and leaves what it was given', () => {
    const before = structuredClone(STORED)
    const { changes, set } = createPropertyChanges(STORED, model)
    set('a:tags/2', 'r')
    set('a:tags/0', 'o')
    set('a:parts/0/tags/1', 'u')
    set('a:parts/1/name', 'z')
    set('a:part/inner/deep', 'e')
    expect(changes).toEqual({
      'a:tags': ['o', 'q', 'r'],
      'a:parts': [
        { name: 'x', tags: ['s', 'u'] },
        { ...(STORED['a:parts'] as object[])[1], name: 'z' },
      ],
      'a:part': { name: 'n', inner: { deep: 'e' } },
    })
    expect(STORED).toEqual(before)
  })

  test('copies a list once, and leaves one that it was given as a value', () => {
    const { changes, set } = createPropertyChanges(STORED, model)
    set('a:tags/0', 'o')
    const list = changes['a:tags']
    set('a:tags/1', 'r')
    expect(changes['a:tags']).toBe(list)
    const given = ['s', 't']
    set('a:tags', given)
    set('a:tags/0', 'v')
    expect([changes['a:tags'], given]).toEqual([
      ['v', 't'],
      ['s', 't'],
    ])
  })
})

test('setProperty adds nothing to a list that is full', () => {
  const full = { 'a:counts': new Array(100_000).fill(7) }
  expect(() => setProperty(full, { model, xpath: 'a:counts/100000', value: 7 })).toThrow(
    'a:counts/100000: has more than 100000 elements',
  )
})

describe('removeProperty', () => {
  test.each<[string, string, PropertyValue]>([
    ['a:text', 'a:text', null],
    ['a:tags', 'a:tags', null],
    ['a:tags/0', 'a:tags', ['q']],
    [
      'a:parts/0/tags/1',
      'a:parts',
      [
        { name: 'x', tags: ['s'] },
        { name: 'y', file: someBlob() },
      ],
    ],
    ['a:parts/0', 'a:parts', [{ name: 'y', file: someBlob() }]],
    ['a:part/name', 'a:part', { name: null, inner: { deep: 'd' } }],
    ['file:content', 'file:content', null],
  ])('%s', (xpath, key, stored) => {
    expect(removeProperty(STORED, { model, xpath })).toEqual({ ...STORED, [key]: stored })
  })

  test.each([
    ['a:tags/2', 'No item at a:tags/2'],
    ['a:unknown', 'No such property: a:unknown'],
  ])('%s refuses', (xpath, message) => {
    expect(() => removeProperty(STORED, { model, xpath })).toThrow(message)
  })
})

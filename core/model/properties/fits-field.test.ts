import { expect, test } from 'vitest'
import { fitsField } from './fits-field.js'
import { schemasNamed, someBlob } from './model.fixture.js'
import type { PropertyValue } from './types.js'

const fieldNamed = (name: string) => {
  const field = schemasNamed('all', 'file', 'strict')
    .find((schema) => schema.fields.has(name))!
    .fields.get(name)!
  return field
}

test.each<[string, PropertyValue, boolean]>([
  ['text', 'a', true],
  ['text', 1, false],
  ['count', 1, true],
  ['count', 1.5, false],
  ['count', '1', false],
  ['day', '2024-02-29T00:00:00.000Z', true],
  ['day', '2024-02-29', false],
  ['tags', ['a', null], true],
  ['tags', 'a', false],
  ['part', { name: 'a', inner: { deep: 'b' } }, true],
  ['part', { name: 'a', gone: 'b' }, false],
  ['part', { name: null, gone: null }, true],
  ['parts', [{ file: someBlob() }], true],
  ['content', someBlob(), true],
  ['short', 'abcd', false],
  ['title', null, false],
  ['lines', [{ unit: null }], false],
])('%s: %j fits is %s', (name, value, fits) => {
  expect(fitsField(fieldNamed(name), value)).toBe(fits)
})

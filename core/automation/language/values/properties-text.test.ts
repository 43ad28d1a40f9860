import { expect, test } from 'vitest'
import { parsePropertiesText } from './properties-text.js'

test('a value goes on behind a backslash, with the line break kept', () => {
  expect(parsePropertiesText('a=1\\\n2\\\n3\n# none\nb = x=y\nc=z\\', 'properties')).toEqual({
    a: '1\n2\n3',
    b: 'x=y',
    c: 'z\\',
  })
})

test('a block has ten thousand lines at most', () => {
  const { a } = parsePropertiesText(`a=${'x\\\n'.repeat(9_999)}end`, 'properties')
  expect(a).toHaveLength(20_001)
  expect(() => parsePropertiesText('a=1\n'.repeat(10_000), 'properties')).toThrow(
    expect.objectContaining({
      code: 'badRequest',
      message: 'Parameter properties: has more than 10000 lines',
    }),
  )
})

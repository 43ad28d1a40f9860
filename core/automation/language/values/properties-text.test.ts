import { expect, test } from 'vitest'
import { computingTime } from '../../../../test/support/computing-time.js'
import { parsePropertiesText } from './properties-text.js'

test('a value goes on behind a backslash, with the line break kept', () => {
  expect(parsePropertiesText('a=1\\\n2\\\n3\n# none\nb = x=y\nc=z\\', 'properties')).toEqual({
    a: '1\n2\n3',
    b: 'x=y',
    c: 'z\\',
  })
})

test('a value of many lines takes no time that grows with their square', () => {
  const took = computingTime(() => {
    const { a } = parsePropertiesText(`a=${'x\\\n'.repeat(200_000)}end`, 'properties')
    expect(a).toHaveLength(400_003)
  })
  expect(took).toBeLessThan(2_000)
})

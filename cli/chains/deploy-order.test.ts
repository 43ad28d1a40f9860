import { expect, test } from 'vitest'
import { deployOrder, mentions } from './deploy-order.js'

test.each([
  ['- RunOperation:\n    id: demo\n', 'demo', true],
  ['- demo\n', 'demo', true],
  ['- demo:\n    a: b\n', 'demo', true],
  ['<operation id="demo"/>', 'demo', true],
  ['- demo.old\n', 'demo', false],
  ['- demos\n- my-demo\n', 'demo', false],
  ['- demos\n- demo\n', 'demo', true],
])('%j mentions %s: %s', (text, id, expected) => {
  expect(mentions(text, id)).toBe(expected)
})

const file = (id: string, text: string) => ({ path: `${id}.yaml`, id, text, contentType: 'application/yaml' })

const order = (...files: [string, string][]): string[] =>
  deployOrder(files.map(([id, text]) => file(id, text))).map(({ id }) => id)

test('callees come before their callers, all else as given', () => {
  expect(order(['z', ''], ['a', '- b\n- c'], ['b', '- c'], ['c', ''])).toEqual(['z', 'c', 'b', 'a'])
})

test('a circle does not hang', () => {
  expect(order(['a', '- b'], ['b', '- a'])).toHaveLength(2)
})

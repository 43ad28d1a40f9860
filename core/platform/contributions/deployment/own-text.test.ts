import { expect, test } from 'vitest'
import { parseYamlSource } from '../yaml/yaml-source.js'
import { ownText } from './own-text.js'

test.each([
  ['\n\n  - Log:\n      message: a\n', '- Log:\n    message: a\n'],
  ['\n\n\n       {operations: [Log]}\n', '{operations: [Log]}\n'],
  ['a: 1\n', 'a: 1\n'],
  ['\r\n  a: 1\r\n\r\n  b: 2\r\n', 'a: 1\r\n\r\nb: 2\r\n'],
  ['\n  a: 1\n# left\n    # right\n  b: 2\n', 'a: 1\n# left\n  # right\nb: 2\n'],
  [
    '\n    a: |\n      # x\n\n        y\n    \n    b: "c\n      d"\n',
    'a: |\n  # x\n\n    y\n\nb: "c\n  d"\n',
  ],
  ['\n  a: |2\n      x\n  b: 1\n', 'a: |2\n    x\nb: 1\n'],
])('%j is %j, and means the same', (text, own) => {
  expect(ownText(text, 'yaml')).toBe(own)
  expect(parseYamlSource(own)).toMatchObject({ value: parseYamlSource(text).value, problems: [] })
})

test('XML keeps its indentation', () => {
  expect(ownText('\n\n  <chain>\n    <a>\n  b</a>\n', 'xml')).toBe('  <chain>\n    <a>\n  b</a>\n')
})

test.each([
  ['\n'.repeat(500_000)],
  [' '.repeat(500_000)],
  [' \n'.repeat(250_000)],
  ['  a\n'.repeat(100_000)],
])('a hostile text takes no time', (text) => {
  const start = performance.now()
  ownText(`${text}a`, 'yaml')
  expect(performance.now() - start).toBeLessThan(5_000)
})

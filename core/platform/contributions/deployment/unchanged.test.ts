import { expect, test } from 'vitest'
import type { DeployedVersion, PointHandler } from './point-handler.js'
import { isSame } from './unchanged.js'

const handler = { write: () => '{}' } as unknown as PointHandler
const isSameText = (source: string, text: string): boolean => {
  const before = { version: 1, format: 'yaml', author: 'ann', source } as unknown as DeployedVersion
  return isSame(handler, before, { text, format: 'yaml', content: {}, author: 'ann' })
}

test.each([
  ['a: 1\n', '\n\n  a: 1  \r\n\n', true],
  ['a:\n  b: 1\n', '  a:\n    b: 1\n', true],
  ['a:\n  b: 1\n', 'a:\n b: 1\n', false],
  ['a: |\n  x\n\n  y\n', 'a: |\n  x\n\n\n  y\n', false],
  ['', '\n \n', true],
  ['', 'a', false],
])('%j and %j: %s', (source, text, expected) => {
  expect(isSameText(source, text)).toBe(expected)
})

test.each([
  ['130,000 lines', 'a\n'.repeat(130_000)],
  ['130,000 indented lines', ' a\n'.repeat(85_000)],
  ['many blank lines in the middle', `a\n${'\n'.repeat(260_000)}b`],
])('%s are compared in no time', (_, text) => {
  const start = performance.now()
  expect(isSameText(text, `\n${text}\n`)).toBe(true)
  expect(performance.now() - start).toBeLessThan(5_000)
})

import { expect, test } from 'vitest'
import { findingsInText } from './unknown-expressions.js'

test.each([
  // biome-ignore lint/suspicious/noTemplateCurlyInString: so templates of others are written
  ['a ${Document.title} b', ['${Document.title} stays as it is: write expr:@{Document.title}']],
  ['#{ Context.x }', ['#{ Context.x } stays as it is: write expr:@{Context.x}']],
  ['${Document', []],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: likewise
  ['${other} }', []],
])('%j is reported', (text, messages) => {
  expect(findingsInText(text).map(({ message }) => message)).toEqual(messages)
})

test('templates that are opened only are looked through once', () => {
  const start = performance.now()
  expect(findingsInText('${Document '.repeat(100_000))).toEqual([])
  expect(performance.now() - start).toBeLessThan(5_000)
})

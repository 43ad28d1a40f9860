import { expect, test } from 'vitest'
import { parseInput, type RunInput } from './run-input.js'

test.each<[string[], RunInput]>([
  [[], { kind: 'none' }],
  [['doc:/a'], { kind: 'text', text: 'doc:/a' }],
  [['docs:1,2'], { kind: 'text', text: 'docs:1,2' }],
  [[''], { kind: 'text', text: '' }],
  [['@@handle'], { kind: 'text', text: '@handle' }],
  [['@a.pdf'], { kind: 'files', files: ['a.pdf'] }],
  [['@a.pdf', '@b.pdf'], { kind: 'files', files: ['a.pdf', 'b.pdf'] }],
])('reads %j', (texts, expected) => {
  expect(parseInput(texts)).toEqual(expected)
})

test.each([[['a', 'b']], [['@a', 'b']], [['@a', '@@b']]])('refuses %j', (texts) => {
  expect(() => parseInput(texts)).toThrow('is repeatable for files (@file) only')
})

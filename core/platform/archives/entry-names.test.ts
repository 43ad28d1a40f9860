import { expect, test } from 'vitest'
import { createEntryNames } from './entry-names.js'

const namesOf = (...names: (string | null)[]): string[] => names.map(createEntryNames())

test.each([
  [
    ['a.txt', 'A.txt', 'a.txt', 'b.txt'],
    ['a.txt', 'A (1).txt', 'a (2).txt', 'b.txt'],
  ],
  [
    ['a (1).txt', 'a.txt', 'a.txt'],
    ['a (1).txt', 'a.txt', 'a (2).txt'],
  ],
  [
    ['../up', '.', null, 'C:\\x', '.profile'],
    ['.._up', 'file', 'file (1)', 'C__x', '.profile'],
  ],
  [[`${'n'.repeat(300)}.pdf`], [`${'n'.repeat(200)}.pdf`]],
  [[`n.${'x'.repeat(300)}`], [`n.${'x'.repeat(198)}`]],
])('%j', (given, expected) => {
  expect(namesOf(...given)).toEqual(expected)
})

test('the same name many times, in whatever case, asks for few names each', () => {
  const nameOf = createEntryNames()
  // Each looked for from the first number on, these would be 200 million names.
  const names = Array.from({ length: 20_000 }, (_, at) => nameOf(at % 2 ? 'A'.repeat(150) : 'a'.repeat(150)))
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(20_000)
  expect(names.at(-1)).toMatch(/\(19999\)$/)
})

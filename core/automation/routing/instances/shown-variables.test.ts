import { expect, test } from 'vitest'
import { shownVariables } from './shown-variables.js'

test('few and short variables are shown as they are', () => {
  const variables = { participants: ['user:ann'], round: 1, comment: null, notes: 'x'.repeat(3_000) }
  expect(shownVariables(variables)).toBe(variables)
})

test('long values are shortened to a few thousand characters, and keep their names and kinds', () => {
  const variables = {
    text: 'x'.repeat(1_000_000),
    list: Array.from({ length: 10_000 }, (_, index) => `user:${index}`),
    map: { notes: 'y'.repeat(10_000) },
    escaped: '\u0001'.repeat(100_000),
    round: 7,
    off: null,
  }
  const shown = shownVariables(variables)
  expect(JSON.stringify(shown).length).toBeLessThan(5_000)
  expect(Object.keys(shown)).toEqual(Object.keys(variables))
  expect(shown).toMatchObject({ map: {}, round: 7, off: null })
  expect(shown.text).toMatch(/^x{100,}…$/)
  expect((shown.list as string[]).slice(0, 2)).toEqual(['user:0', 'user:1'])
})

test('many names, and long ones, are left out', () => {
  const many = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, index) => [`name${index}`, 'x'.repeat(50)]),
  )
  expect(Object.keys(shownVariables({ ...many, ['n'.repeat(1_000_000)]: 1 }))).toHaveLength(200)
})

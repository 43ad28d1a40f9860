import { expect, test } from 'vitest'
import { fitted } from './fitted.js'

const MOST = 4_096

test('few and short values stay as they are', () => {
  const values = { participants: ['user:ann'], round: 1, comment: null, notes: 'x'.repeat(3_000) }
  expect(fitted(values, MOST)).toBe(values)
})

test('long values are shortened to a few thousand characters, and keep their names and kinds', () => {
  const values = {
    text: 'x'.repeat(1_000_000),
    list: Array.from({ length: 10_000 }, (_, index) => `user:${index}`),
    map: { notes: 'y'.repeat(10_000) },
    escaped: '\u0001'.repeat(100_000),
    round: 7,
    off: null,
  }
  const shown = fitted(values, MOST)
  expect(JSON.stringify(shown).length).toBeLessThan(5_000)
  expect(Object.keys(shown)).toEqual(Object.keys(values))
  expect(shown).toMatchObject({ map: {}, round: 7, off: null })
  expect(shown.text).toMatch(/^x{100,}…$/)
  expect((shown.list as string[]).slice(0, 2)).toEqual(['user:0', 'user:1'])
})

test('many names, and long ones, are left out', () => {
  const many = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, index) => [`name${index}`, 'x'.repeat(50)]),
  )
  expect(Object.keys(fitted({ ...many, ['n'.repeat(1_000_000)]: 1 }, MOST))).toHaveLength(200)
})

import { expect, test } from 'vitest'
import { createFreeNames } from './free-names.js'

test('the same name many times has few alternatives looked at', () => {
  let looks = 0
  const freeName = createFreeNames((name, count) => {
    looks += 1
    return `${name}.${count}`
  })
  const names = ['a.2', ...Array.from({ length: 1_000 }, () => 'a')].map((name) => freeName(name))
  expect(new Set(names).size).toBe(1_001)
  expect(names.slice(0, 5)).toEqual(['a.2', 'a', 'a.1', 'a.3', 'a.4'])
  expect(looks).toBe(1_000)
})

test('equal names are those of one key', () => {
  const freeName = createFreeNames(
    (name, count) => `${name}${count}`,
    (name) => name.toLowerCase(),
  )
  expect(['b', 'B', 'b'].map((name) => freeName(name))).toEqual(['b', 'B1', 'b2'])
})

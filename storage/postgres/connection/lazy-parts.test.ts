import { expect, test } from 'vitest'
import { lazyParts } from './lazy-parts.js'

type Whole = { numbers: { double(): number }; sums: { twice(): number }; text: string }

const counted = () => {
  const made: string[] = []
  const create = lazyParts<{ value: number }, Whole>({
    numbers: ({ value }) => {
      made.push(`numbers ${value}`)
      return { double: () => value * 2 }
    },
    sums: (_, whole) => ({ twice: () => whole.numbers.double() }),
    text: ({ value }) => {
      made.push(`text ${value}`)
      return String(value)
    },
  })
  return { made, create }
}

test('a part is made when it is asked for, and once', () => {
  const { made, create } = counted()
  const whole = create({ value: 3 })
  expect(made).toEqual([])
  expect(whole.text).toBe('3')
  expect(whole.text).toBe('3')
  expect(made).toEqual(['text 3'])
})

test('a part reaches the others of its own whole', () => {
  const { create } = counted()
  const [one, two] = [create({ value: 1 }), create({ value: 2 })]
  expect([one.sums.twice(), two.sums.twice()]).toEqual([2, 4])
})

test('what is taken out of it works without it', () => {
  const { numbers } = counted().create({ value: 5 })
  expect(numbers.double()).toBe(10)
})

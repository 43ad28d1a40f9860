import { expect, test } from 'vitest'
import { madeOfParts } from './parts.js'

type Both = { double(): number; twice(): number; text(): string }

const counted = () => {
  const made: string[] = []
  const create = madeOfParts<{ value: number }, Both>()({
    numbers: ({ value }, whole) => {
      made.push(`numbers ${value}`)
      return { double: () => value * 2, twice: () => whole.double() }
    },
    texts: ({ value }) => {
      made.push(`texts ${value}`)
      return { text: () => String(value) }
    },
  })
  return { made, create }
}

test('a part is made when something of it is asked for, and once', () => {
  const { made, create } = counted()
  create({ value: 0 })
  made.length = 0
  const whole: Both = create({ value: 3 })
  expect(made).toEqual([])
  expect(whole.text()).toBe('3')
  expect(whole.text()).toBe('3')
  expect(made).toEqual(['texts 3'])
})

test('a part reaches the others of its own whole', () => {
  const { create } = counted()
  const [one, two] = [create({ value: 1 }), create({ value: 2 })]
  expect([one.twice(), two.twice()]).toEqual([2, 4])
})

test('what is taken out of it works without it', () => {
  const { double } = counted().create({ value: 5 })
  expect(double()).toBe(10)
})

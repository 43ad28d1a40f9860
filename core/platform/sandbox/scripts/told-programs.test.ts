import { expect, test } from 'vitest'
import type { Program } from './protocol.js'
import { createToldPrograms } from './told-programs.js'

const program = (key: string): Program => ({
  key,
  title: key,
  code: '',
  check: '',
  names: [],
  namespaces: {},
})
const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(program) as [Program, Program, Program, Program]

test('a program is told once, until others have been used more lately', () => {
  const told = createToldPrograms(2)
  expect(told.tell(a, [])).toEqual({ key: 'a', program: a })
  expect(told.tell(b, [])).toEqual({ key: 'b', program: b })
  expect(told.tell(a, [])).toEqual({ key: 'a' })
  expect(told.tell(c, [])).toEqual({ key: 'c', program: c, forgets: 'b' })
  expect(told.tell(b, [])).toEqual({ key: 'b', program: b, forgets: 'a' })
})

test('what runs is not forgotten', () => {
  const told = createToldPrograms(2)
  told.tell(a, [])
  told.tell(b, ['a'])
  expect(told.tell(c, ['a'])).toEqual({ key: 'c', program: c, forgets: 'b' })
  expect(told.tell(d, ['a', 'c'])).toEqual({ key: 'd', program: d })
})

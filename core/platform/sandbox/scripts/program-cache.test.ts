import { expect, test } from 'vitest'
import { createProgramCache } from './program-cache.js'
import type { Program } from './protocol.js'

const program = (key: string): Program => ({
  key,
  title: key,
  code: '',
  check: '',
  names: [],
  namespaces: {},
})
const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(program) as [Program, Program, Program, Program]

test('a program is sent once, until others have been used more lately', () => {
  const cache = createProgramCache(2)
  expect(cache.messageFor(a, [])).toEqual({ key: 'a', program: a })
  expect(cache.messageFor(b, [])).toEqual({ key: 'b', program: b })
  expect(cache.messageFor(a, [])).toEqual({ key: 'a' })
  expect(cache.messageFor(c, [])).toEqual({ key: 'c', program: c, forgets: 'b' })
  expect(cache.messageFor(b, [])).toEqual({ key: 'b', program: b, forgets: 'a' })
})

test('what runs is not forgotten', () => {
  const cache = createProgramCache(2)
  cache.messageFor(a, [])
  cache.messageFor(b, ['a'])
  expect(cache.messageFor(c, ['a'])).toEqual({ key: 'c', program: c, forgets: 'b' })
  expect(cache.messageFor(d, ['a', 'c'])).toEqual({ key: 'd', program: d })
})

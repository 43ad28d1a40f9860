import { expect, test } from 'vitest'
import { callersVariables, givenVariables } from './variables.js'

const declared = {
  index: { type: 'integer', default: 0, internal: true },
  participants: { type: 'list', internal: false },
} as const

test('what chains alone set is refused of callers, and taken of chains', () => {
  expect(() => callersVariables(declared, { index: 7 })).toThrow(
    'variables.index: is set by the chains of the workflow alone',
  )
  expect(callersVariables(declared, { participants: 'ann,bob', toString: 'x' })).toEqual({
    participants: ['ann', 'bob'],
  })
  expect(givenVariables(declared, { index: '7' })).toEqual({ index: 7 })
})

import { expect, test } from 'vitest'
import { parseJson } from './body.js'

/** Names in maps of all levels, and colons in texts that are none. */
const named = (count: number) =>
  `{"list":[${Array.from({ length: count - 1 }, () => '{"a":"b:\\"c:"}').join(',')}]}`

test('a body has twenty thousand names at most', () => {
  expect(parseJson(named(50_000))).toHaveProperty('list.length', 49_999)
  expect(() => parseJson(named(50_001))).toThrow(
    expect.objectContaining({
      code: 'badRequest',
      message: 'The request body has more than 50000 names in its maps',
    }),
  )
})

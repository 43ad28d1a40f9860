import { expect, test } from 'vitest'
import { decodeRequest } from './decode.js'

const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`n${n}`, 1]))

test.each([
  ['input', { input: `docs:${Array.from({ length: 10_001 }, (_, n) => `/${n}`).join(',')}` }],
  ['context.list', { context: { list: `docs:${'/a,'.repeat(10_001)}` } }],
  ['params', { params: names(10_001) }],
  ['context', { context: names(10_001) }],
])('refuses more in %s than a call may look up', (field, body) => {
  expect(() => decodeRequest(body)).toThrow(
    expect.objectContaining({
      code: 'tooLarge',
      message: `${field}: has 10001 entries; at most 10000 are possible in one call`,
    }),
  )
})

test('takes as many as are possible', () => {
  const { params } = decodeRequest({ params: names(10_000) })
  expect(Object.keys(params)).toHaveLength(10_000)
})

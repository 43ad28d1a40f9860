import { expect, test } from 'vitest'
import { decodeRequest } from './decode.js'

const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`n${n}`, 1]))

test.each([
  ['input', 1000, { input: `docs:${Array.from({ length: 1_001 }, (_, n) => `/${n}`).join(',')}` }],
  ['input', 1000, { input: { 'entity-type': 'documents', entries: Array(1_001).fill({ uid: 'a' }) } }],
  ['context.list', 1000, { context: { list: `docs:${'/a,'.repeat(1_001)}` } }],
  ['params', 10000, { params: names(10_001) }],
  ['context', 10000, { context: names(10_001) }],
])('refuses more in %s than a call may look up', (field, limit, body) => {
  expect(() => decodeRequest(body)).toThrow(
    expect.objectContaining({
      code: 'tooLarge',
      message: `${field}: has more than ${limit} entries`,
    }),
  )
})

test('takes as many as are possible', () => {
  const { params } = decodeRequest({ params: names(10_000) })
  expect(Object.keys(params)).toHaveLength(10_000)
})

test.each(['context', 'params'])('refuses names in %s that only chains fill', (field) => {
  const name = ' pushed document 0'
  expect(() => decodeRequest({ [field]: { [name]: 'doc:/a' } })).toThrow(
    expect.objectContaining({ code: 'badRequest', message: `${field}: '${name}' begins with a blank` }),
  )
})

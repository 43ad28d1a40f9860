import { expect, test } from 'vitest'
import { ArchivoltError } from '../errors/index.js'
import { principalOf } from '../security/index.js'
import { compileNxql, parseNxql } from './index.js'
import { sampleModel } from './model.fixture.js'
import { createRandom, mutate, randomQuery } from './random-query.fixture.js'

const CASES = 20_000
const model = sampleModel()
const principal = principalOf('ann', ['staff'], false)
const now = new Date('2020-03-31T12:00:00.000Z')

const compile = (text: string) => compileNxql(parseNxql(text), { model, principal, now }).rows()

test('a query of the grammar compiles, with a placeholder for each value and none beyond', () => {
  const random = createRandom(1)
  for (let i = 0; i < CASES; i += 1) {
    const query = randomQuery(random)
    const { text, parameters } = compile(query)
    const used = new Set(Array.from(text.matchAll(/\$(\d+)/g), ([, n]) => Number(n)))
    expect(
      [...used].sort((a, b) => a - b),
      query,
    ).toEqual(parameters.map((_, index) => index + 1))
  }
})

test('a damaged query is compiled or refused as a bad request, and at once', () => {
  const random = createRandom(2)
  let refused = 0
  for (let i = 0; i < CASES; i += 1) {
    const query = mutate(randomQuery(random), random)
    try {
      compile(query)
    } catch (error) {
      if (!(error instanceof ArchivoltError) || error.code !== 'badRequest') {
        throw new Error(`Case ${i}: ${JSON.stringify(query)}`, { cause: error })
      }
      refused += 1
    }
  }
  expect(refused).toBeGreaterThan(CASES / 2)
}, 30_000)

import { expect, test } from 'vitest'
import { principalOf } from '../../../core/access/security/index.js'
import { parseNxql } from '../../../core/model/nxql/index.js'
import { sampleModel } from '../../../core/model/nxql/model.fixture.js'
import {
  createRandom,
  MARK,
  mutate,
  randomQuery,
  randomRecordQuery,
} from '../../../core/model/nxql/random-query.fixture.js'
import { ArchivoltError } from '../../../core/platform/errors/index.js'
import { sized } from '../../../test/support/size.js'
import { compileNxql, compileRecords, type Statement } from './index.js'

const CASES = sized({ full: 45_000, sample: 4_500 })
const model = sampleModel()
const scope = {
  model,
  principal: principalOf('ann', ['staff'], false),
  now: new Date('2020-03-31T12:00:00.000Z'),
}

const compile = (text: string): Statement[] => {
  const plan = compileNxql(parseNxql(text), scope)
  return [plan.rows(), plan.count(10)]
}

const compileRows = (text: string): Statement[] => {
  const plan = compileRecords(parseNxql(text), scope)
  return [plan.rows({ limit: 5, offset: 5 }), plan.count()]
}

/** A placeholder for each value and none beyond, and nothing of the caller's in the text. */
const problemOf = ({ text, parameters }: Statement): string | undefined => {
  if (text.includes(MARK)) return 'the text holds what the caller wrote'
  const used = new Set(Array.from(text.matchAll(/\$(\d+)/g), ([, n]) => Number(n)))
  const isComplete = used.size === parameters.length && parameters.every((_, index) => used.has(index + 1))
  return isComplete ? undefined : 'placeholders and values do not fit'
}

const check = (query: string, statements: readonly Statement[]): void => {
  for (const statement of statements) {
    const problem = problemOf(statement)
    if (problem) expect.fail(`${query}: ${problem}: ${statement.text}`)
  }
}

/** True when the query was compiled, false when it was refused as the caller's mistake. */
const isTaken = (query: string, compiled: (query: string) => Statement[]): boolean => {
  try {
    check(query, compiled(query))
    return true
  } catch (error) {
    if (error instanceof ArchivoltError && error.code === 'badRequest') return false
    throw new Error(JSON.stringify(query), { cause: error })
  }
}

test('a query of the grammar compiles', () => {
  const random = createRandom(1)
  for (let i = 0; i < CASES; i += 1) {
    const query = randomQuery(random)
    check(query, compile(query))
  }
})

test('a query for rows compiles', () => {
  const random = createRandom(5)
  for (let i = 0; i < CASES / 9; i += 1) {
    const query = randomRecordQuery(random)
    check(query, compileRows(query))
  }
})

test('a damaged query is compiled or refused as a bad request, and at once', () => {
  const random = createRandom(2)
  let refused = 0
  for (let i = 0; i < CASES; i += 1) if (!isTaken(mutate(randomQuery(random), random), compile)) refused += 1
  expect(refused).toBeGreaterThan(CASES / 2)
})

test('so is a damaged query for rows', () => {
  const random = createRandom(6)
  let refused = 0
  for (let i = 0; i < CASES / 9; i += 1)
    if (!isTaken(mutate(randomRecordQuery(random), random), compileRows)) refused += 1
  expect(refused).toBeGreaterThan(CASES / 18)
})

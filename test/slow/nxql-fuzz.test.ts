import { beforeAll, expect, test } from 'vitest'
import { principalOf } from '../../core/access/security/index.js'
import { evaluate } from '../../core/model/nxql/evaluator/index.js'
import { parseNxql } from '../../core/model/nxql/index.js'
import {
  createRandom,
  mutate,
  type Random,
  randomQuery,
  randomRecordQuery,
} from '../../core/model/nxql/random-query.fixture.js'
import { ArchivoltError } from '../../core/platform/errors/index.js'
import {
  evaluatedDocuments,
  randomDocuments,
  storeRandomDocuments,
} from '../../storage/contract/queries/index.js'
import { CONTRACT_RULES } from '../../storage/contract/rules/index.js'
import { compileNxql, compileRecords, type Statement } from '../../storage/postgres/nxql/index.js'
import { openContentOn, openDatabase } from '../integration/storage/contract/postgres.js'
import { isFullRun } from '../support/size.js'

const database = await openDatabase()
const backend = await openContentOn(database, CONTRACT_RULES)
const { sql } = database
const { model } = CONTRACT_RULES
const now = new Date('2020-03-31T12:00:00.000Z')
const stored = randomDocuments(createRandom(21), 120)
const documents = evaluatedDocuments(stored, now)
const users = [
  principalOf('Administrator', [], true),
  principalOf('ann', ['staff'], false),
  principalOf('bob', ['staff'], false),
  principalOf('eve', [], false),
]

beforeAll(() => storeRandomDocuments(backend, stored))

/** Statements of a query, or nothing when it is refused as the caller's mistake. */
const statementsOf = (text: string, isRows: boolean, position: number): Statement[] => {
  const scope = { model, principal: users[position % users.length]!, now }
  try {
    const query = parseNxql(text)
    const plan = isRows ? compileRecords(query, scope) : compileNxql(query, scope)
    return [plan.rows({ limit: 20, offset: position % 3 }), plan.count(50)]
  } catch (error) {
    if (error instanceof ArchivoltError && error.code === 'badRequest') return []
    throw new Error(`${position}: ${JSON.stringify(text)}`, { cause: error })
  }
}

/** One in so many of a full run. */
const PART = isFullRun ? 1 : 10

/** Some at a time, as the pool has connections. */
const runAll = async (count: number, work: (position: number) => Promise<unknown>): Promise<void> => {
  for (let done = 0; done < count; done += 100)
    await Promise.all(Array.from({ length: Math.min(100, count - done) }, (_, i) => work(done + i)))
}

const execute = async (text: string, isRows: boolean, position: number): Promise<boolean> => {
  const statements = statementsOf(text, isRows, position)
  for (const statement of statements) {
    await sql.unsafe(statement.text, statement.parameters as never[]).catch((cause: Error) => {
      throw new Error(`${position}: ${JSON.stringify(text)}: ${cause.message}`, { cause })
    })
  }
  return statements.length > 0
}

test.each<[string, number, (random: Random) => string, boolean]>([
  ['queries', 12_000 / PART, randomQuery, false],
  ['queries for rows', 6_000 / PART, randomRecordQuery, true],
  ['damaged queries', 40_000 / PART, (random) => mutate(randomQuery(random), random), false],
  ['damaged queries for rows', 20_000 / PART, (random) => mutate(randomRecordQuery(random), random), true],
])('random %s never fail in the database, and take no time', async (_, count, generate, isRows) => {
  const random = createRandom(31)
  const texts = Array.from({ length: count }, () => generate(random))
  let executed = 0
  await runAll(count, async (position) => {
    if (await execute(texts[position] ?? '', isRows, position)) executed += 1
  })
  expect(executed).toBeGreaterThan(count / 20)
})

test('answers are those of a plain look at each document', async () => {
  const random = createRandom(32)
  const texts = Array.from({ length: 20_000 / PART }, () => randomQuery(random))
  await runAll(texts.length, async (position) => {
    const text = texts[position] ?? ''
    const principal = users[position % users.length]!
    const query = parseNxql(text)
    const { text: statement, parameters } = compileNxql(query, { model, principal, now }).ids()
    const rows = await sql.unsafe(statement, parameters as never[])
    const found = rows.map(({ id }) => id as string).toSorted()
    const expected = evaluate(query, { documents, model, principal, now }).toSorted()
    if (found.join() !== expected.join())
      expect(found, `${position}, ${principal.name}: ${text}`).toEqual(expected)
  })
})

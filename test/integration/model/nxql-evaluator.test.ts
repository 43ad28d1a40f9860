import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { principalOf } from '../../../core/access/security/index.js'
import { evaluate } from '../../../core/model/nxql/evaluator/index.js'
import { parseNxql } from '../../../core/model/nxql/index.js'
import { sampleModel } from '../../../core/model/nxql/model.fixture.js'
import { createRandom, randomQuery } from '../../../core/model/nxql/random-query.fixture.js'
import { applyFulltextRules } from '../../../storage/postgres/index.js'
import { compileNxql } from '../../../storage/postgres/nxql/index.js'
import { createTestDatabase } from '../../support/index.js'
import { randomDocuments } from '../../support/nxql/random-documents.js'
import { evaluated, storeDocuments } from '../../support/nxql/stored-documents.js'

const QUERIES = 2_500
const database = await createTestDatabase()
const sql = postgres(database.url, { max: 1, onnotice: () => undefined })
const model = sampleModel()
const now = new Date('2020-03-31T12:00:00.000Z')
const stored = randomDocuments(createRandom(11), 80)
const documents = stored.map((document) => evaluated(document, now))

const users = [
  principalOf('Administrator', [], true),
  principalOf('ann', ['staff'], false),
  principalOf('bob', ['staff'], false),
  principalOf('eve', [], false),
]

beforeAll(async () => {
  await sql.begin((tx) => applyFulltextRules(tx, model.fulltext))
  await storeDocuments(sql, stored)
})
afterAll(() => sql.end())

/** Searches are ordered by how well they fit, which the evaluator does not tell. */
const isOrdered = (text: string) => text.includes('ORDER BY') || !text.includes('ecm:fulltext')

test('random queries of several users find what a plain look at each document finds, in its order', async () => {
  const random = createRandom(12)
  let matches = 0
  for (let i = 0; i < QUERIES; i += 1) {
    const text = randomQuery(random)
    const principal = users[i % users.length]!
    const query = parseNxql(text)
    const plan = compileNxql(query, { model, principal, now })
    const { text: statement, parameters } = plan.ids()
    const rows = await sql.unsafe(statement, parameters as never[])
    const found = rows.map(({ id }) => id as string)
    const expected = evaluate(query, { documents, model, principal, now })
    const asked = `${i}, ${principal.name}: ${text}`
    if (isOrdered(text)) expect(found, asked).toEqual(expected)
    else expect(found.toSorted(), asked).toEqual(expected.toSorted())
    if (found.length > 0 && found.length < documents.length / 2) matches += 1
  }
  // Most questions are worth asking: their answers are neither nothing nor everything.
  expect(matches).toBeGreaterThan(QUERIES / 3)
})

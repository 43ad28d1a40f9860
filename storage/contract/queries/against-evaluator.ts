import { beforeAll, expect, test } from 'vitest'
import { principalOf } from '../../../core/access/security/index.js'
import { evaluate } from '../../../core/model/nxql/evaluator/index.js'
import { parseNxql } from '../../../core/model/nxql/index.js'
import { createRandom, randomQuery } from '../../../core/model/nxql/random-query.fixture.js'
import type { ContentBackend } from '../content/index.js'
import { CONTRACT_RULES } from '../rules/index.js'
import { evaluatedDocuments } from './evaluated.js'
import { randomDocuments, storeRandomDocuments } from './random-documents.js'

const NOW = new Date('2020-03-31T12:00:00.000Z')

const USERS = [
  principalOf('Administrator', [], true),
  principalOf('ann', ['staff'], false),
  principalOf('bob', ['staff'], false),
  principalOf('eve', [], false),
]

/** Searches are ordered by how well they fit, which the evaluator does not compute. */
const isOrdered = (text: string) => text.includes('ORDER BY') || !text.includes('ecm:fulltext')

/**
 * Asks an empty repository random queries about random documents, as several users.
 *
 * @param size how many documents and queries, and the number that both begin with.
 */
export const describeAgainstEvaluator = (
  backend: ContentBackend,
  { documents: count, queries, seed }: { documents: number; queries: number; seed: number },
): void => {
  const { model } = CONTRACT_RULES
  const stored = randomDocuments(createRandom(seed), count)
  const documents = evaluatedDocuments(stored, NOW)
  beforeAll(() => storeRandomDocuments(backend, stored))

  test('random queries of several users find what a plain look at each document finds, in its order', async () => {
    const random = createRandom(seed + 1)
    let matches = 0
    for (let i = 0; i < queries; i += 1) {
      const text = randomQuery(random)
      const principal = USERS[i % USERS.length]!
      const query = parseNxql(text)
      const found = await backend
        .reading(principal)
        .search.ids(query, { model, principal, now: NOW }, Number.MAX_SAFE_INTEGER)
      const expected = evaluate(query, { documents, model, principal, now: NOW })
      const asked = `${i}, ${principal.name}: ${text}`
      if (isOrdered(text)) expect(found, asked).toEqual(expected)
      else expect(found.toSorted(), asked).toEqual(expected.toSorted())
      if (found.length > 0 && found.length < documents.length / 2) matches += 1
    }
    // Most questions are worth asking: their answers are neither nothing nor everything.
    expect(matches).toBeGreaterThan(queries / 3)
  })
}

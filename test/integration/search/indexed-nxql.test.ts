import { describe, expect, test } from 'vitest'
import { principalOf } from '../../../core/access/security/index.js'
import { evaluate } from '../../../core/model/nxql/evaluator/index.js'
import { type Grouping, parseNxql, parseReference } from '../../../core/model/nxql/index.js'
import { createRandom, randomQuery } from '../../../core/model/nxql/random-query.fixture.js'
import {
  evaluatedDocuments,
  randomDocuments,
  storeRandomDocuments,
} from '../../../storage/contract/queries/index.js'
import { CONTRACT_RULES } from '../../../storage/contract/rules/index.js'
import { elasticsearchSettings } from '../../support/elasticsearch.js'
import { sized } from '../../support/size.js'
import { openIndexed } from '../storage/contract/elasticsearch.js'
import { EVERY_TERM, randomGrouping } from '../support/random-groupings.js'

const SEED = 23
const QUERIES = sized({ full: 100_000, sample: 1_000 })
/** Questions that are under way at once. */
const ABREAST = 8

const NOW = new Date('2020-03-31T12:00:00.000Z')
const { model } = CONTRACT_RULES
const USERS = [
  principalOf('Administrator', [], true),
  principalOf('ann', ['staff'], false),
  principalOf('bob', ['staff'], false),
  principalOf('eve', [], false),
]

/** How well documents fit a search is told otherwise by each engine, and not at all by the evaluator. */
const isOrdered = (text: string) => text.includes('ORDER BY') || !text.includes('ecm:fulltext')

const settings = await elasticsearchSettings()

describe.skipIf(!settings)('random queries about random documents', async () => {
  if (!settings) return
  const backend = await openIndexed(settings, 'random')(CONTRACT_RULES)
  const stored = randomDocuments(createRandom(SEED), 80)
  const documents = evaluatedDocuments(stored, NOW)

  test('the index, the repository and a plain look at each document find and count the same', async () => {
    await storeRandomDocuments(backend, stored)
    const random = createRandom(SEED + 1)
    let indexed = 0
    const types = new Map(documents.map(({ id, type }) => [id, type]))
    const groups = createRandom(SEED + 2)
    /** Counts by a property are the same from both sides; of the types they are those that a plain look finds. */
    const count = async (text: string, principal: (typeof USERS)[number], expected: readonly string[]) => {
      const scope = { model, principal, now: NOW }
      const { search, queries } = backend.reading(principal)
      const query = parseNxql(text)
      const by = (field: string, grouping: Grouping) => ({ reference: parseReference(field)!, grouping })
      const { field, grouping } = randomGrouping(groups)
      const [counted, own, byType] = await Promise.all([
        search.aggregate(query, scope, by(field, grouping)),
        queries.aggregate(query, scope, by(field, grouping)),
        search.aggregate(query, scope, by('ecm:primaryType', EVERY_TERM)),
      ])
      expect(counted, `${principal.name}: ${field} ${JSON.stringify(grouping)} of ${text}`).toEqual(own)
      const plain: { [type: string]: number } = {}
      for (const type of expected.map((id) => types.get(id)!)) plain[type] = (plain[type] ?? 0) + 1
      expect(Object.fromEntries(byType.map((each) => [each.key, each.count])), text).toEqual(plain)
    }
    const ask = async (text: string, principal: (typeof USERS)[number]): Promise<void> => {
      const query = parseNxql(text)
      const scope = { model, principal, now: NOW }
      const { search, queries } = backend.reading(principal)
      const page = { limit: 30, offset: 3 }
      const [found, own, explained] = await Promise.all([
        search.query(query, scope, page),
        queries.query(query, scope, page),
        search.explain(query, scope, 1),
      ])
      if (explained.backend === 'index') indexed += 1
      const expected = evaluate(query, { documents, model, principal, now: NOW })
      const asked = `${principal.name}: ${text}`
      expect(found.total, asked).toBe(expected.length)
      expect(own.total, asked).toBe(expected.length)
      if (isOrdered(text)) {
        const ids = expected.slice(3, 33)
        expect(
          own.entries.map(({ id }) => id),
          asked,
        ).toEqual(ids)
        expect(
          found.entries.map(({ id }) => id),
          asked,
        ).toEqual(ids)
      } else {
        const all = await search.ids(query, scope, 1_000)
        expect(all.toSorted(), asked).toEqual(expected.toSorted())
      }
      await count(text, principal, expected)
    }
    for (let i = 0; i < QUERIES; i += ABREAST) {
      const texts = Array.from({ length: ABREAST }, () => randomQuery(random))
      await Promise.all(texts.map((text, at) => ask(text, USERS[(i + at) % USERS.length]!)))
    }
    // The repository answers the rest: what compares properties, or elements with each other.
    expect(indexed).toBeGreaterThan(QUERIES / 3)
  })
})

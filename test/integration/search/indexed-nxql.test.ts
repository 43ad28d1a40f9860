import { describe, expect, test } from 'vitest'
import { principalOf } from '../../../core/access/security/index.js'
import { evaluate } from '../../../core/model/nxql/evaluator/index.js'
import { type Grouping, parseNxql, parseReference } from '../../../core/model/nxql/index.js'
import {
  createRandom,
  randomQuery,
  randomRecordQuery,
} from '../../../core/model/nxql/random-query.fixture.js'
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

/** One repository of random documents each. */
const SEEDS = [23, 101, 211]
const QUERIES = sized({ full: 100_000, sample: 1_008 })
/** Each query is a dozen questions: all of them take hours on a machine that others use. */
const TIMEOUT_MS = sized({ full: 6 * 3_600_000, sample: 600_000 })
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

/** How well documents fit a search is computed otherwise by each engine, and not at all by the evaluator. */
const isOrdered = (text: string) => text.includes('ORDER BY') || !text.includes('ecm:fulltext')

const settings = await elasticsearchSettings()

describe.skipIf(!settings)('random queries about random documents', async () => {
  if (!settings) return
  const repositories = await Promise.all(
    SEEDS.map(async (seed) => ({
      seed,
      backend: await openIndexed(settings, `random-${seed}`)(CONTRACT_RULES),
    })),
  )

  test.each(repositories)(
    'the index, the repository and a plain look at each document find and count the same: repository $seed',
    async ({ seed, backend }) => {
      const stored = randomDocuments(createRandom(seed), 80)
      const documents = evaluatedDocuments(stored, NOW)
      await storeRandomDocuments(backend, stored)
      const random = createRandom(seed + 1)
      let indexed = 0
      const types = new Map(documents.map(({ id, type }) => [id, type]))
      const groups = createRandom(seed + 2)
      const rows = createRandom(seed + 3)
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
      /** Rows are the same from both sides, and those of ids and types are the documents of a plain look. */
      const row = async (text: string, principal: (typeof USERS)[number], expected: readonly string[]) => {
        const scope = { model, principal, now: NOW }
        const { search, queries } = backend.reading(principal)
        const page = { limit: 1_000, offset: 0 }
        const rowsOf = async (of: typeof search, nxql: string) => {
          const { entries, total } = await of.records(parseNxql(nxql), scope, page)
          return { rows: entries.map((entry) => JSON.stringify(entry)).sort(), total }
        }
        const ofRows = randomRecordQuery(rows)
        const [found, own] = await Promise.all([rowsOf(search, ofRows), rowsOf(queries, ofRows)])
        expect(found, `${principal.name}: ${ofRows}`).toEqual(own)
        const plain = text
          .replace('SELECT *', 'SELECT ecm:uuid, ecm:primaryType')
          .replace(/ ORDER BY .*$/, '')
        const listed = await rowsOf(search, plain)
        const wanted = expected.map((id) => ({ 'ecm:uuid': id, 'ecm:primaryType': types.get(id)! }))
        expect([...new Set(listed.rows)], `${principal.name}: ${plain}`).toEqual(
          wanted.map((each) => JSON.stringify(each)).sort(),
        )
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
        await row(text, principal, expected)
      }
      const queries = QUERIES / SEEDS.length
      for (let i = 0; i < queries; i += ABREAST) {
        const texts = Array.from({ length: ABREAST }, () => randomQuery(random))
        await Promise.all(texts.map((text, at) => ask(text, USERS[(i + at) % USERS.length]!)))
      }
      // The repository answers the rest: what compares properties, or elements with each other.
      expect(indexed).toBeGreaterThan(queries / 3)
    },
    TIMEOUT_MS,
  )
})

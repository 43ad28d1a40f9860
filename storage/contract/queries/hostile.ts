import { describe, expect, test } from 'vitest'
import { bindParameters } from '../../../core/model/nxql/index.js'
import { createRandom, randomPredicate, randomQuery } from '../../../core/model/nxql/random-query.fixture.js'
import type { Asking } from './asking.js'
import { changeSample, idOf } from './sample.js'

/** Values and queries that are meant to do harm. */
export const describeHostileQueries = ({ backend, find, page }: Asking): void => {
  describe('hostile values', () => {
    test.each([
      "'; DROP TABLE documents; --",
      "' OR 1 = 1 OR dc:title = '",
      '\\',
      '%',
      '$1',
      '{"a":',
      '\u{1f600}',
    ])('the value %j is a value', async (value) => {
      await changeSample(backend, 'ws-x/f', { properties: { 'dc:title': value } })
      const query = bindParameters('SELECT * FROM Document WHERE dc:title = ?', [value])
      expect(await find(query)).toEqual(['ws-x/f'])
      expect(await find(query.replace('= ', '> '))).not.toContain('ws-x/f')
    })

    test('random queries run', async () => {
      const random = createRandom(3)
      for (let i = 0; i < 1_000; i += 1) {
        const query = randomQuery(random)
        await find(query).catch((cause: Error) => {
          throw new Error(`${query}: ${cause.message}`, { cause })
        })
      }
    })

    test('no document has both a random predicate and its opposite where no wildcard is in it', async () => {
      const random = createRandom(4)
      const predicates = Array.from({ length: 600 }, () => randomPredicate(random)).filter(
        (p) => !p.includes('*'),
      )
      let matches = 0
      for (const predicate of predicates) {
        const found = await find(`SELECT * FROM Document WHERE ${predicate}`)
        const opposite = await find(`SELECT * FROM Document WHERE NOT (${predicate})`)
        expect(new Set([...found, ...opposite]).size, predicate).toBe(found.length + opposite.length)
        matches += Math.min(found.length, opposite.length)
      }
      expect(matches).toBeGreaterThan(predicates.length)
    })

    const many = (condition: string, operator: string, count = 1_000) =>
      Array(count).fill(condition).join(` ${operator} `)
    const nested = (levels: number): string =>
      levels === 0 ? "dc:title > 'a'" : `(${nested(levels - 1)}) = (dc:title > 'b')`
    const list = Array.from({ length: 5_000 }, (_, i) => `'${i}'`).join(',')

    test.each([
      ['comparisons', many("dc:title = 'a'", 'AND')],
      ['alternatives', many("dc:title = 'a'", 'OR')],
      ['lists', many("dc:subjects > 'a'", 'OR', 200)],
      ['paths', many("ecm:path STARTSWITH '/ws'", 'AND')],
      ['other paths', many("ecm:path STARTSWITH '/ws'", 'OR')],
      ['parents', many(`ecm:parentId = '${idOf('ws')}'`, 'OR')],
      ['ids', many(`ecm:uuid = '${idOf('ws')}'`, 'OR')],
      ['facets', many("ecm:mixinType = 'Folderish'", 'OR')],
      ['values', `dc:title IN (${list}) OR dc:subjects NOT IN (${list})`],
      ['negations', `${'NOT '.repeat(99)} dc:title = 'a'`],
      ['levels', nested(95)],
      ['wildcards', `dc:title LIKE '${'%a'.repeat(100_000)}b'`],
    ])('a query with as many %s as are allowed takes no time to speak of', async (_, where) => {
      const start = performance.now()
      await page(`SELECT * FROM Document WHERE ${where}`, { limit: 10, offset: 0 })
      expect(performance.now() - start).toBeLessThan(100_000)
    })
  })
}

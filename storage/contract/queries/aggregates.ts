import { describe, expect, test } from 'vitest'
import { principalOf } from '../../../core/access/security/index.js'
import type { Grouping, TermOrder } from '../../../core/model/nxql/index.js'
import { parseNxql, parseReference } from '../../../core/model/nxql/index.js'
import type { ContentBackend } from '../content/index.js'
import { CONTRACT_RULES } from '../rules/index.js'
import { NOW } from './asking.js'

const BY_TERM: TermOrder = { by: 'term', isAscending: true }
const BY_COUNT: TermOrder = { by: 'count', isAscending: false }
const terms = (order: TermOrder, wanted: Partial<Extract<Grouping, { kind: 'terms' }>> = {}): Grouping => ({
  kind: 'terms',
  size: 100,
  minCount: 1,
  order,
  ...wanted,
})
const metric = (name: Extract<Grouping, { kind: 'metric' }>['metric']): Grouping => ({
  kind: 'metric',
  metric: name,
})
const at = (date: string): string => String(Date.parse(date))

/** How the documents of the sample are counted. */
export const describeAggregates = (backend: ContentBackend): void => {
  const principal = principalOf('Administrator', [], true)
  const scope = { model: CONTRACT_RULES.model, principal, now: NOW }
  const aggregate = async (query: string, field: string, grouping: Grouping) => {
    const by = { reference: parseReference(field)!, grouping }
    const counts = await backend.reading(principal).search.aggregate(parseNxql(query), scope, by)
    return counts.map(({ key, count }) => `${key}: ${count}`)
  }
  const NUMBERED = "SELECT * FROM File WHERE ecm:path STARTSWITH '/num'"
  const IN_WS = "SELECT * FROM Document WHERE ecm:path STARTSWITH '/ws'"

  describe('aggregates', () => {
    test.each<[string, string, Grouping, string[]]>([
      [IN_WS, 'dc:subjects', terms(BY_TERM), ['art/painting: 1', 'arts: 1', 'science: 1']],
      [IN_WS, 'dc:subjects', terms(BY_TERM, { size: 2 }), ['art/painting: 1', 'arts: 1']],
      [IN_WS, 'dc:subjects', terms(BY_TERM, { include: 'art.*' }), ['art/painting: 1', 'arts: 1']],
      [IN_WS, 'dc:subjects', terms(BY_TERM, { exclude: 'art|science' }), ['art/painting: 1', 'arts: 1']],
      [NUMBERED, 's:flag', terms(BY_TERM), ['false: 15', 'true: 15']],
      [
        'SELECT * FROM Document',
        'ecm:primaryType',
        terms(BY_COUNT, { minCount: 2 }),
        ['File: 36', 'Folder: 2', 'Workspace: 2'],
      ],
      [
        NUMBERED,
        's:size',
        {
          kind: 'ranges',
          ranges: [
            { from: null, to: 10 },
            { from: 10, to: 12 },
            { from: 28, to: null },
            { from: 99, to: null },
          ],
        },
        ['0: 10', '1: 2', '2: 2', '3: 0'],
      ],
      [
        NUMBERED,
        'dc:created',
        { kind: 'ranges', ranges: [{ from: '2020-01-03T00:00:00.000Z', to: '2020-01-05T00:00:00.000Z' }] },
        ['0: 2'],
      ],
      [NUMBERED, 's:size', { kind: 'histogram', interval: 10 }, ['0: 10', '10: 10', '20: 10']],
      [
        `${NUMBERED} AND s:size < 3`,
        'dc:created',
        { kind: 'dateHistogram', unit: 'day', timeZone: 'UTC' },
        ['2020-01-01', '2020-01-02', '2020-01-03'].map((day) => `${at(`${day}T00:00:00.000Z`)}: 1`),
      ],
      [
        // 08:30 in UTC is 18:30 there, and 23:30 of the day before further west.
        `${NUMBERED} AND s:size < 1`,
        'dc:created',
        { kind: 'dateHistogram', unit: 'day', timeZone: '+10:00' },
        [`${at('2020-01-01T00:00:00.000+10:00')}: 1`],
      ],
      [
        `${NUMBERED} AND s:size < 1`,
        'dc:created',
        { kind: 'dateHistogram', unit: 'day', timeZone: '-09:00' },
        [`${at('2019-12-31T00:00:00.000-09:00')}: 1`],
      ],
      [
        NUMBERED,
        'dc:created',
        { kind: 'dateHistogram', unit: 'month', timeZone: 'Europe/Paris' },
        [`${at('2020-01-01T00:00:00.000+01:00')}: 30`],
      ],
      [
        `${NUMBERED} AND s:size < 2`,
        'dc:created',
        { kind: 'dateHistogram', milliseconds: 43_200_000 },
        ['2020-01-01', '2020-01-02'].map((day) => `${at(`${day}T00:00:00.000Z`)}: 1`),
      ],
    ])('%s by %s: %o', async (query, field, grouping, expected) => {
      const found = await aggregate(query, field, grouping)
      expect(grouping.kind === 'terms' ? found : found.toSorted()).toEqual(expected.toSorted())
    })

    test.each<[string, string, Parameters<typeof metric>[0], string]>([
      [NUMBERED, 's:size', 'count', '30'],
      [NUMBERED, 's:size', 'sum', '435'],
      [NUMBERED, 's:size', 'min', '0'],
      [NUMBERED, 's:size', 'max', '29'],
      [NUMBERED, 's:flag', 'cardinality', '2'],
      [IN_WS, 'dc:title', 'missing', '1'],
      [IN_WS, 'dc:subjects', 'count', '3'],
      [NUMBERED, 'dc:created', 'max', '2020-01-30T08:30:00.000Z'],
    ])('%s: %s has the %s', async (query, field, name, expected) => {
      const [found] = await aggregate(query, field, metric(name))
      expect(found?.slice(0, found.lastIndexOf(': '))).toBe(expected)
    })

    test('the average of nothing is null', async () => {
      const [found] = await aggregate(`${NUMBERED} AND s:size > 99`, 's:size', metric('avg'))
      expect(found).toMatch(/^null: /)
    })

    test.each<[string, Grouping, string]>([
      ['file:content', terms(BY_TERM), 'NXQL: file:content has no values to aggregate at offset 32'],
      ['ecm:path', terms(BY_TERM), 'NXQL: ecm:path has no values to aggregate at offset 32'],
      ['dc:title', metric('sum'), 'NXQL: dc:title has no numbers at offset 32'],
      ['dc:title', { kind: 'histogram', interval: 1 }, 'NXQL: dc:title has no numbers at offset 32'],
      ['s:size', { kind: 'dateHistogram', milliseconds: 1 }, 'NXQL: s:size has no dates at offset 32'],
      ['s:flag', { kind: 'ranges', ranges: [] }, 'NXQL: s:flag has no numbers or dates at offset 32'],
    ])('%s is refused: %o', async (field, grouping, message) => {
      await expect(aggregate('SELECT * FROM File', field, grouping)).rejects.toMatchObject({
        code: 'badRequest',
        message,
      })
    })
  })
}

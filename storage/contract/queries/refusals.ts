import { describe, expect, test } from 'vitest'
import { principalOf } from '../../../core/access/security/index.js'
import { parseNxql } from '../../../core/model/nxql/index.js'
import type { ContentBackend } from '../content/index.js'
import { CONTRACT_RULES } from '../rules/index.js'
import { NOW } from './asking.js'

/** What no backend answers, with what and where the mistake is. */
export const describeQueryRefusals = (backend: ContentBackend): void => {
  const principal = principalOf('Administrator', [], true)
  const { search } = backend.reading(principal)
  const scope = { model: CONTRACT_RULES.model, principal, now: NOW }

  describe('refusals', () => {
    const Q = 'SELECT * FROM Document WHERE '
    test.each([
      ['SELECT * FROM Nope', 'Unknown type: Nope at offset 14'],
      [
        'SELECT * FROM LOCATION x',
        'NXQL: FROM takes types, a place is asked for by ecm:path or ecm:ancestorId: at offset 23',
      ],
      [`${Q}ecm:foo = 1`, 'Unknown field: ecm:foo at offset 29'],
      [`${Q}dc:nope = 1`, 'No such property: dc:nope at offset 29'],
      [`${Q}dc:title/x = 1`, 'No such property: dc:title/x at offset 29'],
      [`${Q}ecm:fulltext_x = 'a'`, 'No such fulltext index: x at offset 29'],
      [`${Q}ecm:fulltext <> 'a'`, 'NXQL: ecm:fulltext takes only = and LIKE at offset 29'],
      [`${Q}ecm:fulltext NOT LIKE 'a'`, 'NXQL: ecm:fulltext takes only = and LIKE at offset 29'],
      [`${Q}ecm:fulltext = 1`, 'NXQL: ecm:fulltext takes a string at offset 44'],
      [`${Q}ecm:fulltext = '"a'`, 'Invalid fulltext query (unterminated phrase)'],
      [
        `${Q}ecm:fulltext.s:size = 'a'`,
        'NXQL: ecm:fulltext.s:size is a number, not comparable with the string at offset 51',
      ],
      [
        `${Q}ecm:fulltextScore > 1`,
        'NXQL: ecm:fulltextScore is no condition, only for SELECT and ORDER BY at offset 29',
      ],
      [`${Q}ecm:acl/*/nope = 'a'`, 'Unknown field: ecm:acl/*/nope at offset 29'],
      [`${Q}ecm:acl/0/name = 'a'`, 'Unknown field: ecm:acl/0/name at offset 29'],
      [`${Q}dc:title = s:size`, 'NXQL: the two sides are of different kinds at offset 29'],
      [`${Q}s:size + 1 = 'a'`, 'NXQL: the two sides are of different kinds at offset 29'],
      [`${Q}s:size + 'a' = 1`, 'NXQL: + takes numbers at offset 38'],
      [`${Q}dc:title + 1 = 2`, 'NXQL: + takes numbers at offset 29'],
      [`${Q}dc:subjects = dc:title`, 'NXQL: dc:subjects has no single value to compare at offset 29'],
      [`${Q}s:flag > ecm:isVersion`, 'NXQL: booleans take only = and <> at offset 29'],
      [`${Q}COUNT(dc:title) = 1`, 'NXQL: function COUNT is not supported in the WHERE clause at offset 29'],
      [
        `SELECT COUNT(ecm:uuid) FROM Document`,
        'NXQL: SELECT takes properties, functions only where rows are asked for, at offset 7',
      ],
      [`SELECT dc:nope FROM Document`, 'No such property: dc:nope at offset 7'],
      [
        'SELECT * FROM Document ORDER BY ecm:fulltextScore',
        'NXQL: ecm:fulltextScore needs exactly one condition on ecm:fulltext, not 0, at offset 32',
      ],
      [
        'SELECT * FROM Document ORDER BY ecm:tag',
        'NXQL: ecm:tag has no single value to ORDER BY at offset 32',
      ],
      [
        'SELECT * FROM Document ORDER BY ecm:mixinType',
        'NXQL: ecm:mixinType has no single value to ORDER BY at offset 32',
      ],
      [
        'SELECT DISTINCT dc:title FROM Document ORDER BY s:size',
        'NXQL: SELECT DISTINCT cannot ORDER BY s:size, not selected, at offset 48',
      ],
      [`${Q}1 = 1`, 'NXQL: a comparison needs a property at offset 29'],
      [`${Q}dc:created = TODAY()`, 'NXQL: function TODAY is not supported in the WHERE clause at offset 42'],
      [`${Q}dc:created > NOW('1 day')`, 'NXQL: 1 day is not a period that NOW can add at offset 42'],
      [`${Q}dc:created > NOW('P9999Y')`, 'NXQL: P9999Y is not a period that NOW can add at offset 42'],
      [`${Q}dc:created > NOW(1)`, 'NXQL: NOW takes one period at offset 42'],
      [`${Q}dc:title = 1`, 'NXQL: dc:title is a string, not comparable with the integer at offset 40'],
      [`${Q}s:size = 'a'`, 'NXQL: s:size is a number, not comparable with the string at offset 38'],
      [`${Q}s:size LIKE 'a'`, 'NXQL: s:size is a number, not comparable with the string at offset 41'],
      [
        `${Q}s:flag = 2`,
        'NXQL: s:flag is a boolean: only 0 and 1 are its values, not comparable with the integer at offset 38',
      ],
      [`${Q}s:flag > 0`, 'NXQL: s:flag takes only = and <> at offset 29'],
      [`${Q}ecm:isTrashed IN (0, 1)`, 'NXQL: ecm:isTrashed takes only = and <> at offset 29'],
      [`${Q}ecm:isTrashed = 2`, 'NXQL: ecm:isTrashed takes only 0 and 1 at offset 45'],
      [`${Q}ecm:isTrashed IS NULL`, 'NXQL: ecm:isTrashed takes only = and <> at offset 29'],
      [
        `${Q}dc:created = '2020-01'`,
        'NXQL: dc:created is a date, not comparable with the string at offset 42',
      ],
      [`${Q}DATE(dc:title) = DATE '2020-01-01'`, 'NXQL: dc:title is not a date: DATE() at offset 29'],
      [
        `${Q}DATE(dc:created) = TIMESTAMP '2020-01-01 00:00:00'`,
        'NXQL: dc:created is a day: only DATE literals are its values, not comparable with the timestamp at offset 48',
      ],
      [
        `${Q}file:content = 'a'`,
        'NXQL: file:content is a complex value: only IS NULL can ask for it, not comparable with the string at offset 44',
      ],
      [`${Q}ecm:path LIKE '/a%'`, 'NXQL: ecm:path takes only =, <> and STARTSWITH at offset 29'],
      [`${Q}ecm:path > '/a'`, 'NXQL: ecm:path takes only =, <> and STARTSWITH at offset 29'],
      [`${Q}ecm:path = 1`, 'NXQL: ecm:path takes a string at offset 40'],
      [`${Q}ecm:ancestorId IN ('a')`, 'NXQL: ecm:ancestorId takes only = and <> at offset 29'],
      [`${Q}ecm:mixinType LIKE 'a'`, 'NXQL: ecm:mixinType takes only =, <>, IN and NOT IN at offset 29'],
      [
        'SELECT * FROM Document ORDER BY dc:subjects',
        'NXQL: dc:subjects has no single value to ORDER BY at offset 32',
      ],
      [
        'SELECT * FROM Document ORDER BY dc:subjects/*',
        'NXQL: dc:subjects/* has no single value to ORDER BY at offset 32',
      ],
      [
        'SELECT * FROM Document ORDER BY s:people/*1/age',
        'NXQL: s:people/*1/age has no single value to ORDER BY at offset 32',
      ],
      [
        'SELECT * FROM Document ORDER BY file:content',
        'NXQL: file:content has no single value to ORDER BY at offset 32',
      ],
      [
        'SELECT * FROM Document ORDER BY ecm:mixinType',
        'NXQL: ecm:mixinType has no single value to ORDER BY at offset 32',
      ],
    ])('%s', async (text, message) => {
      const refusal = { code: 'badRequest', message }
      expect(() => search.check(parseNxql(text), scope)).toThrow(expect.objectContaining(refusal))
      const asked = async () => search.query(parseNxql(text), scope, { limit: 1, offset: 0 })
      await expect(asked()).rejects.toMatchObject(refusal)
    })
  })

  describe('refusals of rows', () => {
    test.each([
      ['SELECT COUNT(*) FROM Document', 'Syntax error: Invalid token <*> at offset 13'],
      [
        'SELECT COUNT(DISTINCT dc:title) FROM Document',
        'Syntax error: Invalid token <DISTINCT> at offset 13',
      ],
      ['SELECT MEDIAN(s:size) FROM Document', 'NXQL: function MEDIAN is not supported at offset 7'],
      ['SELECT COUNT(s:size, s:score) FROM Document', 'NXQL: COUNT takes one property at offset 7'],
      ['SELECT COUNT(1) FROM Document', 'NXQL: COUNT takes one property at offset 7'],
      ['SELECT SUM(dc:title) FROM Document', 'NXQL: SUM takes numbers, which dc:title has not, at offset 11'],
      [
        'SELECT MAX(s:flag) FROM Document',
        'NXQL: MAX takes values in an order, which s:flag has not, at offset 11',
      ],
      ['SELECT MAX(dc:subjects) FROM Document', 'NXQL: dc:subjects has no single value for MAX at offset 11'],
      [
        'SELECT dc:title, COUNT(ecm:uuid) FROM Document',
        'NXQL: SELECT takes functions or properties, not both, at offset 7',
      ],
      ['SELECT ecm:path FROM Document', 'NXQL: ecm:path cannot be selected at offset 7'],
      [
        'SELECT dc:subjects/*, s:people/*1/age, ecm:tag/* FROM Document',
        'NXQL: SELECT goes through 3 lists, each combination of whose elements would be a row: at most 2 may be selected, at offset 0',
      ],
      ['SELECT ecm:uuid FROM Document ORDER BY ecm:path', 'NXQL: ecm:path is no order for rows'],
      ['SELECT s:size + 1 FROM Document', 'NXQL: SELECT takes properties and functions at offset 7'],
      [
        'SELECT dc:title FROM Document WHERE COUNT(s:size) > 1',
        'NXQL: function COUNT is not supported in the WHERE clause at offset 36',
      ],
      [
        'SELECT dc:title FROM Document ORDER BY COUNT(s:size)',
        'Syntax error: Invalid token <(> at offset 44',
      ],
      [
        'SELECT dc:subjects/* FROM Document ORDER BY dc:subjects/*',
        'NXQL: dc:subjects/* has no single value to ORDER BY at offset 44',
      ],
      [
        'SELECT dc:creator FROM Document GROUP BY dc:creator',
        'Syntax error: Invalid token <GROUP> at offset 32',
      ],
    ])('%s', async (query, message) => {
      const asked = async () => search.records(parseNxql(query), scope, { limit: 1, offset: 0 })
      await expect(asked()).rejects.toMatchObject({ code: 'badRequest', message })
    })
  })
}

import { describe, expect, test } from 'vitest'
import { computingTime } from '../../../../test/support/computing-time.js'
import { parseNxql } from './query.js'

const where = (text: string) => parseNxql(`SELECT * FROM Document WHERE ${text}`).where

const Q = 'SELECT * FROM Document WHERE '

describe('errors name the token and its offset', () => {
  test.each([
    ['', 'Syntax error: Invalid token <EOF> at offset 0'],
    ['foo', 'Syntax error: Invalid token <foo> at offset 0'],
    ['sElEcT * FROM Document', 'Syntax error: Invalid token <sElEcT> at offset 0'],
    ['SELECT', 'Syntax error: Invalid token <EOF> at offset 6'],
    ['SELECT * FROM', 'Syntax error: Invalid token <EOF> at offset 13'],
    ['SELECT * FROM Document WHERE', 'Syntax error: Invalid token <EOF> at offset 28'],
    ['SELECT COUNT(*) FROM Document', 'Syntax error: Invalid token <*> at offset 13'],
    ['SELECT COUNT(DISTINCT a) FROM Document', 'Syntax error: Invalid token <DISTINCT> at offset 13'],
    ['SELECT (a = 1) FROM Document', 'Syntax error: Invalid token <FROM> at offset 15'],
    ['SELECT * FROM Document GROUP BY a', 'Syntax error: Invalid token <GROUP> at offset 23'],
    ['SELECT * FROM Document HAVING a', 'Syntax error: Invalid token <HAVING> at offset 23'],
    ['SELECT * FROM Document ORDER  BY a', 'Syntax error: Invalid token <ORDER> at offset 23'],
    ['SELECT * FROM Document ORDER BY COUNT(a)', 'Syntax error: Invalid token <(> at offset 37'],
    ['SELECT * FROM Document LIMIT -1', 'Syntax error: Invalid token <-> at offset 29'],
    ['SELECT * FROM Document OFFSET 1', 'Syntax error: Invalid token <OFFSET> at offset 23'],
    [
      'SELECT * FROM Document LIMIT 99999999999999999999',
      'Syntax error: Invalid number <99999999999999999999> at offset 29',
    ],
    [`${Q}a`, 'Syntax error: Invalid token <EOF> at offset 30'],
    [`${Q}a AND b = 1`, 'Syntax error: Invalid token <AND> at offset 31'],
    [`${Q}NOT a`, 'Syntax error: Invalid token <EOF> at offset 34'],
    [`${Q}(a = 1`, 'Syntax error: Invalid token <EOF> at offset 35'],
    [`${Q}a = 1)`, 'Syntax error: Invalid token <)> at offset 34'],
    [`${Q}(a = 1) > 2`, 'Syntax error: Invalid token <>> at offset 37'],
    [`${Q}(a = 1) + 2`, 'Syntax error: Invalid token <+> at offset 37'],
    [`${Q}(a = 1) = 2`, 'Syntax error: Invalid token <EOF> at offset 40'],
    [`${Q}a = (b = 2)`, 'Syntax error: Invalid token <EOF> at offset 40'],
    [`${Q}a IN ()`, 'Syntax error: Invalid token <)> at offset 35'],
    [`${Q}a IN (b)`, 'Syntax error: Invalid token <b> at offset 35'],
    [`${Q}1 IN (1)`, 'Syntax error: Invalid token <IN> at offset 31'],
    [`${Q}a LIKE 1`, 'Syntax error: Invalid token <1> at offset 36'],
    [`${Q}a STARTSWITH b`, 'Syntax error: Invalid token <b> at offset 42'],
    [`${Q}a NOT STARTSWITH 'b'`, 'Syntax error: Invalid token <STARTSWITH> at offset 35'],
    [`${Q}a IS 1`, 'Syntax error: Invalid token <1> at offset 34'],
    [`${Q}a = NULL`, 'Syntax error: Invalid token <NULL> at offset 33'],
    [`${Q}a = - b`, 'Syntax error: Invalid token <b> at offset 35'],
    [`${Q}a = 007`, 'Syntax error: Invalid token <0> at offset 34'],
    [`${Q}a BETWEEN 1 OR 2`, 'Syntax error: Invalid token <OR> at offset 41'],
    [`${Q}a INCLUDES 'x'`, 'Syntax error: Invalid token <INCLUDES> at offset 31'],
    [`${Q}a = ?`, 'Lexical Error: Illegal character <?> at offset 33'],
    [`${Q}a = :x`, 'Lexical Error: Illegal character <:> at offset 33'],
    [`${Q}a = 'x`, "Lexical Error: Illegal character <'> at offset 33"],
    [`${Q}a = 'x\n'`, 'Lexical Error: Illegal character <\\n> at offset 35'],
    [`${Q}a = 'x\u0000'`, 'Lexical Error: Illegal character <\\u0000> at offset 35'],
    [`${Q}a = '\ud800'`, 'Lexical Error: Illegal character <\\ud800> at offset 34'],
    [`${Q}a = 'it''s'`, "Syntax error: Invalid token <'s'> at offset 37"],
    [`${Q}a = 1;`, 'Lexical Error: Illegal character <;> at offset 34'],
    [`${Q}😀 = 1`, 'Lexical Error: Illegal character <😀> at offset 29'],
    [`${Q}a = 9223372036854775808`, 'Syntax error: Invalid number <9223372036854775808> at offset 33'],
    [`${Q}a = 1e999`, 'Syntax error: Invalid number <1e999> at offset 33'],
    [`${Q}a = DATE '2021-02-29'`, 'Syntax error: Invalid date <2021-02-29> at offset 38'],
    [`${Q}a = DATE '2021-2-3'`, 'Syntax error: Invalid date <2021-2-3> at offset 38'],
    [`${Q}a = TIMESTAMP '2021-01-01'`, 'Syntax error: Invalid timestamp <2021-01-01> at offset 43'],
    [
      `${Q}a = TIMESTAMP '2021-01-01 25:00:00'`,
      'Syntax error: Invalid timestamp <2021-01-01 25:00:00> at offset 43',
    ],
    [`${Q}/*+ES: NOPE(x) */ a = 1`, 'Syntax error: Invalid token <NOPE(x) > at offset 29'],
    [`${Q}/*+ES: INDEX() */ a = 1`, 'Syntax error: Invalid token <> at offset 29'],
    [`${Q}/*+ES: INDEX(a`, 'Syntax error: Invalid token </*+ES: INDEX(a> at offset 29'],
    [`${Q}/*+XX: */ a = 1`, 'Syntax error: Invalid token <XX: > at offset 29'],
    [`${Q}/*+ES: */ 1 = 1`, 'Syntax error: Invalid token <1> at offset 39'],
  ])('%j', (text, message) => {
    expect(() => parseNxql(text)).toThrow(expect.objectContaining({ code: 'badRequest', message }))
  })
})

describe('a hostile query is refused before it costs anything', () => {
  test.each([
    ['parentheses', `${Q}${'('.repeat(100_000)}a = 1`, /nested deeper than 100 levels at offset 130/],
    ['NOT', `${Q}${'NOT '.repeat(100_000)}a = 1`, /nested deeper/],
    ['functions', `${Q}${'f('.repeat(100_000)}a`, /nested deeper/],
    ['sums', `${Q}a${' + a'.repeat(100_000)} = 1`, /nested deeper/],
    ['equivalences', `${Q}(a = 1)${' = (a = 1)'.repeat(1_000)}`, /Invalid token <=> at offset 47/],
    ['conditions', `${Q}a = 1${' OR a = 1'.repeat(40_000)}`, /more than 1000 conditions/],
    [
      'names to sort by',
      `SELECT * FROM D ORDER BY a${', a'.repeat(20_000)}`,
      /ORDER BY lists more than 100 names/,
    ],
    ['names that are selected', `SELECT a${', a'.repeat(100)} FROM D`, /SELECT lists more than 100 names/],
    ['types', `SELECT * FROM D${', D'.repeat(20_000)}`, /FROM lists more than 1000 names/],
    [
      'sums of products',
      `${Q}${Array.from({ length: 90 }, () => `a${' * a'.repeat(90)}`).join(' + ')} = 1`,
      /more than 1000 arithmetic operators/,
    ],
    ['length', `${Q}a = '${'x'.repeat(600_000)}'`, /600\d+ characters, at most 500000/],
    ['digits', `${Q}a = ${'9'.repeat(400_000)}`, /Invalid number <9{60}\.\.\.>/],
    ['open hints', `${Q}${'/*+'.repeat(100_000)}`, /Invalid token/],
  ])('%s', (_, text, message) => {
    const took = computingTime(() => expect(() => parseNxql(text)).toThrow(message))
    expect(took).toBeLessThan(10_000)
  })

  test('what lies within the limits is read', () => {
    const ids = Array.from(
      { length: 10_000 },
      (_, i) => `'00000000-0000-4000-8000-${String(i).padStart(12, '0')}'`,
    )
    expect(where(`ecm:uuid IN (${ids.join(', ')})`)).toMatchObject({ kind: 'in' })
    expect(where(`${'('.repeat(100)}a = 1${')'.repeat(100)}`)).toMatchObject({ kind: 'comparison' })
    expect(where(`a = 1${' AND a = 1'.repeat(999)}`)).toMatchObject({ kind: 'and' })
    const columns = Array.from({ length: 100 }, (_, i) => `a${i}`).join(', ')
    expect(parseNxql(`SELECT ${columns} FROM D ORDER BY ${columns}`).orderBy).toHaveLength(100)
  })
})

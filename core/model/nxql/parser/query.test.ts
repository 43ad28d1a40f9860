import { describe, expect, test } from 'vitest'
import { computingTime } from '../../../../test/support/computing-time.js'
import type { Predicate } from '../ast.js'
import { parseNxql } from './query.js'

const where = (text: string) => parseNxql(`SELECT * FROM Document WHERE ${text}`).where

/** The structure of a predicate as an S-expression, which a table can show. */
const shape = (node: Predicate | null): string => {
  if (!node) return ''
  switch (node.kind) {
    case 'and':
    case 'or':
      return `(${node.kind} ${node.operands.map(shape).join(' ')})`
    case 'not':
      return `(not ${shape(node.operand)})`
    case 'equivalence':
      return `(${node.negated ? '<>' : '='} ${shape(node.left)} ${shape(node.right)})`
    case 'comparison':
      return `(${node.operator} ${operand(node.left)} ${operand(node.right)})`
    case 'in':
      return `(${not(node)}in ${operand(node.reference)} ${node.values.map(operand).join(' ')})`
    case 'between':
      return `(${not(node)}between ${operand(node.reference)} ${operand(node.low)} ${operand(node.high)})`
    case 'like':
      return `(${not(node)}${node.ignoreCase ? 'i' : ''}like ${operand(node.reference)} ${operand(node.pattern)})`
    case 'startsWith':
      return `(under ${operand(node.reference)} ${operand(node.value)})`
    case 'isNull':
      return `(${not(node)}null ${operand(node.reference)})`
  }
}

const not = ({ negated }: { negated: boolean }) => (negated ? 'not-' : '')

type Operand = Parameters<typeof shape>[0] extends null
  ? never
  : Extract<Predicate, { kind: 'comparison' }>['left']

const operand = (node: Operand): string => {
  switch (node.kind) {
    case 'reference':
      return `${node.hint ? 'hinted ' : ''}${node.cast ? `DATE(${node.name})` : node.name}`
    case 'string':
      return JSON.stringify(node.value)
    case 'integer':
    case 'double':
      return node.text
    case 'date':
    case 'timestamp':
      return node.value
    case 'function':
      return `${node.name}(${node.args.map(operand).join(',')})`
    case 'arithmetic':
      return `(${node.operator} ${operand(node.left)} ${operand(node.right)})`
  }
}

describe('predicates', () => {
  test.each([
    ["a = 'x'", '(= a "x")'],
    ["a != 'x'", '(<> a "x")'],
    ["a <> 'x'", '(<> a "x")'],
    ['a < 1 AND b > 2 AND c <= 3', '(and (< a 1) (> b 2) (<= c 3))'],
    ['a >= -1.5', '(>= a -1.5)'],
    ['a = 1 OR b = 2 AND NOT c = 3', '(or (= a 1) (and (= b 2) (not (= c 3))))'],
    ['(a = 1 OR b = 2) AND c = 3', '(and (or (= a 1) (= b 2)) (= c 3))'],
    ['NOT NOT a = 1', '(not (not (= a 1)))'],
    ['NOT (a = 1 AND b = 2)', '(not (and (= a 1) (= b 2)))'],
    ['(a = 1) = (b = 2)', '(= (= a 1) (= b 2))'],
    ['(a = 1) <> (b = 2)', '(<> (= a 1) (= b 2))'],
    ["a IN ('x', 2, DATE '2020-02-29')", '(in a "x" 2 2020-02-29)'],
    ["a not in ('x')", '(not-in a "x")'],
    ['a BETWEEN 1 AND 2 AND b = 3', '(and (between a 1 2) (= b 3))'],
    ['a Not Between 1 And 2', '(not-between a 1 2)'],
    ["a LIKE 'x%'", '(like a "x%")'],
    ["a NOT LIKE 'x%'", '(not-like a "x%")'],
    ["a ILike 'x%'", '(ilike a "x%")'],
    ["a NOT ILIKE 'x%'", '(not-ilike a "x%")'],
    ['a IS NULL', '(null a)'],
    ['a is not null', '(not-null a)'],
    ["ecm:path StartsWith '/a'", '(under ecm:path "/a")'],
    ["ecm:path Startswith '/a'", '(under ecm:path "/a")'],
    ['a + b * 2 - 1 = c / 2', '(= (- (+ a (* b 2)) 1) (/ c 2))'],
    ['(a + b) * 2 = 1', '(= (* (+ a b) 2) 1)'],
    ['((a)) = ((1))', '(= a 1)'],
    ["a > NOW('-P1D')", '(> a NOW("-P1D"))'],
    ['a > NOW()', '(> a NOW())'],
    ["a BETWEEN NOW('-P1D') AND NOW()", '(between a NOW("-P1D") NOW())'],
    ["f(a, 1, 'x') = 1", '(= f(a,1,"x") 1)'],
    ["DATE(dc:created) = DATE '2020-01-01'", '(= DATE(dc:created) 2020-01-01)'],
    ["'x' = a", '(= "x" a)'],
  ])('%s', (text, expected) => expect(shape(where(text))).toBe(expected))
})

describe('identifiers', () => {
  test.each([
    'dc:title',
    'a-1',
    'a.b-c_d:e',
    'ecm:fulltext.dc:title',
    'dc:subjects/*',
    'dc:subjects/*1',
    'dc:subjects/0',
    'files:files/*/file/name',
    'files:files/*12/file/mime-type',
    'files/item[3]/file',
    'files/item[*1]/file',
    'sElEcT',
    'NULLABLE',
    'ORDER',
  ])('%s', (name) => expect(shape(where(`${name} = 1`))).toBe(`(= ${name} 1)`))
})

describe('strings', () => {
  test.each([
    [String.raw`'it\'s'`, "it's"],
    [String.raw`"a \"b\""`, 'a "b"'],
    [`'a "b"'`, 'a "b"'],
    [String.raw`'a\\b'`, String.raw`a\b`],
    [String.raw`'\n\r\t'`, '\n\r\t'],
    [String.raw`'a\_b\%c\xd'`, String.raw`a\_b\%c\xd`],
    [String.raw`'a\\_b'`, String.raw`a\_b`],
    ["''", ''],
    ["'é 😀 \t -- /* */ ; $1'", 'é 😀 \t -- /* */ ; $1'],
  ])('%s', (literal, value) =>
    expect(where(`a = ${literal}`)).toMatchObject({ right: { kind: 'string', value } }),
  )
})

describe('numbers and dates', () => {
  test.each([
    ['0', { kind: 'integer', text: '0' }],
    ['-12', { kind: 'integer', text: '-12' }],
    ['9223372036854775807', { kind: 'integer', text: '9223372036854775807' }],
    ['-9223372036854775808', { kind: 'integer', text: '-9223372036854775808' }],
    ['1.50', { kind: 'double', text: '1.5' }],
    ['.5', { kind: 'double', text: '0.5' }],
    ['2.', { kind: 'double', text: '2' }],
    ['1e3', { kind: 'double', text: '1000' }],
    ["DATE '2020-02-29'", { kind: 'date', value: '2020-02-29' }],
    ["date '2020-02-29'", { kind: 'date', value: '2020-02-29' }],
    ["TIMESTAMP '2020-02-29 10:11:12'", { kind: 'timestamp', value: '2020-02-29T10:11:12.000Z' }],
    ["TimeStamp '2020-02-29T10:11:12.3'", { kind: 'timestamp', value: '2020-02-29T10:11:12.300Z' }],
    ["TIMESTAMP '2020-02-29T10:11:12.345678Z'", { kind: 'timestamp', value: '2020-02-29T10:11:12.345Z' }],
    ["TIMESTAMP '2020-02-29T10:11:12+02:00'", { kind: 'timestamp', value: '2020-02-29T08:11:12.000Z' }],
    ["TIMESTAMP '2020-02-29T10:11:12-0530'", { kind: 'timestamp', value: '2020-02-29T15:41:12.000Z' }],
    ["TIMESTAMP '2020-02-29T10:11:12+02'", { kind: 'timestamp', value: '2020-02-29T08:11:12.000Z' }],
  ])('%s', (literal, right) => expect(where(`a = ${literal}`)).toMatchObject({ right }))
})

describe('the clauses around a predicate', () => {
  test('everything at once, with offsets', () => {
    const text =
      'select distinct dc:title as t, COUNT(ecm:uuid), a + 1 from type File, Note where a = 1 order by dc:title desc, DATE(b) asc limit 10 offset 20'
    expect(parseNxql(text)).toMatchObject({
      select: {
        kind: 'items',
        distinct: true,
        items: [
          { operand: { kind: 'reference', name: 'dc:title', offset: 16 }, alias: 't', source: 'dc:title' },
          { operand: { kind: 'function', name: 'COUNT' }, alias: null, source: 'COUNT(ecm:uuid)' },
          { operand: { kind: 'arithmetic' }, source: 'a + 1' },
        ],
      },
      from: { kind: 'type', names: [{ name: 'File', offset: text.indexOf('File') }, { name: 'Note' }] },
      where: { kind: 'comparison', offset: text.indexOf('a = 1') },
      orderBy: [
        { reference: { name: 'dc:title', cast: null }, descending: true },
        { reference: { name: 'b', cast: 'DATE' }, descending: false },
      ],
      limit: 10,
      skip: 20,
    })
  })

  test.each([
    ['SELECT * FROM Document', { kind: 'all', distinct: false }],
    ['SELECT ALL * FROM Document', { kind: 'all', distinct: false }],
    ['Select Distinct * From Document', { kind: 'all', distinct: true }],
    ['\n SELECT\t* FROM\r\nDocument ', { kind: 'all', distinct: false }],
  ])('%j', (text, select) => expect(parseNxql(text).select).toMatchObject(select))

  test('a location', () => {
    expect(parseNxql('SELECT * FROM LOCATION x').from).toMatchObject({ kind: 'location' })
  })
})

describe('hints', () => {
  test.each([
    [
      '/*+ES: INDEX(f1, dc:title.fulltext^3) ANALYZER(a) OPERATOR(match_phrase) */ b = 1',
      {
        index: [
          { field: 'f1', boost: null },
          { field: 'dc:title.fulltext', boost: 3 },
        ],
        analyzer: 'a',
        operator: 'match_phrase',
      },
    ],
    ['/*+ES: operator(fuzzy) */b = 1', { index: [], analyzer: null, operator: 'fuzzy' }],
    ['/*+ES:*/ b = 1', { index: [], analyzer: null, operator: null }],
  ])('%s', (text, hint) => expect(where(text)).toMatchObject({ left: { name: 'b', hint } }))
})

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

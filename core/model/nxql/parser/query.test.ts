import { describe, expect, test } from 'vitest'
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

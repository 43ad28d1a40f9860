import { describe, expect, test } from 'vitest'
import type { Condition } from '../ast.js'
import { sampleModel } from '../model.fixture.js'
import { parseNxql } from '../parser/query.js'
import { testOf } from './conditions.js'
import { locate } from './locate.js'

const model = sampleModel()
const now = new Date('2020-03-31T12:00:00.000Z')

const read = (where: string, negated = false) =>
  testOf(parseNxql(`SELECT * FROM Document WHERE ${where}`).where as Condition, negated, { model, now })

const placeOf = (name: string) =>
  locate({ kind: 'reference', name, cast: null, hint: null, offset: 0 }, model)

describe('values have the type of what they are compared with', () => {
  test.each([
    ["dc:title = 'a'", { kind: 'isOneOf', values: ['a'] }],
    ["'a' < dc:title", { kind: 'isOrdered', operator: '>', value: 'a' }],
    ['s:size IN (1, 2.5)', { kind: 'isOneOf', values: ['1', '2.5'] }],
    ['s:flag = 1', { kind: 'isOneOf', values: ['true'] }],
    [
      "dc:created >= DATE '2020-01-01'",
      { kind: 'isOrdered', operator: '>=', value: '2020-01-01T00:00:00.000Z' },
    ],
    ["DATE(dc:created) = DATE '2020-01-01'", { kind: 'isOneOf', values: ['2020-01-01'] }],
    [
      "dc:created BETWEEN NOW('-P1M') AND NOW()",
      { kind: 'isBetween', low: '2020-02-29T12:00:00.000Z', high: '2020-03-31T12:00:00.000Z' },
    ],
    ["dc:title ILIKE 'a%'", { kind: 'isLike', pattern: 'a%', ignoreCase: true }],
    ["dc:title STARTSWITH 'a'", { kind: 'isAtOrUnder', value: 'a' }],
    ["ecm:uuid = 'x'", { kind: 'isOneOf', values: ['x'] }],
  ])('%s', (where, expected) => {
    expect(read(where)).toMatchObject({ kind: 'hasValue', test: expected, negated: false })
    expect(read(where, true)).toMatchObject({ kind: 'hasValue', test: expected, negated: true })
  })

  test.each([
    ["s:size > '5'", { kind: 'isOrdered', operator: '>', value: '5' }],
    ["'-2.50' = s:score", { kind: 'isOneOf', values: ['-2.5'] }],
    ["s:size IN ('1', 2)", { kind: 'isOneOf', values: ['1', '2'] }],
    ["s:numbers BETWEEN '0' AND '1e3'", { kind: 'isBetween', low: '0', high: '1000' }],
    ["s:flag = 'true'", { kind: 'isOneOf', values: ['true'] }],
    ["s:flag <> '0'", { kind: 'isOneOf', values: ['false'] }],
    ["dc:created = '2020-01-01'", { kind: 'isOneOf', values: ['2020-01-01T00:00:00.000Z'] }],
    [
      "dc:created > '2020-01-01T10:00:00+01:00'",
      { kind: 'isOrdered', operator: '>', value: '2020-01-01T09:00:00.000Z' },
    ],
    ["DATE(dc:created) = '2020-01-01'", { kind: 'isOneOf', values: ['2020-01-01'] }],
    // A text property compares with the text itself.
    ["dc:title = '5'", { kind: 'isOneOf', values: ['5'] }],
  ])('a text in quotes is the value that it writes: %s', (where, expected) => {
    expect(read(where)).toMatchObject({ kind: 'hasValue', test: expected })
  })

  test.each([
    "s:size = '05'",
    "s:size = ' 5'",
    "s:size = '5 '",
    "s:size = '+5'",
    "s:size = '0x5'",
    "s:size = '1e999'",
    "s:size = '9223372036854775808'",
    "s:size = ''",
    "s:size LIKE '5'",
    "s:size STARTSWITH '5'",
    "s:flag = 'TRUE'",
    "s:flag = 'constructor'",
    "dc:created = '2020-02-30'",
    "dc:created = '2020-02'",
    "dc:created STARTSWITH '2020-01-01'",
    "DATE(dc:created) = '2020-01-01T00:00:00Z'",
  ])('any other text stays a text: %s', (where) => {
    expect(() => read(where)).toThrow(/not comparable with the string at offset \d+$/)
  })

  test.each([
    ["dc:title <> 'a'", true],
    ["dc:title NOT IN ('a')", true],
    ["dc:title NOT LIKE 'a'", true],
    ['dc:title IS NULL', false],
    ['dc:title IS NOT NULL', true],
  ])('%s asks for the opposite: %s', (where, negated) => {
    expect(read(where)).toMatchObject({ negated })
    expect(read(where, true)).toMatchObject({ negated: !negated })
  })
})

describe('conditions of their own', () => {
  test.each([
    ["ecm:path = '/a/'", { kind: 'isAt', path: '/a', negated: false }],
    ["ecm:path <> '/'", { kind: 'isAt', path: '/', negated: true }],
    ["ecm:path STARTSWITH '/a//'", { kind: 'isBelow', folder: '/a', negated: false }],
    ["ecm:path STARTSWITH '/'", { kind: 'isBelow', folder: '', negated: false }],
    ["ecm:path STARTSWITH 'a'", { kind: 'isBelow', folder: null, negated: false }],
    ["ecm:ancestorId <> 'x'", { kind: 'isBelowId', id: 'x', negated: true }],
    [
      "ecm:mixinType IN ('Folderish', 'Extra', 'Immutable')",
      { kind: 'hasFacet', types: ['Folder', 'Workspace', 'Root'], own: ['Extra'], negated: false },
    ],
    ['ecm:isTrashed = 0', { kind: 'isTrashed', negated: true }],
    ["ecm:isTrashed = '1'", { kind: 'isTrashed', negated: false }],
    ["ecm:isTrashed <> 'true'", { kind: 'isTrashed', negated: true }],
    [
      "'2' < s:size * '3'",
      {
        kind: 'compares',
        left: { kind: 'constant', type: 'number', text: '2' },
        right: { kind: 'arithmetic', right: { kind: 'constant', type: 'number', text: '3' } },
      },
    ],
    ["ecm:currentLifeCycleState = 'deleted'", { kind: 'isTrashed', negated: false }],
    [
      "ecm:currentLifeCycleState <> 'deleted'",
      {
        kind: 'all',
        tests: [
          { kind: 'hasValue', negated: true },
          { kind: 'wasMovedToTrash', negated: true },
        ],
      },
    ],
    [
      "ecm:currentLifeCycleState IN ('project', 'deleted')",
      { kind: 'any', tests: [{ kind: 'hasValue' }, { kind: 'wasMovedToTrash', negated: false }] },
    ],
    [
      "ecm:fulltext_title = 'a -b'",
      { kind: 'isFound', weight: 'A', alternatives: [[{ text: 'a' }, { text: 'b', isExcluded: true }]] },
    ],
    [
      "ecm:fulltext.s:address/city = 'a'",
      { kind: 'hasValue', test: { kind: 'isLike', pattern: '%a%', ignoreCase: true } },
    ],
    [
      's:size + 1 <> s:score',
      {
        kind: 'compares',
        operator: '<>',
        left: { kind: 'arithmetic', operator: '+', right: { kind: 'constant', text: '1' } },
        right: { kind: 'value', type: 'number' },
      },
    ],
  ])('%s', (where, expected) => expect(read(where)).toMatchObject(expected))
})

describe('places', () => {
  test.each([
    ['dc:title', { type: 'text', isList: false, source: { kind: 'property', key: 'dc:title', steps: [] } }],
    ['dc:subjects', { type: 'text', isList: true }],
    ['file:content', { type: 'opaque' }],
    [
      's:people/*1/tags/*',
      {
        isList: false,
        source: {
          steps: [
            { kind: 'variable', xpath: 's:people/*1' },
            { kind: 'field', name: 'tags' },
            { kind: 'any' },
          ],
        },
      },
    ],
    // An element below an unnumbered wildcard is not the same twice.
    ['s:people/*/tags/*1', { source: { steps: [{ kind: 'any' }, { kind: 'field' }, { kind: 'any' }] } }],
    [
      'files:files/0/filename',
      {
        source: {
          steps: [
            { kind: 'index', index: 0 },
            { kind: 'field', name: 'filename' },
          ],
        },
      },
    ],
    ['ecm:pos', { type: 'number', source: { kind: 'special', name: 'ecm:pos' } }],
    ['ecm:tag', { source: { kind: 'tag', variable: 'ecm:tag/' } }],
    ['ecm:tag/*', { source: { kind: 'tag', variable: null } }],
    ['ecm:acl/*2/begin', { type: 'date', source: { kind: 'ace', variable: 'ecm:acl/*2', column: 'begin' } }],
    ['ecm:blobKeys', { isList: true, source: { kind: 'blobKeys' } }],
  ])('%s', (name, expected) => expect(placeOf(name)).toMatchObject({ kind: 'value', ...expected }))
})

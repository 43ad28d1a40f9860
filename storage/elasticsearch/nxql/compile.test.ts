import { describe, expect, test } from 'vitest'
import { parseNxql } from '../../../core/model/nxql/index.js'
import { sampleModel } from '../../../core/model/nxql/model.fixture.js'
import { NO_ADDITIONS } from '../../../core/search/index-shape/index.js'
import { allOf, anyOf, exists, NOTHING, not, oneOf, within } from './clauses.js'
import { compileSearch, NotAnswerable, searchedTexts } from './index.js'

const model = sampleModel()
const now = new Date('2020-03-31T12:00:00.000Z')
const RIGHTS = { terms: { 'ecm:scope': [7] } }
const ID = '00000000-0000-4000-8000-00000000000a'
const HIDDEN = '00000000-0000-4000-8000-00000000000b'

/** Words as they are: what folds them is the repository. */
const plan = (text: string) => {
  const query = parseNxql(text)
  const texts = query.where ? searchedTexts(query.where, { model, now }) : []
  const words = new Map(texts.map((each) => [each, { words: each.toLowerCase().split(' '), stems: [] }]))
  return compileSearch(query, {
    model,
    now,
    rights: [RIGHTS],
    words,
    shape: NO_ADDITIONS,
    index: 'own',
    shown: new Set([ID]),
  })
}

const FILES = oneOf('ecm:primaryType', ['File'])

/** The condition on files that a WHERE clause becomes. */
const compiled = (where: string) => {
  const { query } = plan(`SELECT * FROM File WHERE ${where} ORDER BY ecm:name`)
  const [types, condition, rights] = (query.bool as { filter: object[] }).filter
  expect([types, rights]).toEqual([FILES, RIGHTS])
  return condition
}

const like = (field: string, value: string, ignoreCase = false) => ({
  wildcard: { [field]: { value, case_insensitive: ignoreCase } },
})

describe('values', () => {
  test.each([
    ["dc:title = 'a'", oneOf('dc:title', ['a'])],
    ["dc:title <> 'a'", allOf([exists('dc:title'), not(oneOf('dc:title', ['a']))])],
    ["NOT dc:title <> 'a'", oneOf('dc:title', ['a'])],
    ["dc:subjects <> 'a'", not(oneOf('dc:subjects', ['a']))],
    ["dc:subjects/* = 'a'", oneOf('dc:subjects', ['a'])],
    ["dc:subjects/* <> 'a'", anyOf([within('dc:subjects', { lt: 'a' }), within('dc:subjects', { gt: 'a' })])],
    ["s:people/*1/name IN ('a', 'b')", oneOf('s:people.name', ['a', 'b'])],
    ['s:people/item[*]/age > 3', within('s:people.age', { gt: '3' })],
    ['s:size BETWEEN 1 AND 3', within('s:size', { gte: '1', lte: '3' })],
    ['s:size < 1e300', exists('s:size')],
    ['s:size = 1e300', NOTHING],
    ['s:flag = 1', oneOf('s:flag', ['true'])],
    ["dc:title < 'a'", within('dc:title', { lt: 'a' })],
    ["dc:created > NOW('-P1D')", within('dc:created', { gt: '2020-03-30T12:00:00.000Z' })],
    [
      "DATE(dc:created) = DATE '2020-02-29'",
      within('dc:created', { gte: '2020-02-29T00:00:00.000Z', lt: '2020-03-01T00:00:00.000Z' }),
    ],
    ["DATE(dc:created) <= DATE '2020-02-29'", within('dc:created', { lt: '2020-03-01T00:00:00.000Z' })],
    [
      "dc:subjects STARTSWITH 'art'",
      anyOf([oneOf('dc:subjects', ['art']), { prefix: { 'dc:subjects': { value: 'art/' } } }]),
    ],
    [`ecm:uuid IN ('${ID.toUpperCase()}', 'x')`, oneOf('ecm:uuid', [ID])],
    ["ecm:uuid = 'x'", NOTHING],
    ["ecm:tag = 'red'", oneOf('ecm:tag', ['red'])],
    ['ecm:isCheckedInVersion = 0', oneOf('ecm:isVersion', ['false'])],
    ['dc:title IS NULL', not(exists('dc:title'))],
    ['dc:subjects/* IS NULL', not(exists('dc:subjects'))],
    ['s:people/*/name IS NOT NULL', exists('s:people.name')],
    ["file:content/mime-type = 'a/b'", oneOf('file:content.mime-type', ['a/b'])],
  ])('%s', (where, expected) => expect(compiled(where)).toEqual(expected))
})

describe('patterns', () => {
  test.each([
    ["dc:title LIKE 'a%b_'", like('dc:title', 'a*b?')],
    [String.raw`dc:title LIKE 'a\_\%\\\\'`, like('dc:title', String.raw`a_%\\`)],
    [String.raw`dc:title LIKE 'a\bc*?'`, like('dc:title', String.raw`abc\*\?`)],
    ["dc:title ILIKE 'A%'", like('dc:title', 'A*', true)],
    ["ecm:name ILIKE ''", oneOf('ecm:name', [''])],
    ["dc:title NOT LIKE 'a'", allOf([exists('dc:title'), not(like('dc:title', 'a'))])],
    ["ecm:fulltext.s:address/city = 'a'", like('s:address.city', '*a*', true)],
  ])('%s', (where, expected) => expect(compiled(where)).toEqual(expected))
})

describe('special conditions', () => {
  const trashed = anyOf([oneOf('ecm:isTrashed', [true]), oneOf('ecm:currentLifeCycleState', ['deleted'])])
  test.each([
    ["ecm:path = '/a/'", oneOf('ecm:path', ['/a'])],
    ["ecm:path STARTSWITH '/a'", within('ecm:path', { gt: '/a/', lt: '/a0' })],
    ["ecm:path STARTSWITH '/'", allOf([exists('ecm:path'), not(oneOf('ecm:path', ['/']))])],
    ["ecm:path STARTSWITH 'a'", NOTHING],
    [`ecm:ancestorId <> '${ID}'`, not(oneOf('ecm:ancestorId', [ID]))],
    ["ecm:mixinType = 'Folderish'", oneOf('ecm:primaryType', ['Folder', 'Workspace', 'Root'])],
    ['ecm:isTrashed = 0', not(trashed)],
    [
      '(s:size = 1) = (s:flag = 1)',
      anyOf([
        allOf([oneOf('s:size', ['1']), oneOf('s:flag', ['true'])]),
        allOf([not(oneOf('s:size', ['1'])), not(oneOf('s:flag', ['true']))]),
      ]),
    ],
  ])('%s', (where, expected) => expect(compiled(where)).toEqual(expected))
})

describe('searches of words', () => {
  const word = (field: string, value: string) => ({ term: { [field]: { value } } })
  const found = (must: object[], mustNot: object[] = []) => ({ bool: { must, must_not: mustNot } })
  test.each([
    ["ecm:fulltext = 'Red -blue'", found([word('ecm:words', 'red')], [word('ecm:words', 'blue')])],
    ["ecm:fulltext_title = 'red'", found([word('ecm:wordsA', 'red')])],
    ["ecm:binarytext = 'red'", found([word('ecm:wordsD', 'red')])],
    ["ecm:fulltext = 'a OR b'", anyOf([found([word('ecm:words', 'a')]), found([word('ecm:words', 'b')])])],
    [
      String.raw`ecm:fulltext = "\"a b\""`,
      found([{ match_phrase: { 'ecm:words': { query: 'a b', analyzer: 'whitespace' } } }]),
    ],
    ["ecm:fulltext = 'pa*'", found([{ prefix: { 'ecm:words': { value: 'pa' } } }])],
    ["ecm:fulltext = '-a'", NOTHING],
  ])('%s', (where, expected) => expect(compiled(where)).toEqual(expected))

  test('the one search of a query decides the order, unless the query does', () => {
    const { query, sort } = plan("SELECT * FROM File WHERE ecm:fulltext = 'red'")
    expect(sort).toEqual([{ _score: { order: 'desc' } }, { 'ecm:uuid': { order: 'asc' } }])
    const weighted = (field: string, boost: number) => ({ bool: { should: [word(field, 'red')], boost } })
    expect(query.bool?.should).toEqual([
      {
        bool: {
          must: [found([word('ecm:words', 'red')])],
          should: [weighted('ecm:wordsA', 10), weighted('ecm:wordsB', 2)],
        },
      },
    ])
  })

  test('stems find a word, and neither a phrase nor a beginning', () => {
    const words = new Map([['apples', { words: ['apples'], stems: ['=english:appl'] }]])
    const stemmed = (where: string) =>
      compileSearch(parseNxql(`SELECT * FROM File WHERE ${where} ORDER BY ecm:name`), {
        ...{ model, now, rights: [], words, shape: NO_ADDITIONS, index: 'own', shown: new Set() },
      }).query
    const both = anyOf([word('ecm:words', 'apples'), word('ecm:words', '=english:appl')])
    expect(stemmed("ecm:fulltext = 'apples'")).toEqual({ bool: { filter: [FILES, found([both])] } })
    expect(stemmed("ecm:fulltext = '-apples' OR ecm:fulltext = 'apples*'")).not.toContain('=english')
    expect(JSON.stringify(stemmed(String.raw`ecm:fulltext = "\"apples\""`))).not.toContain('=english')
  })
})

test('nulls are the largest in an order, which ends with the id', () => {
  expect(plan('SELECT * FROM File ORDER BY dc:title DESC, ecm:path').sort).toEqual([
    { 'dc:title': { order: 'desc', missing: '_first' } },
    { 'ecm:path': { order: 'asc', missing: '_last' } },
    { 'ecm:uuid': { order: 'asc' } },
  ])
})

test('what must be indexed whole is named, but not for what is found by being there', () => {
  const { incomplete } = plan(
    "SELECT * FROM File WHERE dc:title = 'a' AND s:size = 1 AND dc:description LIKE 'a%'",
  )
  expect(incomplete).toEqual({ terms: { _ignored: ['s:size', 'dc:description'] } })
})

describe('hints', () => {
  test.each([
    "/*+ES: INDEX(_seq_no) OPERATOR(match) */ dc:title = '5'",
    "/*+ES: INDEX(ecm:ancestorId) OPERATOR(wildcard) */ dc:title = '5d6*'",
    "/*+ES: INDEX(dc:title,collection:documentIds) OPERATOR(wildcard) */ dc:title = '5d6*'",
    "/*+ES: INDEX(dc:title,ecm:scope) OPERATOR(multi_match) */ dc:title = '1'",
    "/*+ES: INDEX(ecm:words) OPERATOR(query_string) */ dc:title = '_seq_no:<6'",
  ])('ask for no field that shows something of hidden documents: %s', (where) => {
    expect(() => plan(`SELECT * FROM File WHERE ${where}`)).toThrow(/is not possible|may not ask for/)
  })

  test.each([
    [
      "/*+ES: INDEX(dc:title.fulltext,dc:description.fulltext^3) OPERATOR(multi_match) */ dc:title = 'a'",
      { multi_match: { fields: ['dc:title.fulltext', 'dc:description.fulltext^3'], query: 'a' } },
    ],
    [
      "/*+ES: INDEX(dc:title.fulltext) ANALYZER(fulltext) OPERATOR(match_phrase_prefix) */ dc:title LIKE 'abc*'",
      {
        bool: {
          must: [
            {
              match_bool_prefix: {
                'dc:title.fulltext': { query: 'abc', operator: 'and', analyzer: 'standard' },
              },
            },
          ],
        },
      },
    ],
    [
      "/*+ES: INDEX(dc:title.fulltext) OPERATOR(match_phrase_prefix) */ dc:title ILIKE 'Annual rep%'",
      {
        bool: {
          must: [
            { match_bool_prefix: { 'dc:title.fulltext': { query: 'Annual rep', operator: 'and' } } },
            { match_phrase: { 'dc:title.fulltext': { query: 'Annual' } } },
          ],
        },
      },
    ],
    [
      "/*+ES: OPERATOR(regex) */ s:people/*1/name <> 'a.*'",
      { regexp: { 's:people.name': { value: 'a.*' } } },
    ],
    [
      "NOT /*+ES: OPERATOR(fuzzy) */ dc:title = 'a'",
      not({ fuzzy: { 'dc:title': { value: 'a', rewrite: 'constant_score' } } }),
    ],
    ["/*+ES: INDEX(dc:description) */ dc:title = 'a'", oneOf('dc:description', ['a'])],
    [
      "/*+ES: INDEX(dc:title.fulltext) OPERATOR(match) */ dc:title IN ('a', 'b')",
      anyOf([
        { match: { 'dc:title.fulltext': { query: 'a' } } },
        { match: { 'dc:title.fulltext': { query: 'b' } } },
      ]),
    ],
    [
      `/*+ES: INDEX(dc:title.fulltext) OPERATOR(more_like_this) */ dc:title IN ('${ID.toUpperCase()}', '${HIDDEN}')`,
      {
        more_like_this: {
          fields: ['dc:title.fulltext'],
          like: [{ _index: 'own', _id: ID }],
          ...{ min_term_freq: 1, min_doc_freq: 1, max_query_terms: 1_000, minimum_should_match: '10%' },
        },
      },
    ],
    [`/*+ES: OPERATOR(more_like_this) */ dc:title = '${HIDDEN}'`, NOTHING],
    [
      "/*+ES: INDEX(dc:source.place) OPERATOR(geo_bounding_box) */ dc:title IN ('1,2', '3,4')",
      { geo_bounding_box: { 'dc:source.place': { bottom_left: '1,2', top_right: '3,4' } } },
    ],
    [
      "/*+ES: INDEX(dc:source.place) OPERATOR(geo_distance) */ dc:title IN ('u09', '20km')",
      { geo_distance: { 'dc:source.place': 'u09', distance: '20km' } },
    ],
    [
      `/*+ES: INDEX(dc:source.area) OPERATOR(geo_shape) */ dc:title IN ('${ID}', 'doc', 'nuxeo', 'dc:source')`,
      {
        geo_shape: {
          'dc:source.area': {
            indexed_shape: { index: 'own', id: ID, path: 'dc:source' },
            relation: 'within',
          },
        },
      },
    ],
    [
      `/*+ES: INDEX(dc:source.area) OPERATOR(geo_shape) */ dc:title IN ('${HIDDEN}', 'doc', 'nuxeo', 'dc:source')`,
      NOTHING,
    ],
  ])('%s', (where, expected) => expect(compiled(where)).toEqual(expected))

  test.each([
    ["/*+ES: OPERATOR(magic) */ dc:title = 'a'", 501, /magic\) is unknown/],
    ["/*+ES: OPERATOR(geo_hash_cell) */ dc:title IN ('u09', '3')", 501, /geo_hash_cell\) is unknown/],
    ["/*+ES: OPERATOR(geo_distance) */ dc:title = 'u09'", 400, /takes 2 values, not 1/],
    [
      `/*+ES: OPERATOR(geo_shape) */ dc:title IN ('${ID}', 'doc', 'other', 'dc:source')`,
      400,
      /shapes of the index nuxeo, not of other/,
    ],
    ["/*+ES: ANALYZER(x) OPERATOR(match) */ dc:title = 'a'", 400, /ANALYZER\(x\) is unknown/],
    [
      Array(3)
        .fill(`/*+ES: OPERATOR(regex) */ dc:title = '${'.*a'.repeat(120)}'`)
        .join(' OR '),
      400,
      /the values of hints have 1000 characters together, not 1080/,
    ],
    [
      `/*+ES: INDEX(${Array(20).fill('dc:title').join(',')}) OPERATOR(query_string) */ dc:title = '${'/a+/ '.repeat(12)}'`,
      400,
      /the values of hints have 1000 characters together/,
    ],
  ])('%.80s: %i', (where, status, message) => {
    expect(() => compiled(where)).toThrow(
      expect.objectContaining({ status, message: expect.stringMatching(message) }),
    )
  })
})

describe('what the index cannot answer as the repository does', () => {
  test.each([
    ['s:size = s:score', /compared with each other/],
    ["dc:subjects/0 = 'a'", /a place in a list/],
    ["s:people/*1/name = 'a' AND s:people/*1/age = 3", /same element in several conditions/],
    ["(s:people/*1/name = 'a') = (s:flag = 1)", /same element/],
    ['((((s:size = 1) = (s:size = 2)) = (s:size = 3)) = (s:size = 4)) = (s:size = 5)', /inside one another/],
    ["ecm:tag = 'a' AND ecm:tag = 'b'", /same element/],
    ["s:people/*/tags <> 'a'", /elements of a list/],
    ['s:people/*/name IS NULL', /elements without a value/],
    ["dc:subjects/* NOT LIKE 'a'", /what they are not/],
    ['file:content IS NULL', /file:content is not in the index/],
    ["ecm:acl/*/principal = 'ann'", /not in the index/],
    ["ecm:blobKeys = 'x'", /not in the index/],
    ['s:size = 9223372036854775807', /more digits/],
    ["dc:title ILIKE 'é%'", /letters beyond ASCII/],
  ])('%s', (where, reason) => {
    const ask = () => compiled(where)
    expect(ask).toThrow(NotAnswerable)
    expect(ask).toThrow(reason)
  })

  test('a long text', () => {
    expect(() => compiled(`dc:title = '${'x'.repeat(8_192)}'`)).toThrow(/longer than those in the index/)
  })

  test('an order of days', () => {
    expect(() => plan('SELECT * FROM File ORDER BY DATE(dc:created)')).toThrow(/sorted by its day/)
  })
})

test('what the repository refuses is refused', () => {
  expect(() => plan('SELECT * FROM Nowhere')).toThrow(/Unknown type: Nowhere/)
  expect(() => compiled("dc:nothing = 'a'")).toThrow(/No such property: dc:nothing/)
  expect(() => plan('SELECT * FROM File ORDER BY ecm:fulltextScore')).toThrow(/exactly one condition/)
})

test.each(['fuzzy', 'query_string'])(
  'a long word whose near ones are looked for is refused: %s',
  (operator) => {
    const asked = (length: number) =>
      compiled(`/*+ES: INDEX(dc:title.fulltext) OPERATOR(${operator}) */ dc:title = '${'x'.repeat(length)}~'`)
    expect(asked(99)).toBeDefined()
    expect(() => asked(101)).toThrow(/at most 100 characters/)
  },
)

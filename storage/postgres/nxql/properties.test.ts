import { describe, expect, test } from 'vitest'
import { AGE, condition, elements, SIZE } from './compile.fixture.js'

const SUBJECTS = elements("(d.properties->'dc:subjects')", 'e1')
const PEOPLE = elements("(d.properties->'s:people')", 'e1')

describe('properties', () => {
  test.each([
    ["dc:title = 'a'", ['d.properties @> $2::text::jsonb', '{"dc:title":"a"}']],
    ["dc:title <> 'a'", ["(d.properties->>'dc:title') <> $2::text", 'a']],
    ["NOT dc:title < 'a'", [`(d.properties->>'dc:title') COLLATE "C" >= $2::text`, 'a']],
    [
      "dc:title BETWEEN 'a' AND 'b'",
      [`(d.properties->>'dc:title') COLLATE "C" BETWEEN $2::text AND $3::text`, 'a', 'b'],
    ],
    ["dc:title NOT LIKE 'a%'", ["(d.properties->>'dc:title') NOT LIKE $2::text", 'a%']],
    ["dc:title LIKE '%a'", ["(d.properties->>'dc:title') LIKE $2::text", '%a']],
    ["dc:title ILIKE 'A%'", ["lower((d.properties->>'dc:title')) LIKE lower($2::text)", 'A%']],
    ["dc:title NOT ILIKE 'A%'", ["lower((d.properties->>'dc:title')) NOT LIKE lower($2::text)", 'A%']],
    [
      "dc:title STARTSWITH 'art'",
      [
        "((d.properties->>'dc:title') = $3::text OR starts_with((d.properties->>'dc:title'), $2::text))",
        'art/',
        'art',
      ],
    ],
    [
      "dc:title IN ('a', 'b')",
      [
        '(d.properties @> $2::text::jsonb OR d.properties @> $3::text::jsonb)',
        '{"dc:title":"a"}',
        '{"dc:title":"b"}',
      ],
    ],
    ["dc:title NOT IN ('a', 'b')", ["(d.properties->>'dc:title') <> ALL($2::text[])", ['a', 'b']]],
    [
      's:size = 9007199254740993',
      [
        '(d.properties @> $2::text::jsonb OR d.properties @> $3::text::jsonb)',
        '{"s:size":9007199254740993}',
        '{"s:size":"9007199254740993"}',
      ],
    ],
    ['s:size >= 1.5', [`${SIZE} >= $2::numeric`, '1.5']],
    ['s:flag = 1', ['d.properties @> $2::text::jsonb', '{"s:flag":true}']],
    ["s:address/city = 'a'", ['d.properties @> $2::text::jsonb', '{"s:address":{"city":"a"}}']],
    ["s:address/city > 'a'", [`(d.properties->'s:address'->>'city') COLLATE "C" > $2::text`, 'a']],
    ["file:content/mime-type LIKE 'a'", ["(d.properties->'file:content'->>'mime-type') LIKE $2::text", 'a']],
    ['file:content IS NULL', ["(d.properties->>'file:content') IS NULL"]],
    [
      "dc:created < DATE '2020-01-01'",
      [`(d.properties->>'dc:created') COLLATE "C" < $2::text`, '2020-01-01T00:00:00.000Z'],
    ],
    [
      "DATE(dc:created) IN (DATE '2020-01-01', DATE '2020-01-02')",
      [
        `left((d.properties->>'dc:created') COLLATE "C", 10) COLLATE "C" = ANY($2::text[])`,
        ['2020-01-01', '2020-01-02'],
      ],
    ],
    ['dc:created = NOW()', ['d.properties @> $2::text::jsonb', '{"dc:created":"2020-03-31T12:00:00.000Z"}']],
    [
      "(dc:title > 'a') = (dc:title > 'b')",
      [
        `(((d.properties->>'dc:title') COLLATE "C" > $2::text) IS TRUE) = (((d.properties->>'dc:title') COLLATE "C" > $3::text) IS TRUE)`,
        'a',
        'b',
      ],
    ],
  ])('%s', (where, expected) => expect(condition(where)).toEqual(expected))

  test('equality stops asking the index when a query asks too often', () => {
    const list = Array.from({ length: 101 }, (_, i) => `'${i}'`).join(',')
    expect(condition(`dc:title IN (${list})`)).toMatchObject([
      "(d.properties->>'dc:title') = ANY($2::text[])",
      { length: 101 },
    ])
  })
})

describe('lists', () => {
  test.each([
    ["dc:subjects = 'a'", ['d.properties @> $2::text::jsonb', '{"dc:subjects":["a"]}']],
    ["dc:subjects/* = 'a'", ['d.properties @> $2::text::jsonb', '{"dc:subjects":["a"]}']],
    [
      "dc:subjects <> 'a'",
      [`NOT EXISTS (SELECT 1 FROM ${SUBJECTS} WHERE (e1.value #>> '{}') = $2::text)`, 'a'],
    ],
    [
      "NOT dc:subjects LIKE 'a'",
      [`NOT EXISTS (SELECT 1 FROM ${SUBJECTS} WHERE (e1.value #>> '{}') LIKE $2::text)`, 'a'],
    ],
    [
      "dc:subjects/* <> 'a'",
      [`EXISTS (SELECT 1 FROM ${SUBJECTS} WHERE (e1.value #>> '{}') <> $2::text)`, 'a'],
    ],
    [
      "NOT dc:subjects/* = 'a'",
      [`EXISTS (SELECT 1 FROM ${SUBJECTS} WHERE (e1.value #>> '{}') <> $2::text)`, 'a'],
    ],
    ['dc:subjects IS NULL', [`NOT EXISTS (SELECT 1 FROM ${SUBJECTS})`]],
    ['dc:subjects IS NOT NULL', [`EXISTS (SELECT 1 FROM ${SUBJECTS})`]],
    [
      'dc:subjects/* IS NULL',
      [
        `EXISTS (SELECT 1 FROM (SELECT 1) AS one LEFT JOIN ${SUBJECTS} ON TRUE WHERE (e1.value #>> '{}') IS NULL)`,
      ],
    ],
    ["dc:subjects/0 = 'a'", ["(d.properties->'dc:subjects'->>0) = $2::text", 'a']],
    ["s:people/item[2]/name = 'a'", ["(d.properties->'s:people'->2->>'name') = $2::text", 'a']],
    [
      "files:files/*/file/name = 'a'",
      ['d.properties @> $2::text::jsonb', '{"files:files":[{"file":{"name":"a"}}]}'],
    ],
    ['s:people/*/age > 3', [`EXISTS (SELECT 1 FROM ${PEOPLE} WHERE ${AGE} > $2::numeric)`, '3']],
    [
      "s:people/*/tags <> 'a'",
      [
        `EXISTS (SELECT 1 FROM (SELECT 1) AS one LEFT JOIN ${PEOPLE} ON TRUE WHERE NOT EXISTS (SELECT 1 FROM ${elements("(e1.value->'tags')", 'e2')} WHERE (e2.value #>> '{}') = $2::text))`,
        'a',
      ],
    ],
    [
      "s:people/*1/name = 'x' AND s:size > 1 AND s:people/*1/age > 3",
      [
        `d.properties @> $3::text::jsonb AND ${SIZE} > $4::numeric AND EXISTS (SELECT 1 FROM (SELECT 1) AS correlated LEFT JOIN ${PEOPLE} ON TRUE WHERE (e1.value->>'name') = $2::text AND ${AGE} > $5::numeric)`,
        'x',
        '{"s:people":[{"name":"x"}]}',
        '1',
        '3',
      ],
    ],
  ])('%s', (where, expected) => expect(condition(where)).toEqual(expected))
})

describe('LIKE escapes', () => {
  test.each([
    [String.raw`a\_b\%c`, String.raw`a\_b\%c`],
    [String.raw`a\\\\b`, String.raw`a\\b`],
    [String.raw`a\xb`, 'axb'],
    ['ab\\\\', 'ab'],
  ])('%s', (pattern, expected) => expect(condition(`dc:title LIKE '${pattern}'`)[1]).toBe(expected))
})

describe('NOW', () => {
  test.each([
    ["NOW('-P1D')", '2020-03-30T12:00:00.000Z'],
    ["NOW('-P1DT2H')", '2020-03-30T10:00:00.000Z'],
    ["NOW('-P1M')", '2020-02-29T12:00:00.000Z'],
    ["NOW('P1Y2W')", '2021-04-14T12:00:00.000Z'],
    ["NOW('+PT1M1.5S')", '2020-03-31T12:01:01.500Z'],
    ["NOW('PT-1H')", '2020-03-31T11:00:00.000Z'],
  ])('%s', (call, expected) => expect(condition(`dc:created > ${call}`)[1]).toBe(expected))
})

describe('prefixes of titles', () => {
  const BEGINNING = `left(d.properties ->> 'dc:title', 200) COLLATE "C"`
  const TITLE = "(d.properties->>'dc:title')"
  test.each([
    ['a%', 'a', 'b'],
    ['ab_c', 'ab', 'ac'],
    [String.raw`50\%%`, '50%', '50&'],
    ['a\ud7ff%', 'a\ud7ff', 'a\ue000'],
    ['a\u{10ffff}%', 'a\u{10ffff}', 'b'],
    [`${'x'.repeat(300)}%`, 'x'.repeat(200), `${'x'.repeat(199)}y`],
  ])('%s', (pattern, from, end) => {
    const [sql, ...values] = condition(`dc:title LIKE '${pattern}'`)
    const like = pattern.length > 64 ? `archivolt_like(${TITLE}, $2::text)` : `${TITLE} LIKE $2::text`
    expect(sql).toBe(`(${BEGINNING} >= $3::text AND ${BEGINNING} < $4::text AND ${like})`)
    expect(values.slice(1)).toEqual([from, end])
  })
})

describe('what is computed', () => {
  const AGES = elements("(d.properties->'s:people')", 'e1')
  test.each([
    ['s:size + 1 = 2', [`(${SIZE} + $2::numeric) = $3::numeric`, '1', '2']],
    ['NOT s:size * 2 < 5', [`(${SIZE} * $2::numeric) >= $3::numeric`, '2', '5']],
    ['1 / s:size > 2', [`($2::numeric / NULLIF(${SIZE}, 0)) > $3::numeric`, '1', '2']],
    [
      'dc:title = dc:description',
      [`(d.properties->>'dc:title') COLLATE "C" = (d.properties->>'dc:description') COLLATE "C"`],
    ],
    ['s:people/*/age > s:size', [`EXISTS (SELECT 1 FROM ${AGES} WHERE ${AGE} > ${SIZE})`]],
    [
      'dc:modified > ecm:versionCreated',
      [
        `(d.properties->>'dc:modified') COLLATE "C" > to_char(d.version_created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') COLLATE "C"`,
      ],
    ],
  ])('%s', (where, expected) => expect(condition(where)).toEqual(expected))
})

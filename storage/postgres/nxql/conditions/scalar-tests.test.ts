import { describe, expect, test } from 'vitest'
import type { Binder } from '../binder.js'
import type { ScalarKind } from '../places/scalar.js'
import { isAtOrUnder, isBetween, isOneOf } from './scalar-tests.js'

const binder = { bind: (value: unknown, type: string) => `${JSON.stringify(value)}::${type}` } as Binder
const scalar = (kind: ScalarKind) => ({ kind, sql: 'x' })
const ID = '00000000-0000-4000-8000-00000000000a'

describe('one of some values', () => {
  test.each<[ScalarKind, string[], boolean, string]>([
    ['boolean', ['true'], false, 'x = TRUE'],
    ['opaque', ['true'], true, 'x <> TRUE'],
    ['boolean', ['true', 'false'], true, 'x NOT IN (TRUE, FALSE)'],
    ['opaque', ['true', 'false'], false, 'x IN (TRUE, FALSE)'],
    ['number', ['1', '2'], false, 'x = ANY(["1","2"]::numeric[])'],
    ['instant', ['now'], true, 'x <> "now"::timestamptz'],
    ['uuid', ['no id'], true, 'x = x'],
  ])('%s %j, negated %s: %s', (kind, values, negated, expected) => {
    expect(isOneOf({ scalar: scalar(kind), values, negated }, binder)).toBe(expected)
  })
})

describe('between two values', () => {
  test.each<[ScalarKind, string, string, boolean, string]>([
    ['number', '1', '2', true, 'x NOT BETWEEN "1"::numeric AND "2"::numeric'],
    ['text', 'a', 'b', false, 'x COLLATE "C" BETWEEN "a"::text AND "b"::text'],
    ['text', ID, ID, false, `x COLLATE "C" BETWEEN "${ID}"::text AND "${ID}"::text`],
    ['uuid', ID, ID, false, `x BETWEEN "${ID}"::uuid AND "${ID}"::uuid`],
    ['uuid', 'a', ID, false, `x::text COLLATE "C" BETWEEN "a"::text AND "${ID}"::text`],
    [
      'uuid',
      ID.toUpperCase(),
      ID,
      false,
      `x::text COLLATE "C" BETWEEN "${ID.toUpperCase()}"::text AND "${ID}"::text`,
    ],
  ])('%s from %s to %s, negated %s', (kind, low, high, negated, expected) => {
    expect(isBetween({ scalar: scalar(kind), low, high, negated }, binder)).toBe(expected)
  })
})

test.each([
  ['a/b', false, '(x = "a/b"::text OR starts_with(x, "a/b/"::text))'],
  ['a/b', true, 'NOT (x = "a/b"::text OR starts_with(x, "a/b/"::text))'],
  ['a/', false, '(x = "a/"::text OR starts_with(x, "a/"::text))'],
  ['/a', false, '(x = "/a"::text OR starts_with(x, "/a/"::text))'],
])('at or under %s, negated %s', (value, negated, expected) => {
  expect(isAtOrUnder({ scalar: scalar('text'), value, negated }, binder)).toBe(expected)
})

import { describe, expect, test } from 'vitest'
import { computingTime } from '../../../test/support/computing-time.js'
import { bindParameters, type NxqlParameter } from './bind-parameters.js'
import { parseNxql } from './parser/query.js'

describe('bindParameters', () => {
  test.each<[string, NxqlParameter[], Record<string, NxqlParameter>, string]>([
    ['a = ? AND b = ?', ['x', 5], {}, "a = 'x' AND b = 5"],
    ['a = :x', [], { x: true }, 'a = 1'],
    ['a = :x', [], { x: false, unused: 1 }, 'a = 0'],
    ['a = :x', [], { x: null }, "a = ''"],
    ['a=:x_1 AND dc:title=:x', [], { x: 1, x_1: 2, title: 3 }, 'a=2 AND dc:title=1'],
    ["a = '?' AND b = \":x\" AND c = 'it\\'s ?'", [], {}, "a = '?' AND b = \":x\" AND c = 'it\\'s ?'"],
    ['/*+ES: INDEX(?) */ a = ?', ['x'], {}, "/*+ES: INDEX(?) */ a = 'x'"],
    ['a IN ?', [['x', 'y']], {}, "a IN ('x', 'y')"],
    ['a IN ( ? )', [['x', 'y']], {}, "a IN ('x', 'y')"],
    ['a IN (?, ?)', ['x', 'y'], {}, "a IN ('x', 'y')"],
    ['(a IN :x)', [], { x: [1, 2] }, '(a IN (1, 2))'],
    ['a IN (:x)', [], { x: [1] }, 'a IN (1)'],
    ['a > ?', [new Date('2020-01-01T00:00:00Z')], {}, "a > TIMESTAMP '2020-01-01T00:00:00.000Z'"],
  ])('%s', (text, positional, named, expected) =>
    expect(bindParameters(text, positional, named)).toBe(expected),
  )

  test.each<[string, NxqlParameter[], Record<string, NxqlParameter>, string]>([
    ['a = ? AND b = ?', ['x'], {}, 'No value for parameter 2 of the query'],
    ['a = ?', ['x', 'y'], {}, '2 parameters for a query that takes 1'],
    ['a = :x', [], {}, 'No value for the named parameter x of the query'],
    ['a = :constructor', [], {}, 'No value for the named parameter constructor of the query'],
    ['a IN ?', [[]], {}, 'Parameter ?: the list is empty'],
    ['a IN ?', [[['x']]], {}, 'Parameter ?: a list in a list'],
    ['a = ?', [Number.NaN], {}, 'Parameter ?: NaN is not a number'],
    ['a = ?', [new Date(Number.NaN)], {}, 'Parameter ?: not a date'],
  ])('%s refuses', (text, positional, named, message) => {
    expect(() => bindParameters(text, positional, named)).toThrow(
      expect.objectContaining({ code: 'badRequest', message }),
    )
  })

  test.each([
    "'",
    '"',
    '\\',
    "\\'",
    "' OR 1 = 1 OR a = '",
    'a\nb\r',
    '\\\\',
    '?',
    ':x',
    '$1 $&',
    '/*+',
    "\\\n'",
  ])('the value %j is read back as it was', (value) => {
    const text = bindParameters('SELECT * FROM Document WHERE a = ? AND b = :x', [value], { x: value })
    expect(parseNxql(text).where).toMatchObject({
      operands: [{ right: { kind: 'string', value } }, { right: { kind: 'string', value } }],
    })
  })

  test('a text of nothing but openings costs no time', () => {
    const took = computingTime(() => {
      for (const part of ['(', '( ', "'", '"\\', '/*+', ':', 'a']) bindParameters(part.repeat(100_000), [])
    })
    expect(took).toBeLessThan(5_000)
  })
})

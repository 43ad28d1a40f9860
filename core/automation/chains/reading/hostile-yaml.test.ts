import { describe, expect, test } from 'vitest'
import { computingTime } from '../../../../test/support/computing-time.js'
import { parse, problemsOf } from './parse-chain.fixture.js'
import { parseChain } from './parse-chain.js'

describe('hostile YAML', () => {
  const bomb = ['a: &a [x,x,x,x,x,x,x,x,x]']
  for (let level = 1; level < 9; level++) {
    const before = String.fromCharCode(96 + level)
    const name = String.fromCharCode(97 + level)
    bomb.push(`${name}: &${name} [${Array(9).fill(`*${before}`).join(',')}]`)
  }

  test.each([
    ['aliases that multiply', bomb.join('\n'), /more than 20000 values, aliases followed/],
    ['an anchor inside itself', '- A: &a\n    p: *a\n', /nested deeper than 32 levels/],
    ['an alias without an anchor', '- A: *missing\n', /missing/],
    ['deep nesting', `- A: ${'['.repeat(5000)}${']'.repeat(5000)}`, /nested deeper/],
    ['a key twice', '- A:\n    p: 1\n    p: 2\n', /^3:5 p: the key "p" appears twice$/],
    [
      'the key __proto__',
      '- A:\n    m:\n      __proto__:\n        x: 1\n',
      /^3:7 __proto__: the name __proto__ is not allowed$/,
    ],
    ['a NUL', '- A:\n    p: "a\\0b"\n', /^2:8 contains a character that cannot be stored/],
    ['half a surrogate pair', '- A:\n    p: "\\uD800"\n', /cannot be stored/],
    ['an unknown tag', '- A:\n    p: !!js/function "x"\n', /^2:8 .*tag/],
    [
      'binary by an old directive',
      '%YAML 1.1\n---\n- A:\n    p: !!binary aGk=\n',
      /only texts, numbers and booleans/,
    ],
    ['a key that is a list', '- ? [a]\n  : 1\n', /a key must be a plain text/],
    ['infinity', '- A:\n    p: .inf\n', /^2:8 the number \.inf cannot be kept exactly/],
    ['a number that would lose digits', '- A:\n    p: 12345678901234567890\n', /write it in quotes/],
  ])('is refused: %s', (_, text, message) => {
    const took = computingTime(() => expect(problemsOf(text)[0]).toMatch(message))
    expect(took).toBeLessThan(10_000)
  })

  test.each([
    ['- A:\n    p: a: b\n- B\n- A:\n    p: c: d\n', ['2:8', '5:8']],
    ["- A:\n    p: 'it's'\n- A:\n\tp: b\n", ['2:12', '4:1']],
    // What follows is read as part of what is not closed.
    ['- A: {p: "a}\n- A: {p: b}\n- A: {p: "c"}\n', ['1:10']],
    ['- A: {p: [a\n- A: {p: b}\n', ['2:1']],
  ])('every line that cannot be read is reported: %j', (text, places) => {
    expect(problemsOf(text).map((problem) => problem.split(' ')[0])).toEqual(places)
  })

  test('many keys take no quadratic time', () => {
    const keys = Array.from({ length: 19_000 }, (_, index) => `k${index}`).join(',')
    const took = computingTime(() =>
      expect(Object.keys(parse(`- A: {${keys}}`).chain.steps[0]?.params ?? {})).toHaveLength(19_000),
    )
    expect(took).toBeLessThan(20_000)
  })

  test('names of Object.prototype are names like others', () => {
    const { chain } = parse('- constructor:\n    toString: 1\n')
    expect(chain.steps[0]).toMatchObject({ operation: 'constructor', params: { toString: 1 } })
  })

  test('a text over the limit is too large', () => {
    expect(() => parse(' '.repeat(300_000))).toThrow(expect.objectContaining({ code: 'tooLarge' }))
  })

  test.each(['', 'a/b', '../up', 'Chain.demo', 'schema.json', 'a\u0000', `a${'b'.repeat(200)}`, 'demo '])(
    'the id %j is refused',
    (id) => {
      expect(() => parseChain({ id, text: '- A', format: 'yaml' })).toThrow(/cannot be a chain's id/)
    },
  )

  test('of thousands of anchors with thousands of aliases is read once', () => {
    const anchors = Array.from({ length: 12_000 }, (_, n) => `- &a${n} A\n`).join('')
    const text = `operations:\n${anchors}${'- *a11999\n'.repeat(12_000)}`
    const took = computingTime(() => expect(problemsOf(text)[0]).toMatch(/more than 20000 values/))
    // Looking for each alias from the beginning took more than a minute.
    expect(took).toBeLessThan(30_000)
  })

  test.each([['- A: {p: &x 1}\n- B: {p: *x}\n- C: {p: &x 2}\n- D: {p: *x}\n', [1, 1, 2, 2]]])(
    'an alias stands for the last anchor before it: %j',
    (text, expected) => {
      const { steps } = parse(text).chain
      expect(steps.map(({ params }) => params.p)).toEqual(expected)
    },
  )
})

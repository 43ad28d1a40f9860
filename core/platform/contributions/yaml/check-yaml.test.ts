import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { checkYaml } from '../index.js'

const step = z.union([
  z.string(),
  z.strictObject({ run: z.string(), params: z.record(z.string(), z.number()).optional() }),
])
const chain = z.strictObject({
  id: z.string(),
  mode: z.enum(['inline', 'workflow']).optional(),
  steps: z.array(step).optional(),
})

const problemsOf = (text: string) =>
  (checkYaml(text, chain).problems ?? []).map(
    ({ line, column, field, message }) => `${line}:${column} ${field ?? '-'} ${message}`,
  )

test('a good text gives its value, and traces paths', () => {
  const checked = checkYaml('id: a\nsteps:\n  - b\n  - run: c\n', chain)
  if (checked.problems) throw new Error(checked.problems[0]!.message)
  expect(checked.value).toEqual({ id: 'a', steps: ['b', { run: 'c' }] })
  expect(checked.source.locate(['steps', 1, 'run'])).toEqual({ line: 4, column: 10 })
  expect(checked.source.locate(['steps', 1, 'params'])).toEqual({ line: 4, column: 5 })
  expect(checked.source.locate(['nothing'])).toEqual({ line: 1, column: 1 })
})

describe('problems', () => {
  test.each([
    ['', '1:1 - expected object, received null'],
    ['id: 1', '1:5 id expected string, received number'],
    ['mode: inline', '1:1 id is missing (expected string)'],
    ['id: a\nmode: inlin', '2:7 mode expected one of "inline"|"workflow", did you mean "inline"?'],
    ['id: a\nquery: x', '2:1 query unknown key "query"; known are id, mode, steps'],
    ['id: a\nsteeps: []', '2:1 steeps unknown key "steeps", did you mean "steps"?'],
    [
      'id: a\nsteps:\n  - run: b\n    parms: {}',
      '4:5 steps[0].parms unknown key "parms", did you mean "params"?',
    ],
    [
      'id: a\nsteps:\n  - run: b\n    params: { n: x }',
      '4:18 steps[0].params.n expected number, received string',
    ],
    [
      'id: a\nsteps: [[]]',
      '2:9 steps[0] expected string, received array, or expected object, received array',
    ],
    ['id: a\nsteps: &s\n  - run: 1\n', '3:10 steps[0].run expected string, received number'],
    ['id: [', '1:6 - Flow sequence in block collection must be sufficiently indented and end with a ]'],
    ['id: a\nid: b', '2:1 - Map keys must be unique'],
    ['id: { t: string[] }', '1:16 - inside { } a type with brackets needs quotes: "string[]"'],
    ['id: !!js/function "x"', '1:5 - Unresolved tag: tag:yaml.org,2002:js/function'],
    ['__proto__: { id: x }', '1:1 - the name __proto__ is not allowed'],
    ['? [a, b]\n: c', '1:3 - a key must be plain text'],
    ['a: *b', '1:1 - Unresolved alias (the anchor must be set before the alias): b'],
    ['a: 1\n---\nb: 2', '2:1 - Source contains multiple documents; please use YAML.parseAllDocuments()'],
  ])('%j', (text, problem) => {
    expect(problemsOf(text)).toContain(problem)
  })

  test('a union distinguished by a key, when the key fits none', () => {
    const shape = z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('a') }),
      z.strictObject({ kind: z.literal('b') }),
    ])
    expect(checkYaml('kind: c', shape).problems).toEqual([
      { line: 1, column: 7, field: 'kind', message: 'none of the alternatives fits' },
    ])
  })

  test.each([
    ['evnts: a', ['1:1 evnts unknown key "evnts", did you mean "events"?']],
    [
      'evnts: a\nevents: 1',
      [
        '2:9 events expected string, received number, or expected array, received number',
        '1:1 evnts unknown key "evnts", did you mean "events"?',
      ],
    ],
    [
      'other: a',
      [
        '1:1 events is missing (expected string or array)',
        '1:1 other unknown key "other"; known are events, steps',
      ],
    ],
    ['events: a\nsteps: [{}]', ['2:9 steps[0].run is missing (expected string)']],
  ])('a key that is misspelt is not missing, too: %j', (text, problems) => {
    const shape = z.strictObject({
      events: z.union([z.string(), z.array(z.string())]),
      steps: z
        .array(z.union([z.strictObject({ run: z.string() }), z.strictObject({ op: z.string() })]))
        .optional(),
    })
    const found = (checkYaml(text, shape).problems ?? []).map(
      ({ line, column, field, message }) => `${line}:${column} ${field} ${message}`,
    )
    expect(found).toEqual(problems)
  })

  test('several mistakes are each reported', () => {
    expect(problemsOf('id: 1\nmode: x\nfoo: y')).toHaveLength(3)
  })

  test.each([
    [
      'before and behind it',
      'mode: inlin\nid: "a" b\nsteps:\n  - run: 1\n',
      ['2:9', '1:7 mode', '4:10 steps[0].run'],
    ],
    [
      'not in its own part',
      'id: a\nsteps:\n  - run: b: c\n    parms: {}\n  - run: 2\n',
      ['3:10', '5:10 steps[1].run'],
    ],
    ['nor behind what is not closed', 'mode: inlin\nsteps: [\nid: 1\n', ['3:1', '1:7 mode']],
    ['nor what may be missing for it', 'steps: []\nid a\n', ['2:1']],
  ])('a syntax error hides no other mistakes: %s', (_, text, places) => {
    const found = problemsOf(text).map((problem) =>
      problem.split(' ').slice(0, 2).join(' ').replace(/ -$/, ''),
    )
    expect(found).toEqual(places)
  })

  test.each([
    ['nesting', '['.repeat(50_000), /nested too deeply/],
    ['nested maps', 'a: '.repeat(3) + '{a: '.repeat(30_000), /./],
    [
      'aliases',
      `a: &a [${'x,'.repeat(50)}]\nb: &b [${'*a,'.repeat(50)}]\nc: &c [${'*b,'.repeat(50)}]\nd: [${'*c,'.repeat(50)}]`,
      /alias/i,
    ],
  ])('hostile %s is refused like any mistake', (_, text, message) => {
    const problems = problemsOf(text)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(message)
  })
})

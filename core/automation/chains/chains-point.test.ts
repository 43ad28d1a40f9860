import { expect, test } from 'vitest'
import { mergeContributions } from '../../platform/contributions/index.js'
import { chainsOf, chainsPoint } from './chains-point.js'

const load = (...texts: string[]) =>
  chainsOf(
    mergeContributions(
      texts.map((text, index) => ({ file: `${index}.yaml`, text })),
      [chainsPoint],
    ),
  )

test('chains of a configuration are read as their YAML view, later files replacing earlier ones', () => {
  const chains = load(
    'chains:\n  a: [X]\n  b:\n    description: d\n    operations:\n    - Y:\n        p: 1\n',
    'chains:\n  a: [Z]\n',
  )
  expect(chains.map(({ id, steps }) => [id, steps.map(({ operation }) => operation)])).toEqual([
    ['a', ['Z']],
    ['b', ['Y']],
  ])
})

test.each([
  [
    'chains:\n  a:\n    operation: [X]\n',
    /0\.yaml:3:\d+ chains\.a\.operation: unknown key "operation", did you mean "operations"\?/,
  ],
  ['chains:\n  a:\n  - X\n  - 12\n', /0\.yaml:4:5 chains\.a\[1\]: expected an operation, found a number/],
  ['chains:\n  a/b: []\n', /0\.yaml:2:\d+ .*cannot be a chain's id/],
  ['chains:\n  a:\n  - X:\n      p: "\\0"\n', /cannot be stored/],
])('a broken chain stops the start: %j', (text, message) => {
  expect(() => load(text)).toThrow(message)
})

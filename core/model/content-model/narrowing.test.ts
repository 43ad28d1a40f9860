import { expect, test } from 'vitest'
import { mergeContributions } from '../../platform/contributions/index.js'
import { buildContentModel, contentModelPoints } from './index.js'
import { narrowings } from './narrowing.js'

const BASE = `
schemas:
  a: { prefix: a, fields: { x: string, y: { type: long, maximum: 5 }, z: { type: complex, fields: { p: string, q: long } } } }
  b: { fields: { only: string } }
facets:
  F: { schemas: [b] }
lifecycles:
  default: { initial: one, states: { one: [], two: [] } }
types:
  Document: { abstract: true, lifecycle: default }
  A: { schemas: [a] }
  B: { extends: A }
`

const modelOf = (change: string) =>
  buildContentModel(
    mergeContributions(
      [
        { file: 'base.yaml', text: BASE },
        { file: 'change.yaml', text: change },
      ],
      contentModelPoints,
    ),
  )

const found = (change: string) =>
  narrowings(modelOf('{}'), modelOf(change)).map((narrowing) =>
    narrowing.kind === 'property'
      ? [narrowing.key, narrowing.field ? 'changed' : 'gone', narrowing.types.join(), narrowing.facets.join()]
      : Object.values(narrowing).map(String),
  )

test.each([
  ['nothing', '{}', []],
  ['another default', 'schemas: { a: { fields: { x: { type: string, default: d } } } }', []],
  [
    'more fields, types and states',
    'schemas: { a: { fields: { n: string } } }\ntypes: { C: {} }\nlifecycles: { default: { states: { three: [] } } }',
    [],
  ],
  ['a type that is gone', 'types: { B: { remove: true } }', [['type', 'B']]],
  ['a type that no document has any longer', 'types: { B: { abstract: true } }', [['type', 'B']]],
  ['a facet that is gone', 'facets: { F: { remove: true } }', [['facet', 'F']]],
  ['a facet without its schema', 'facets: { F: { replace: true } }', [['b:only', 'gone', '', 'F']]],
  [
    'a rule, for every type that has the field',
    'schemas: { a: { fields: { x: { type: string, maxLength: 2 } } } }',
    [['a:x', 'changed', 'A,B', '']],
  ],
  [
    'another type of field',
    'schemas: { a: { fields: { y: { type: double } } } }',
    [['a:y', 'changed', 'A,B', '']],
  ],
  [
    'a sub-field that is gone',
    'schemas: { a: { replace: true, prefix: a, fields: { x: string, y: { type: long, maximum: 5 }, z: { type: complex, fields: { p: string } } } } }',
    [['a:z', 'changed', 'A,B', '']],
  ],
  [
    'a schema that a type does without',
    'types: { B: { replace: true } }',
    [
      ['a:x', 'gone', 'B', ''],
      ['a:y', 'gone', 'B', ''],
      ['a:z', 'gone', 'B', ''],
    ],
  ],
  [
    'a state that is gone',
    'lifecycles: { default: { replace: true, initial: one, states: { one: [] } } }',
    [
      ['states', 'Document', 'one'],
      ['states', 'A', 'one'],
      ['states', 'B', 'one'],
    ],
  ],
])('%s', (_, change, expected) => {
  expect(found(change)).toEqual(expected)
})

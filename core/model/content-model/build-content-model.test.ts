import { describe, expect, test } from 'vitest'
import { securityPoints } from '../../access/security/index.js'
import { mergeContributions } from '../../platform/contributions/index.js'
import { buildContentModel, contentModelPoints, defaultContentOf } from './index.js'

const BASE = `
schemas:
  dc: { fields: { title: string } }
  dublincore:
    prefix: dc2
    fields:
      title: string
      subjects: string[]
      lines:
        type: complex[]
        fields:
          price: double
          tags: string[]
          scan: blob
  file: { fields: { content: blob } }
  note: { fields: { note: string, content: string } }
facets:
  Marked: { schemas: [note] }
  Plain:
types:
  Document: { abstract: true, lifecycle: default }
  Folder: { schemas: [dublincore], facets: [Plain] }
  File: { extends: Folder, schemas: [file], facets: [Marked] }
lifecycles:
  default: { initial: a, states: { a: [go], b: [] }, transitions: { go: b } }
`

const contribute = (...texts: string[]) =>
  mergeContributions(
    [BASE, ...texts].map((text, index) => ({ file: `${index}.yaml`, text })),
    [...contentModelPoints, ...securityPoints],
  )

const modelOf = (...texts: string[]) => buildContentModel(contribute(...texts))

const problemsOf = (text: string): string[] => {
  try {
    buildContentModel(contribute(text))
  } catch (error) {
    return (error as Error).message
      .split('\n')
      .slice(1)
      .map((line) => line.trim())
  }
  return []
}

describe('resolve', () => {
  const model = modelOf()

  test.each([
    ['dc2:title', 'dc2:title', [], 'string', false],
    ['dc2:subjects', 'dc2:subjects', [], 'string', true],
    ['dc2:subjects/0', 'dc2:subjects', [0], 'string', false],
    ['dc2:subjects/*', 'dc2:subjects', ['*'], 'string', false],
    ['dc2:lines/*1/price', 'dc2:lines', ['*1', 'price'], 'double', false],
    ['dc2:lines/3', 'dc2:lines', [3], 'complex', false],
    ['dc2:lines/3/tags', 'dc2:lines', [3, 'tags'], 'string', true],
    ['dc2:lines/3/tags/2', 'dc2:lines', [3, 'tags', 2], 'string', false],
    ['dc2:lines/line[3]/scan', 'dc2:lines', [3, 'scan'], 'blob', false],
    ['dc2:lines/0/scan/length', 'dc2:lines', [0, 'scan', 'length'], 'long', false],
    ['file:content', 'file:content', [], 'blob', false],
    ['content', 'file:content', [], 'blob', false],
    ['content/mime-type', 'file:content', ['mime-type'], 'string', false],
    ['file:content/data', 'file:content', ['digest'], 'string', false],
    ['note', 'note:note', [], 'string', false],
    ['dc:title', 'dc:title', [], 'string', false],
  ] as const)('%s', (xpath, key, steps, type, isList) => {
    const resolved = model.resolve(xpath)!
    expect(resolved).toMatchObject({ key, field: { type, isList } })
    expect(resolved.steps).toEqual(steps)
    expect(resolved.xpath).toBe([key, ...steps].join('/'))
    expect(model.resolve(xpath)).toBe(resolved)
  })

  test.each([
    '',
    'dublincore:title',
    'dc2:titel',
    'dc2:title/0',
    'dc2:subjects/x',
    'dc2:subjects/-1',
    'dc2:subjects/9999999999',
    'dc2:lines/price',
    'dc2:lines/0/price/x',
    'file:content/bytes',
    'file:content/',
    '__proto__',
    'constructor',
    'dc2:__proto__',
    'dc2:lines/0/constructor',
    `dc2:${'x'.repeat(100_000)}`,
  ])('knows nothing of %.40s', (xpath) => {
    expect(model.resolve(xpath)).toBeUndefined()
  })

  test('answers the same after more questions than it remembers', () => {
    for (let index = 0; index < 10_000; index++)
      expect(model.resolve(`dc2:subjects/${index}`)?.steps).toEqual([index])
    expect(model.resolve('dc2:title')?.key).toBe('dc2:title')
  })
})

describe('types and facets', () => {
  test('a subtype has what its parents and facets bring', () => {
    expect(modelOf().types.get('File')).toEqual({
      name: 'File',
      parent: 'Folder',
      schemas: ['dublincore', 'file', 'note'],
      facets: ['Plain', 'Marked'],
      allowedChildren: [],
      lifecycle: 'default',
    })
  })

  test.each([
    ['Document', ['Document', 'Folder', 'File']],
    ['Folder', ['Folder', 'File']],
    ['File', ['File']],
    ['Nothing', []],
  ])('subtypes of %s', (type, subtypes) => {
    expect(modelOf().subtypes(type)).toEqual(subtypes)
  })

  test.each([
    ['Folder', [], ['dublincore'], ['Plain']],
    ['Folder', ['Marked', 'Unheard'], ['dublincore', 'note'], ['Plain', 'Marked', 'Unheard']],
    ['Nothing', ['Marked'], ['note'], ['Marked']],
    ['Nothing', [], [], []],
  ])('a %s with %j', (type, own, schemas, facets) => {
    const model = modelOf()
    expect(model.schemasOf(type, own).map(({ name }) => name)).toEqual(schemas)
    expect(model.facetsOf(type, own)).toEqual(facets)
    if (model.types.has(type)) expect(model.schemasOf(type, own)).toBe(model.schemasOf(type, [...own]))
  })

  test('a later file adds to a type and overrides single keys', () => {
    const model = modelOf(`
types: { File: { facets: [Plain], schemas: [dc], lifecycle: other } }
lifecycles: { other: { initial: a, states: { a: [] } }, default: { states: { b: [back] }, transitions: { back: { to: a, description: Back } } } }
schemas: { dublincore: { fields: { title: { type: string, maxLength: 5 } } } }`)
    expect(model.types.get('File')).toMatchObject({
      schemas: ['dublincore', 'file', 'dc', 'note'],
      lifecycle: 'other',
    })
    expect(model.lifecycles.get('default')!.states.get('b')!.transitions).toEqual(['back'])
    expect(model.lifecycles.get('default')!.transitions.get('back')).toEqual({
      name: 'back',
      to: 'a',
      description: 'Back',
    })
    expect(model.schemas.get('dublincore')!.fields.get('title')!.constraints).toEqual({ maxLength: 5 })
    expect(model.schemas.get('dublincore')!.fields.get('subjects')!.isList).toBe(true)
  })
})

describe('what does not fit together', () => {
  test.each([
    [
      'schemas: { s: { fields: { c: { type: long, pattern: x } } } }',
      '1.yaml:1:53 schemas.s.fields.c.pattern: only string fields have "pattern"',
    ],
    [
      'schemas: { s: { fields: { c: { type: string, minimum: 1 } } } }',
      '1.yaml:1:55 schemas.s.fields.c.minimum: a number for long and double fields, a date such as 2024-12-31 for date fields',
    ],
    [
      "schemas: { s: { fields: { c: { type: date, maximum: '31.12.2024' } } } }",
      '1.yaml:1:53 schemas.s.fields.c.maximum: a number for long and double fields, a date such as 2024-12-31 for date fields',
    ],
    [
      'schemas: { s: { fields: { c: { type: long, minimum: 2, maximum: 1 } } } }',
      '1.yaml:1:65 schemas.s.fields.c.maximum: below the minimum',
    ],
    [
      'schemas: { s: { fields: { c: { type: date, default: yesterday } } } }',
      '1.yaml:1:53 schemas.s.fields.c.default: does not fit the type of the field',
    ],
    [
      'schemas: { s: { fields: { c: { type: "long[]", default: [x] } } } }',
      '1.yaml:1:48 schemas.s.fields.c.default: does not fit the type of the field',
    ],
    [
      'schemas: { s: { fields: { c: { type: long, resolver: user } } } }',
      '1.yaml:1:54 schemas.s.fields.c.resolver: only string fields have "resolver"',
    ],
    [
      'types: { A: { extends: Fil } }',
      '1.yaml:1:24 types.A.extends: "Fil" is not among the types, did you mean "File"?',
    ],
    [
      'types: { A: { extends: B }, B: { extends: A } }',
      '1.yaml:1:24 types.A.extends: extends itself: A > B > A',
    ],
    [
      'types: { Document: { extends: File } }',
      '1.yaml:1:31 types.Document.extends: Document extends nothing',
    ],
    [
      'facets: { F: { schemas: [nope] } }',
      '1.yaml:1:26 facets.F.schemas[0]: "nope" is not among the schemas, did you mean "note"?',
    ],
    ['lifecycles: { l: { states: { a: [] } } }', '1.yaml:1:15 lifecycles.l: needs an "initial" state'],
    [
      'lifecycles: { l: { initial: b, states: { a: [] } } }',
      '1.yaml:1:29 lifecycles.l.initial: unknown state "b", did you mean "a"?',
    ],
    [
      'lifecycles: { l: { initial: a, states: { a: [t] } } }',
      '1.yaml:1:46 lifecycles.l.states.a[0]: unknown transition "t"',
    ],
    [
      'permissions: { A: { includes: [B] }, B: { includes: [A] } }',
      '1.yaml:1:21 permissions.A.includes: includes itself',
    ],
    [
      'permissions: { A: { includes: [C] } }',
      '1.yaml:1:32 permissions.A.includes[0]: "C" is not among the permissions, did you mean "A"?',
    ],
    [
      'schemas: { more: { prefix: dc2, fields: { title: long } } }',
      '1.yaml:1:50 schemas.more.fields.title: schema "dublincore" has the property dc2:title already',
    ],
    [
      'schemas: { s: { fields: { c: complex } } }',
      '1.yaml:1:30 schemas.s.fields.c: a complex field needs "fields"',
    ],
    [
      'schemas: { s: { fields: { c: { type: string, fields: { a: string } } } } }',
      '1.yaml:1:46 schemas.s.fields.c.fields: only complex fields have sub-fields',
    ],
    [
      'schemas: { s: { fields: { c: { type: string, pattern: "(" } } } }',
      '1.yaml:1:55 schemas.s.fields.c.pattern: not a regular expression',
    ],
    [
      'schemas: { s: { fields: { c: { type: long, default: x } } } }',
      '1.yaml:1:53 schemas.s.fields.c.default: does not fit the type of the field',
    ],
    ['schemas: { s: { fields: { __proto__: string } } }', '1.yaml:1:27 the name __proto__ is not allowed'],
    [
      'defaultContent: { /a: { type: Folder } }',
      '1.yaml:1:19 defaultContent./a: its parent / is not among the default content',
    ],
    ['defaultContent: { /: {} }', '1.yaml:1:19 defaultContent./: needs a "type"'],
    [
      'groups: { g: { groups: [h] } }',
      '1.yaml:1:25 groups.g.groups[0]: "h" is not among the groups, did you mean "g"?',
    ],
    ['users: { u: { groups: [h] } }', '1.yaml:1:24 users.u.groups[0]: "h" is not among the groups'],
  ])('%s', (text, problem) => {
    expect(problemsOf(text)).toContain(problem)
  })

  test('a deployment without the base type', () => {
    const contributions = mergeContributions(
      [{ file: 'a.yaml', text: 'types: { A: {} }' }],
      [...contentModelPoints, ...securityPoints],
    )
    expect(() => buildContentModel(contributions)).toThrow('types: "Document" is missing')
  })
})

test('default content comes in order of depth, whatever its order in the files', () => {
  const content = defaultContentOf(
    contribute(
      'defaultContent: { /a/b: { type: File, acl: [{ deny: X, to: Everyone }] }, /: { type: Folder }, /a: { type: Folder } }\npermissions: { X: }',
    ),
  )
  expect(content.map(({ path }) => path)).toEqual(['/', '/a', '/a/b'])
  expect(content[2]!.acl).toEqual([{ username: 'Everyone', permission: 'X', granted: false }])
})

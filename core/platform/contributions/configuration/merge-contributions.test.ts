import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { isArchivoltError } from '../../errors/index.js'
import {
  defineExtensionPoint,
  jsonSchemaOf,
  mergeAddingToLists,
  mergeContributions,
  readConfiguration,
} from '../index.js'

const shelves = defineExtensionPoint({
  point: 'shelves',
  schema: z.strictObject({
    label: z.string().optional(),
    size: z.strictObject({ width: z.number().optional(), height: z.number().optional() }).optional(),
    tags: z.array(z.string()).default([]),
  }),
})
const books = defineExtensionPoint({
  point: 'books',
  schema: z
    .strictObject({ shelf: z.string(), tags: z.array(z.string()).default([]) })
    .partial({ shelf: true }),
  merge: mergeAddingToLists,
  references: ({ shelf }) =>
    shelf === undefined ? [] : [{ path: ['shelf'], point: 'shelves', name: shelf }],
  check: ({ tags }, { name, all }) =>
    tags.flatMap((tag, index) =>
      all.has(tag)
        ? [{ path: ['tags', index], value: tag, message: `${name} is tagged with the book ${tag}` }]
        : [],
    ),
})
const points = [shelves, books]

const merge = (...texts: string[]) =>
  mergeContributions(
    texts.map((text, index) => ({ file: `${index}.yaml`, text })),
    points,
  )

const problemsOf = (...texts: string[]): string[] => {
  try {
    merge(...texts)
  } catch (error) {
    if (!isArchivoltError(error)) throw error
    expect(error.code).toBe('invalid')
    expect(error.message.split('\n')).toHaveLength(error.details.length + 1)
    return error.message
      .split('\n')
      .slice(1)
      .map((line) => line.trim())
  }
  return []
}

describe('merging', () => {
  test.each([
    ['a name alone', ['shelves: { a: }'], { tags: [] }],
    [
      'later keys win',
      ['shelves: { a: { label: x, tags: [p] } }', 'shelves: { a: { label: y } }'],
      { label: 'y', tags: ['p'] },
    ],
    [
      'maps are joined',
      ['shelves: { a: { size: { width: 1, height: 2 } } }', 'shelves: { a: { size: { height: 3 } } }'],
      { size: { width: 1, height: 3 }, tags: [] },
    ],
    [
      'lists are replaced',
      ['shelves: { a: { tags: [p, q] } }', 'shelves: { a: { tags: [r] } }'],
      { tags: ['r'] },
    ],
    [
      'replace starts afresh',
      ['shelves: { a: { label: x } }', 'shelves: { a: { replace: true, tags: [r] } }'],
      { tags: ['r'] },
    ],
    ['remove takes away', ['shelves: { a: { label: x } }', 'shelves: { a: { remove: true } }'], undefined],
    [
      'removed and made again',
      ['shelves: { a: { label: x } }', 'shelves: { a: { remove: true } }', 'shelves: { a: { tags: [r] } }'],
      { tags: ['r'] },
    ],
    ['disabled', ['shelves: { a: { label: x } }', 'shelves: { a: { enabled: false } }'], undefined],
    [
      'disabled and enabled',
      ['shelves: { a: { label: x, enabled: false } }', 'shelves: { a: { enabled: true } }'],
      { label: 'x', tags: [] },
    ],
  ])('%s', (_, texts, content) => {
    expect(
      merge(...texts)
        .get(shelves)
        .get('a'),
    ).toEqual(content)
  })

  test('a point may add to lists instead', () => {
    const merged = merge('books: { b: { tags: [p, q] } }', 'books: { b: { tags: [q, r] } }')
    expect(merged.get(books).get('b')).toEqual({ tags: ['p', 'q', 'r'] })
  })

  test('empty files and empty points contribute nothing', () => {
    expect([...merge('', 'shelves:', '# only a comment').get(shelves)]).toEqual([])
  })
})

describe('problems', () => {
  test.each([
    [
      'unknown point',
      ['shelfs: {}'],
      '0.yaml:1:1 shelfs: unknown extension point "shelfs", did you mean "shelves"?',
    ],
    [
      'unknown key',
      ['shelves:\n  a:\n    lable: x'],
      '0.yaml:3:5 shelves.a.lable: unknown key "lable", did you mean "label"?',
    ],
    [
      'misspelt control',
      ['shelves: { a: { remov: true } }'],
      '0.yaml:1:17 shelves.a.remov: unknown key "remov", did you mean "remove"?',
    ],
    [
      'wrong control',
      ['shelves: { a: { remove: maybe } }'],
      '0.yaml:1:25 shelves.a.remove: expected boolean, received string',
    ],
    [
      'wrong type',
      ['', 'shelves: { a: { label: 5 } }'],
      '1.yaml:1:24 shelves.a.label: expected string, received number',
    ],
    ['no map of names', ['shelves: [a]'], '0.yaml:1:1 shelves: expected a map of contributions by name'],
    ['no map of points', ['- a'], '0.yaml:1:1 expected a map of extension points'],
    [
      'content that is no map',
      ['shelves: { a: 5 }'],
      '0.yaml:1:15 shelves.a: expected object, received number',
    ],
    [
      'nothing to remove',
      ['shelves: { ab: }', 'shelves: { ac: { remove: true } }'],
      '1.yaml:1:12 shelves.ac: nothing named "ac" to remove, did you mean "ab"?',
    ],
    [
      'dangling reference',
      ['books: { b: { shelf: up } }', 'shelves: { upp: }'],
      '0.yaml:1:22 books.b.shelf: "up" is not among the shelves, did you mean "upp"?',
    ],
    [
      'reference to what was removed',
      ['shelves: { a: }\nbooks: { b: { shelf: a } }', 'shelves: { a: { remove: true } }'],
      '0.yaml:2:22 books.b.shelf: "a" is not among the shelves',
    ],
    [
      'reference in the later of two files',
      ['shelves: { a: }\nbooks: { b: { shelf: a } }', 'books: { b: { shelf: c } }'],
      '1.yaml:1:22 books.b.shelf: "c" is not among the shelves, did you mean "a"?',
    ],
    [
      'a shifted list item, found in its file',
      ['books: { b: { tags: [p, q] }, c: }', 'books: { b: { tags: [r, c] } }'],
      '1.yaml:1:25 books.b.tags[1]: b is tagged with the book c',
    ],
    ['a syntax error', ['books: {}', 'shelves:\n\ta: 1'], '1.yaml:2:1 Tabs are not allowed as indentation'],
  ])('%s', (_, texts, problem) => {
    expect(problemsOf(...texts)).toEqual([problem])
  })

  test('of all files are reported at once', () => {
    expect(problemsOf('shelves: { a: 5 }', 'nope: 1', 'shelves: {')).toHaveLength(3)
  })

  test('a dangling reference that a later file corrects is none', () => {
    expect(
      problemsOf('books: { b: { shelf: gone } }', 'shelves: { here: }\nbooks: { b: { shelf: here } }'),
    ).toEqual([])
  })
})

test('the JSON Schema of a point knows the controls too', () => {
  const schema = jsonSchemaOf(shelves)
  expect(Object.keys(schema.properties as object)).toEqual([
    'remove',
    'replace',
    'enabled',
    'label',
    'size',
    'tags',
  ])
  expect(schema.required).toBeUndefined()
})

describe('folders', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'contributions-'))
    await mkdir(join(folder, 'defaults'))
    await mkdir(join(folder, 'own'))
    await writeFile(join(folder, 'defaults', 'b.yaml'), 'shelves: { a: { label: b } }')
    await writeFile(join(folder, 'defaults', 'a.yaml'), 'shelves: { a: { label: a, tags: [x] } }')
    await writeFile(join(folder, 'defaults', 'readme.md'), 'shelves: nonsense')
    await writeFile(join(folder, 'own', 'c.yml'), 'shelves: { c: { label: c } }')
  })
  afterAll(() => rm(folder, { recursive: true }))

  test('are read in order, files by name, what is deployed last', async () => {
    const files = await readConfiguration([join(folder, 'defaults'), join(folder, 'own')])
    const deployed = { file: 'shelves/c', text: 'tags: [z]', contributes: { point: 'shelves', name: 'c' } }
    const contributions = mergeContributions([...files, deployed], points)
    expect(Object.fromEntries(contributions.get(shelves))).toEqual({
      a: { label: 'b', tags: ['x'] },
      c: { label: 'c', tags: ['z'] },
    })
  })

  test('that are missing are named', async () => {
    const missing = join(folder, 'missing')
    await expect(readConfiguration([missing])).rejects.toThrow(
      `The configuration folder ${missing} cannot be read`,
    )
  })
})

const many = (of: (index: number) => string): string =>
  Array.from({ length: 5_000 }, (_, n) => of(n)).join(', ')

test.each([
  ['odd keys', `shelves: { a: { ${many((n) => `lable${n}: x`)} } }`],
  ['odd values', `shelves: { a: { tags: [${many((n) => `${n}`)}] } }`],
  ['what rules refuse', `books: { a: { tags: [${many(() => 'a')}] } }`],
  ['names of nothing', `rooms: { a: { shelves: [${many((n) => `shelf${n}`)}] } }`],
])('of thousands of %s only as many are compared and reported as help', (_, text) => {
  const rooms = defineExtensionPoint({
    point: 'rooms',
    schema: z.strictObject({ shelves: z.array(z.string()) }),
    references: (room) =>
      room.shelves.map((name, index) => ({ path: ['shelves', index], point: 'shelves', name })),
  })
  const refusal = () => mergeContributions([{ file: 'a.yaml', text }], [...points, rooms])
  expect(refusal).toThrow(expect.objectContaining({ code: 'invalid' }))
  try {
    refusal()
  } catch (error) {
    if (!isArchivoltError(error)) throw error
    expect(error.details).toHaveLength(100)
  }
})

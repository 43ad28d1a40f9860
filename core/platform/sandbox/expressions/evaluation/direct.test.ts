import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { principalOf } from '../../../../access/security/principal.js'
import type { ExpressionEngine, ExpressionScope, HostDocument } from '../types.js'
import { directOf } from './direct.js'
import { createExpressionEngine } from './engine.js'

const properties: Record<string, unknown> = { 'dc:title': 'Report', 'dc:nature': null, 'my:count': 3 }
const document: HostDocument = {
  id: 'doc-1',
  name: 'report',
  path: '/ws/report',
  type: 'File',
  facets: [],
  schemas: [],
  state: 'project',
  versionLabel: null,
  isProxy: false,
  isVersion: false,
  lockOwner: null,
  lockCreated: null,
  isFolder: false,
  get: (property) => properties[property] ?? null,
}
const scope: ExpressionScope = {
  document,
  input: document,
  variables: {
    s: 'Text',
    n: 5,
    blank: '',
    none: null,
    class: 'word',
    empty: 'own',
    half: '\ud800',
    nul: 'a\0b',
    long: 'x'.repeat(2_000),
    Document: 'a variable',
    ChainParameters: { key: 'value', 'dotted.name': 'dotted', count: 2, size: 'large' },
  },
  principal: principalOf('bob', ['members'], false),
  now: new Date(0),
  env: {},
}
const most = 1_000

let engine: ExpressionEngine
beforeAll(async () => {
  engine = await createExpressionEngine({ valueLength: most })
})
afterAll(() => engine.dispose())

/** A hole with a literal is for the sandbox, and adds nothing. */
const inSandbox = (source: string): Promise<unknown> =>
  source.includes('@{') ? engine.evaluateValue(`expr:${source}@{""}`, scope) : engine.evaluate(source, scope)

describe('what only names texts', () => {
  test.each([
    's',
    ' s ',
    'blank',
    'empty',
    'nul',
    'ChainParameters["key"]',
    "ChainParameters[ 'key' ]",
    'ChainParameters.key',
    'ChainParameters["dotted.name"]',
    'ChainParameters.size',
    'CurrentUser.name',
    'currentUser["name"]',
    'Document.name',
    'Document["path"]',
    'Document.title',
    'Document["dc:title"]',
    'currentDocument["dc:title"]',
    '@{Document.name} of @{CurrentUser.name}',
    'before @{s}',
    '@{s}@{blank}',
  ])('%s is read as the sandbox gives it', async (source) => {
    const read = directOf(source, { most })?.(scope)
    expect(read).toBeTypeOf('string')
    expect(read).toBe(await inSandbox(source))
  })
})

describe('all else is left to the sandbox', () => {
  test.each([
    ['no text', 'n'],
    ['null', 'none'],
    ['no text of a parameter', 'ChainParameters.count'],
    ['a parameter that is not there', 'ChainParameters.missing'],
    ['what an object is made of', 'ChainParameters["constructor"]'],
    ['a prototype', 'ChainParameters["__proto__"]'],
    ['a name that is not there', 'missing'],
    ['a word of the language', 'class'],
    ['a document', 'Document'],
    ['a question', 'Document.parent'],
    ['a method', 'Document["getFoo:bar"]'],
    ['a property without a value', 'Document["dc:nature"]'],
    ['a number', 'Document["my:count"]'],
    ['a call', 's.toUpperCase()'],
    ['a third name', 'Document["dc:title"].length'],
    ['an operator', 's + s'],
    ['a literal', '"s"'],
    ['half a character', 'half'],
    ['a text over the limit', 'long'],
    ['texts over the limit together', '@{ChainParameters.key}'.repeat(250)],
    ['a part of a template that is more', '@{s} @{n}'],
    ['a template without an end', '@{s'],
    ['names of the user that take a question', 'CurrentUser.email'],
  ])('%s', (_, source) => {
    expect(directOf(source, { most })?.(scope)).toBeUndefined()
  })

  test('a parameter of a chain says the same either way', async () => {
    expect(await engine.evaluateValue('expr:n', scope)).toBe(5)
    expect(await engine.evaluateValue('expr:@{s} &amp; @{n}', scope)).toBe('Text & 5')
    await expect(engine.evaluateValue('expr:long', scope)).rejects.toThrow('larger than the limit')
    await expect(engine.evaluateValue('expr:@{s', scope)).rejects.toThrow('cannot be read')
  })
})

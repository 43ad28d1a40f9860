import { describe, expect, test } from 'vitest'
import { mergeContributions } from '../../platform/contributions/index.js'
import { buildContentModel, contentModelPoints } from './index.js'

const YAML = `
schemas:
  dublincore: { prefix: dc, fields: { title: string, description: string, subjects: 'string[]', created: date } }
  file: { fields: { content: blob } }
  invoice:
    prefix: inv
    fields:
      number: string
      lines: { type: 'complex[]', fields: { label: string, price: double, scan: blob } }
facets:
  NotFulltextIndexable:
  Billed: { schemas: [invoice] }
lifecycles:
  default: { initial: project, states: { project: [] } }
types:
  Document: { lifecycle: default }
  File: { schemas: [dublincore, file] }
  Invoice: { schemas: [dublincore, invoice] }
  Secret: { schemas: [dublincore], facets: [NotFulltextIndexable] }
  constructor: { schemas: [dublincore] }
`

const build = (fulltext: string) =>
  buildContentModel(
    mergeContributions([{ file: 'model.yaml', text: `${YAML}\nfulltext:\n${fulltext}` }], contentModelPoints),
  ).fulltext

const ownedBy = (fulltext: string, owner: string) =>
  build(fulltext).fields.find((fields) => fields.owner === owner)

const TITLE = '  title: { fields: [dc:title], weight: A }'

describe('what is indexed', () => {
  test('every string, by weight, and the names of files', () => {
    expect(ownedBy(TITLE, 'type:File')).toEqual({
      owner: 'type:File',
      a: ['dc:title'],
      b: [],
      c: ['dc:description', 'dc:subjects'],
      nested: [{ key: 'file:content', path: '$."file:content"."name"' }],
    })
    expect(ownedBy(TITLE, 'type:Invoice')?.nested).toEqual([
      { key: 'inv:lines', path: '$."inv:lines"[*]."label"' },
      { key: 'inv:lines', path: '$."inv:lines"[*]."scan"."name"' },
    ])
  })

  test('what a facet adds to a document', () => {
    expect(ownedBy(TITLE, 'facet:Billed')).toMatchObject({ a: [], c: ['inv:number'], nested: { length: 2 } })
  })

  test('nothing of types that say so', () => {
    expect(ownedBy(TITLE, 'type:Secret')).toBeUndefined()
    expect(ownedBy('  default: { excludedTypes: [File] }', 'type:File')).toBeUndefined()
  })

  test('less where properties are left out or named', () => {
    const excluded = '  default: { excludedFields: [dc:subjects, inv:lines/*/scan] }'
    expect(ownedBy(excluded, 'type:Invoice')).toMatchObject({
      c: ['dc:title', 'dc:description', 'inv:number'],
      nested: [{ path: '$."inv:lines"[*]."label"' }],
    })
    const named = `  default: { fields: [dc:subjects], types: { Invoice: [inv:number, inv:lines] } }\n${TITLE}`
    expect(ownedBy(named, 'type:File')).toMatchObject({ a: ['dc:title'], c: ['dc:subjects'], nested: [] })
    expect(ownedBy(named, 'type:Invoice')).toMatchObject({ c: ['inv:number'], nested: { length: 2 } })
  })

  test('types that are called like what every object has', () => {
    expect(ownedBy(TITLE, 'type:constructor')).toMatchObject({
      a: ['dc:title'],
      c: ['dc:description', 'dc:subjects'],
    })
  })

  test('indexes by name', () => {
    expect([...build(TITLE).indexes]).toEqual([
      ['default', { weight: null, fields: [] }],
      ['title', { weight: 'A', fields: ['dc:title'] }],
    ])
  })
})

test.each([
  ['  title: { fields: [dc:nope], weight: A }', 'fulltext.title: no such property: dc:nope'],
  ['  dates: { fields: [dc:created], weight: A }', 'fulltext.dates: dc:created has no text'],
  ['  lines: { fields: [inv:lines], weight: B }', 'is no property of its own'],
  ['  title: { fields: [dc:title] }', 'must be A or B'],
  ['  title: { weight: A }', 'needs "fields"'],
  [`${TITLE}\n  other: { fields: [dc:description], weight: A }`, 'is the weight of "'],
  ['  default: { weight: A }', 'default has the weight C'],
  ['  default: { excludedTypes: [Nope] }', 'Nope'],
])('%s is refused', (fulltext, message) => expect(() => build(fulltext)).toThrow(message))

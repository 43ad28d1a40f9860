import { describe, expect, test } from 'vitest'
import { readArchivedDocument } from './archived-document.js'
import { transformersOf } from './transformers.js'

const XML = `<document repository="default" id="a">
  <system><type>File</type><path>a</path><facet>Versionable</facet><facet>Old</facet></system>
  <schema name="file" xmlns:file="x"><file:content/></schema>
  <schema name="dublincore" xmlns:dc="x"><dc:title>one</dc:title><dc:description>two</dc:description></schema>
</document>`

const transformed = (...list: object[]) => transformersOf(list)(readArchivedDocument('document.xml', XML))

/** Schemas with prefix, and the texts of their fields. */
const shown = (document: ReturnType<typeof transformed>) =>
  Object.fromEntries(
    document.schemas.map(({ name, prefix, fields }) => [
      `${name}/${prefix}`,
      Object.fromEntries(fields.map((field) => [field.name, field.node.text])),
    ]),
  )

const FILE = { 'file/file': { content: '' } }
const DUBLINCORE = { 'dublincore/dc': { title: 'one', description: 'two' } }

test('without a transformer a document is what the archive says', () => {
  expect(shown(transformed())).toEqual({ ...FILE, ...DUBLINCORE })
})

test('DoctypeToFacetTranslator gives documents of a type another one, and a facet', () => {
  const args = { docType: 'File', newDocType: 'Note', facet: 'Filed' }
  const changed = transformed({ name: 'DoctypeToFacetTranslator', ...args })
  expect([changed.type, changed.facets]).toEqual(['Note', ['Versionable', 'Old', 'Filed']])
  const other = transformed({ name: 'DoctypeToFacetTranslator', ...args, docType: 'Folder' })
  expect([other.type, other.facets]).toEqual(['File', ['Versionable', 'Old']])
})

test.each([
  [{ docType: null }, ['Versionable']],
  [{}, ['Versionable']],
  [{ docType: 'File' }, ['Versionable']],
  [{ docType: 'Folder' }, ['Versionable', 'Old']],
])('FacetRemover with %j', (args, facets) => {
  expect(transformed({ name: 'FacetRemover', facet: 'Old', ...args }).facets).toEqual(facets)
})

test.each([
  [{ schema: 'file' }, DUBLINCORE],
  [
    { docType: 'Folder', schema: 'file' },
    { ...FILE, ...DUBLINCORE },
  ],
  [{ schema: 'FILE' }, { ...FILE, ...DUBLINCORE }],
])('SchemaRemover with %j', (args, schemas) => {
  expect(shown(transformed({ name: 'SchemaRemover', ...args }))).toEqual(schemas)
})

test('SchemaRenamer renames a schema in any case, and its prefix', () => {
  const renamed = transformed({ name: 'SchemaRenamer', src: 'DublinCore', dst: 'about', dstPrefix: 'ab' })
  expect(shown(renamed)).toEqual({ ...FILE, 'about/ab': DUBLINCORE['dublincore/dc'] })
  const plain = transformed({ name: 'SchemaRenamer', src: 'dublincore', dst: 'about' })
  expect(shown(plain)).toEqual({ ...FILE, 'about/about': DUBLINCORE['dublincore/dc'] })
})

describe('FieldMapper', () => {
  const source = { srcSchema: 'dublincore', srcField: 'title' }

  test.each([
    [
      'moves a value',
      { dstSchema: 'file', dstField: 'name' },
      { content: '', name: 'one' },
      { description: 'two' },
    ],
    ['creates a schema', { dstSchema: 'new', dstField: 'new:name' }, { content: '' }, { description: 'two' }],
    ['deletes without a target', { dstField: null }, { content: '' }, { description: 'two' }],
    ['appends text', { dstField: 'dc:description' }, { content: '' }, { description: 'twoone' }],
    [
      'ignores what is not there',
      { srcField: 'rights', dstField: 'title' },
      { content: '' },
      DUBLINCORE['dublincore/dc'],
    ],
  ])('%s', (_, args, file, dublincore) => {
    const mapped = shown(transformed({ name: 'FieldMapper', ...source, ...args }))
    expect(mapped['file/file']).toEqual(file)
    expect(mapped['dublincore/dc']).toEqual(dublincore)
    expect(mapped['new/new']).toEqual(
      'dstSchema' in args && args.dstSchema === 'new' ? { name: 'one' } : undefined,
    )
  })
})

test('each takes what the one before it has left', () => {
  const changed = transformed(
    { name: 'SchemaRenamer', src: 'dublincore', dst: 'about' },
    { name: 'FieldMapper', srcSchema: 'about', srcField: 'about:title', dstSchema: 'file', dstField: 'name' },
    { name: 'SchemaRemover', schema: 'about' },
  )
  expect(shown(changed)).toEqual({ 'file/file': { content: '', name: 'one' } })
})

test.each([
  [[{ name: 'Nothing' }], /unknown transformer 'Nothing'; there are DoctypeToFacetTranslator/],
  [[{ name: 'FacetRemover' }], /FacetRemover: facet/],
  [[{ name: 'FacetRemover', facet: 'A', facets: 'B' }], /FacetRemover: .*facets/],
  ['FacetRemover', /must be a list of maps/],
  [[{}], /must be a list of maps with a name: 0: name/],
])('%j is refused', (given, message) => {
  expect(() => transformersOf(given)).toThrow(message)
})

test('a field that stands there sixty thousand times is joined once', () => {
  const fields = '<f>x<b/></f>'.repeat(60_000)
  const document = readArchivedDocument(
    'document.xml',
    `<document><system><type>Note</type></system><schema name="old">${fields}</schema></document>`,
  )
  const begun = performance.now()
  const mapping = { name: 'FieldMapper', srcSchema: 'old', srcField: 'f', dstSchema: 'new', dstField: 'g' }
  const { schemas } = transformersOf([mapping])(document)
  expect(performance.now() - begun).toBeLessThan(5_000)
  const [field] = schemas.find(({ name }) => name === 'new')?.fields ?? []
  expect([field?.node.text.length, field?.node.children.length]).toEqual([60_000, 60_000])
})

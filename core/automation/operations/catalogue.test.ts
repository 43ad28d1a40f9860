import { describe, expect, it } from 'vitest'
import type { Operation } from '../language/index.js'
import { collectionsRows } from './catalogue/collections.fixture.js'
import { directoriesRows } from './catalogue/directories.fixture.js'
import { documentsRows } from './catalogue/documents.fixture.js'
import { executionRows } from './catalogue/execution.fixture.js'
import { fetchRows } from './catalogue/fetch.fixture.js'
import { fileManagerRows } from './catalogue/file-manager.fixture.js'
import { filesRows } from './catalogue/files.fixture.js'
import { identityRows } from './catalogue/identity.fixture.js'
import { mediaRows } from './catalogue/media.fixture.js'
import { permissionsRows } from './catalogue/permissions.fixture.js'
import type { Row } from './catalogue/row.fixture.js'
import { scriptingRows } from './catalogue/scripting.fixture.js'
import { servicesRows } from './catalogue/services.fixture.js'
import { workflowRows } from './catalogue/workflow.fixture.js'
import { operations } from './index.js'

/** Types that today's Python client knows; any other one makes it fail (reference: automation.md §2). */
const WIRE_TYPES = new Set(
  'blob boolean date document documents int integer long list map object properties resource serializable string stringlist validationmethod'.split(
    ' ',
  ),
)

const signatureOf = ({ methods }: Operation): string =>
  methods.map(({ input, output, iterates }) => `${input}${iterates ? '*' : ''}>${output}`).join(' ')

const parametersOf = ({ params }: Operation): string =>
  Object.entries(params)
    .map(([name, { type, isRequired, default: otherwise, aliases = [] }]) => {
      const names = [name, ...aliases].join('~')
      const fallback = otherwise === undefined ? '' : `=${otherwise}`
      return `${names}:${type}${isRequired ? '*' : ''}${fallback}`
    })
    .join(' ')

/** The rows of reference: automation.md §11, by family. */
const ROWS: readonly Row[] = [
  ...collectionsRows,
  ...directoriesRows,
  ...documentsRows,
  ...executionRows,
  ...fetchRows,
  ...fileManagerRows,
  ...filesRows,
  ...identityRows,
  ...mediaRows,
  ...permissionsRows,
  ...scriptingRows,
  ...servicesRows,
  ...workflowRows,
]

const find = (id: string): Operation | undefined => operations.find((operation) => operation.id === id)

describe('the catalogue of operations', () => {
  it.each(ROWS)('%s', (names, label, category, signature, parameters) => {
    const [id = '', ...aliases] = names.split(' ')
    const operation = find(id)!
    expect(operation).toMatchObject({ label, category })
    expect(operation.aliases ?? []).toEqual(aliases)
    expect(signatureOf(operation)).toBe(signature)
    expect(parametersOf(operation)).toBe(parameters)
  })

  it('has a row here for every operation', () => {
    expect(operations.map(({ id }) => id).sort()).toEqual(ROWS.map(([names]) => names.split(' ')[0]).sort())
  })

  it('gives no two operations the same id or alias', () => {
    const names = operations.flatMap(({ id, aliases = [] }) => [id, ...aliases])
    expect(names.filter((name, position) => names.indexOf(name) !== position)).toEqual([])
  })

  it.each(operations)('$id can be described to every client', ({ description, params }) => {
    expect(description).toMatch(/^[A-Z].*\.$/)
    const unknown = Object.values(params).filter(({ type }) => !WIRE_TYPES.has(type))
    expect(unknown).toEqual([])
  })

  it('marks as slow what waits for a converter, another server or a disk', () => {
    const slow = operations.filter(({ isSlow, category }) => isSlow && category !== 'Scripting')
    expect(slow.map(({ id }) => id).sort()).toEqual([
      'Blob.BulkDownload',
      'Blob.ConcatenatePDFs',
      'Blob.Convert',
      'Blob.CreateFromURL',
      'Blob.CreateZip',
      'Blob.ExportToFS',
      'Blob.PostToURL',
      'Blob.ReadMetadata',
      'Blob.RunConverter',
      'Blob.SetMetadataFromContext',
      'Blob.SetMetadataFromDocument',
      'Blob.ToPDF',
      'Bulk.WaitForAction',
      'Document.Export',
      'Document.GetRendition',
      'Document.Import',
      'Image.Blob.Convert',
      'Image.Blob.ConvertToPDF',
      'Image.Blob.Crop',
      'Image.Blob.Resize',
      'Image.Blob.Rotate',
      'Image.Blob.Watermark',
      'Picture.Resize',
      'Pictures.DiffWithBlobs',
      'Pictures.DiffWithDocs',
      'Video.AddWatermark',
      'Video.Concat',
      'Video.Slice',
      'Video.SliceInParts',
    ])
  })

  it.each<[string, { [name: string]: boolean | string }, string | undefined]>([
    ['Context.RunOperationOnListInNewTx', {}, 'loop'],
    ['Context.RunDocumentOperationInNewTx', {}, 'transaction'],
    ['RunOperationOnList', {}, undefined],
    ['RunOperationOnList', { newTx: true }, 'loop'],
    ['RunOperationOnList', { newTx: ' TRUE ' }, 'loop'],
    ['RunOperationOnList', { newTx: 'false' }, undefined],
    ['RunDocumentOperation', { newTx: true }, 'transaction'],
    ['RunDocumentOperation', { newTx: 'expr:x' }, undefined],
    ['RunFileOperation', { newTx: 'true' }, 'transaction'],
    ['RunOperation', { newTx: true }, undefined],
  ])('cuts a chain at %s %j: %s', (id, params, expected) => {
    const { boundary, callsTarget } = find(id)!
    expect(callsTarget).toBeDefined()
    expect(typeof boundary === 'function' ? boundary(params) : boundary).toBe(expected)
  })
})

import { execFile } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { Value, Variables } from '../../../core/automation/language/index.js'
import type { BlobValue, DocumentRecord, Properties } from '../../../core/model/properties/index.js'
import {
  ANN,
  createOperationBench,
  documentOf,
  input,
  inputs,
  STRANGER,
  step,
} from '../support/operations-support.js'

const bench = await createOperationBench({ PATH: process.env.PATH })
afterAll(bench.close)

const { run, chain, read, storedBlob } = bench
const { blobs: store } = bench.platform

let file: DocumentRecord
let note: DocumentRecord
let bare: DocumentRecord

const blobOf = (value: Value): BlobValue => {
  if (value.type === 'blob') return value.blob
  throw new Error(`Not a blob: ${JSON.stringify(value)}`)
}

const blobsOf = (value: Value): readonly BlobValue[] => {
  if (value.type === 'blobs') return value.blobs
  throw new Error(`Not blobs: ${JSON.stringify(value)}`)
}

const contentOf = async (blob: BlobValue): Promise<string> => text(await store.open(blob))

const namesOf = (value: Value): (string | null)[] => blobsOf(value).map(({ name }) => name)

const refused = (message: RegExp, code = 'badRequest') => ({ code, message: expect.stringMatching(message) })

beforeEach(async () => {
  const folder = await bench.workspace()
  file = await bench.create(folder.id, 'File', 'file', {
    'file:content': await storedBlob('main', 'main.txt'),
    'files:files': [{ file: await storedBlob('one', '1.txt') }, { file: await storedBlob('two', '2.txt') }],
  })
  note = await bench.create(folder.id, 'Note', 'note', {
    'note:note': 'Hello',
    'note:mime_type': 'text/plain',
  })
  bare = await bench.create(folder.id, 'File', 'bare')
})

/** Names and contents as another program reads them. */
const unzip = async (blob: BlobValue): Promise<[string, string][]> =>
  store.withFile(blob, async (path) => {
    const script =
      'import sys,zipfile,json;z=zipfile.ZipFile(sys.argv[1]);print(json.dumps([[n,z.read(n).decode()] for n in z.namelist()]))'
    return JSON.parse((await promisify(execFile)('python3', ['-c', script, path])).stdout)
  })

describe('files of documents', () => {
  it('Document.GetBlobs gives the main file and the attached ones, of each document of a list', async () => {
    expect(namesOf(await run('Document.GetBlobs', { input: input(file) }))).toEqual([
      'main.txt',
      '1.txt',
      '2.txt',
    ])
    const all = await run('Blob.GetAll', { input: inputs(note, bare, file) })
    expect(namesOf(all)).toEqual(['note', 'main.txt', '1.txt', '2.txt'])
  })

  it.each(['Document.GetBlobs', 'Document.GetBlobsByProperty'])(
    '%s gives files to the next step, also from a list of documents',
    async (operation) => {
      const zipped = await chain([step(operation), step('Blob.CreateZip', { filename: 'all.zip' })], {
        input: inputs(file, note),
      })
      expect(blobOf(zipped).name).toBe('all.zip')
    },
  )

  it.each<[Properties, string[]]>([
    [{}, ['1.txt', '2.txt']],
    [{ xpath: 'file:content' }, ['main.txt']],
    [{ xpath: 'files:files/1/file' }, ['2.txt']],
  ])('Document.GetBlobsByProperty %j gives %j', async (params, expected) => {
    expect(namesOf(await run('Document.GetBlobsByProperty', { input: input(file), params }))).toEqual(
      expected,
    )
    expect(namesOf(await run('Blob.GetList', { input: input(bare), params: {} }))).toEqual([])
  })

  it.each<[Properties, string]>([
    [{ name: 'new.txt' }, 'file:content'],
    [{ name: 'new.txt', xpath: 'files:files/0/file' }, 'files:files/0/file'],
  ])('Document.SetBlobName %j renames', async (params, xpath) => {
    await run('Document.SetBlobName', { input: input(file), params })
    const [blob] = blobsOf(
      await run('Document.GetBlobsByProperty', { input: input(file), params: { xpath } }),
    )
    expect(blob).toMatchObject({ name: 'new.txt', 'mime-type': 'text/plain' })
    await run('Blob.SetFilename', { input: input(file), params: { ...params, name: 'not', save: false } })
    expect(await read(file.id)).toMatchObject({ systemToken: file.systemToken + 1 })
  })

  it.each<[Properties, string, number]>([
    [{}, 'file:content', 0],
    [{ xpath: 'files:files' }, 'files:files', 0],
    [{ xpath: 'files:files/0' }, 'files:files', 1],
    [{ save: false }, 'file:content', 1],
  ])('Blob.RemoveFromDocument %j', async (params, xpath, left) => {
    await run('Blob.RemoveFromDocument', { input: input(file), params })
    const found = await run('Document.GetBlobsByProperty', { input: input(file), params: { xpath } })
    expect(namesOf(found)).toHaveLength(left)
  })

  it.each<[boolean | undefined, string, string[]]>([
    [undefined, 'new.txt', ['1.txt', '2.txt', 'other.txt']],
    [false, 'main.txt', ['1.txt', '2.txt', 'new.txt', 'other.txt']],
  ])('BlobHolder.AttachOnCurrentDocument with useMainBlob %s', async (useMainBlob, main, attached) => {
    const blobs = [await storedBlob('n', 'new.txt'), await storedBlob('o', 'other.txt')]
    const variables: Variables = { currentDocument: input(file) }
    const params: Properties = useMainBlob === undefined ? {} : { useMainBlob }
    const output = await run('BlobHolder.Attach', { input: { type: 'blobs', blobs }, params, variables })
    expect(documentOf(output).id).toBe(file.id)
    expect(namesOf(await run('Blob.GetAll', { input: input(file) }))).toEqual([main, ...attached])
    const one = { input: { type: 'blob', blob: await storedBlob('x', 'x.txt') } as const, variables }
    await run('BlobHolder.AttachOnCurrentDocument', one)
    expect((await read(file.id)).properties['file:content']).toMatchObject({ name: 'x.txt' })
    await expect(run('BlobHolder.Attach', { ...one, as: ANN })).rejects.toMatchObject({ code: 'forbidden' })
    await expect(run('BlobHolder.Attach', { ...one, as: STRANGER })).rejects.toMatchObject({
      code: 'notFound',
    })
  })

  it.each<[string, Properties, RegExp]>([
    ['Document.GetBlobsByProperty', { xpath: 'dc:title' }, /xpath: 'dc:title'/],
    ['Document.GetBlobsByProperty', { xpath: 'x:y' }, /'x:y'/],
    ['Document.SetBlobName', {}, /name/],
    ['Document.SetBlobName', { name: ' ' }, /name/],
    ['Document.SetBlobName', { name: 'x', xpath: 'dc:title' }, /xpath: 'dc:title'/],
    ['Document.SetBlobName', { name: 'x', xpath: 'files:files' }, /xpath: there is no file/],
    ['Blob.RemoveFromDocument', { xpath: 'dc:title' }, /xpath: 'dc:title'/],
    ['Blob.RemoveFromDocument', { xpath: 'files:files/9' }, /files:files\/9/],
  ])('%s %j is refused', async (operation, params, message) => {
    await expect(run(operation, { input: input(file), params })).rejects.toMatchObject(refused(message))
    expect(await read(file.id)).toEqual(file)
  })

  it.each([
    ['Document.SetBlobName', { name: 'x' }],
    ['Blob.RemoveFromDocument', {}],
  ])('%s is forbidden to readers and hidden from others', async (operation, params) => {
    const call = { input: input(file), params }
    await expect(run(operation, { ...call, as: ANN })).rejects.toMatchObject({ code: 'forbidden' })
    await expect(run(operation, { ...call, as: STRANGER })).rejects.toMatchObject({ code: 'notFound' })
  })

  it('Context.FetchFile passes files on', async () => {
    const blob = await storedBlob('x')
    expect(await run('Context.FetchFile', { input: { type: 'blob', blob } })).toEqual({ type: 'blob', blob })
    const list: Value = { type: 'blobs', blobs: [blob, blob] }
    expect(await run('Context.FetchFile', { input: list })).toEqual(list)
  })
})

describe('archives', () => {
  it('Blob.CreateZip packs files, each under a name of its own', async () => {
    const blobs = [await storedBlob('1'), await storedBlob('2'), await storedBlob('3', '../x')]
    const list: Value = { type: 'blobs', blobs }
    const zip = blobOf(await run('Blob.CreateZip', { input: list, params: { filename: 'all.zip' } }))
    expect(zip).toMatchObject({ name: 'all.zip', 'mime-type': 'application/zip' })
    expect(await unzip(zip)).toEqual([
      ['a.txt', '1'],
      ['a (1).txt', '2'],
      ['.._x', '3'],
    ])
    const single = blobOf(await run('Blob.CreateZip', { input: { type: 'blob', blob: blobs[0]! } }))
    expect(single).toMatchObject({ name: 'a.txt', 'mime-type': 'application/zip' })
    await expect(run('Blob.CreateZip', { input: { type: 'blobs', blobs: [] } })).rejects.toMatchObject(
      refused(/no files/),
    )
  })

  it('Blob.BulkDownload packs the main files of documents that have one', async () => {
    const zip = blobOf(await run('Blob.BulkDownload', { input: inputs(file, bare, note) }))
    expect(zip.name).toBe('export.zip')
    expect(await unzip(zip)).toEqual([
      ['main.txt', 'main'],
      ['note', 'Hello'],
    ])
    const named = { input: inputs(file), params: { filename: 'x.zip' } }
    expect(blobOf(await run('Blob.BulkDownload', named)).name).toBe('x.zip')
    expect(await run('Blob.BulkDownload', { input: inputs(bare) })).toEqual({ type: 'void' })
  })
})

describe('documents in other forms', () => {
  it('Document.Export gives XML, or an archive of the document with its files', async () => {
    const xml = blobOf(await run('Document.Export', { input: input(file) }))
    expect(xml).toMatchObject({ name: 'document.xml', 'mime-type': 'text/xml' })
    expect(await contentOf(xml)).toContain(`<filename>main.txt</filename>`)
    const params = { exportAsZip: true }
    const zip = blobOf(await run('Document.Export', { input: input(file), params }))
    const entries = await unzip(zip)
    const folder = `${file.path?.slice(1)}`
    expect(entries.map(([name]) => name.replace(/[0-9a-f]{64}/, 'digest'))).toEqual([
      '.nuxeo-archive',
      `${folder}/`,
      `${folder}/document.xml`,
      ...Array(3).fill(`${folder}/digest.blob`),
    ])
    const files = entries.slice(3).map(([, content]) => content)
    expect(files.sort()).toEqual(['main', 'one', 'two'])
  })

  it('Document.Export gives the tree that its caller may read', async () => {
    const parent = await read(file.parentId ?? '')
    await run('Document.BlockPermissionInheritance', { input: input(note) })
    const params = { exportAsTree: true }
    const zip = blobOf(await run('Document.Export', { input: input(parent), params, as: ANN }))
    const documents = (await unzip(zip)).map(([name]) => name).filter((name) => name.endsWith('.xml'))
    const base = parent.path?.slice(1)
    expect(documents.sort()).toEqual(
      [`${base}/document.xml`, `${base}/bare/document.xml`, `${base}/file/document.xml`].sort(),
    )
  })

  it('Document.GetRendition gives a form of each document', async () => {
    const call = (renditionName: string, value: Value) =>
      run('Document.GetRendition', { input: value, params: { renditionName } })
    expect(blobOf(await call('mainBlob', input(file))).name).toBe('main.txt')
    expect(namesOf(await call('xmlExport', inputs(file, note)))).toEqual(['document.xml', 'document.xml'])
    expect(blobOf(await call('thumbnail', input(bare)))['mime-type']).toBe('image/svg+xml')
    for (const [name, document] of [['mainBlob', bare] as const, ['none', file] as const])
      await expect(call(name, input(document))).rejects.toMatchObject(refused(/has no rendition/, 'notFound'))
    await expect(run('Document.GetRendition', { input: input(file) })).rejects.toMatchObject(
      refused(/renditionName/),
    )
  })
})

describe('PDFs', () => {
  /** A page with a word on it. */
  const pdf = async (word: string): Promise<BlobValue> => {
    const content = `BT /F1 24 Tf 20 50 Td (${word}) Tj ET`
    const objects = [
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
      `<</Length ${content.length}>>stream\n${content}\nendstream`,
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ]
    let body = '%PDF-1.4\n'
    const offsets = objects.map((object, index) => {
      const offset = body.length
      body += `${index + 1} 0 obj${object}endobj\n`
      return `${String(offset).padStart(10, '0')} 00000 n \n`
    })
    const table = `xref\n0 6\n0000000000 65535 f \n${offsets.join('')}`
    return storedBlob(
      `${body}${table}trailer<</Size 6/Root 1 0 R>>\nstartxref\n${body.length}\n%%EOF`,
      `${word}.pdf`,
    )
  }

  const words = async (value: Value): Promise<string[]> => {
    const converter = { converter: 'pdf2text' }
    const found = await contentOf(blobOf(await run('Blob.RunConverter', { input: value, params: converter })))
    return found.split(/\s+/).filter((word) => word !== '')
  }

  it('Blob.ConcatenatePDFs joins them, that of the variable first', async () => {
    const blobs = [await pdf('one'), await pdf('two')]
    const variables: Variables = { cover: { type: 'blob', blob: await pdf('cover') } }
    const params = { filename: 'all.pdf', blob_to_append: 'cover' }
    const all = await run('Blob.ConcatenatePDFs', { input: { type: 'blobs', blobs }, params, variables })
    expect(blobOf(all)).toMatchObject({ name: 'all.pdf', 'mime-type': 'application/pdf' })
    expect(await words(all)).toEqual(['cover', 'one', 'two'])
    const alone = { input: { type: 'blob', blob: blobs[0]! } as const, params: { filename: 'alone.pdf' } }
    expect(blobOf(await run('Blob.ConcatenatePDFs', alone))).toEqual({ ...blobs[0], name: 'alone.pdf' })
  })

  it.each<[Properties, string, RegExp, string]>([
    [{ filename: 'x.pdf' }, 'text.txt', /text.txt is not a PDF/, 'badRequest'],
    [{ filename: 'x.pdf' }, 'broken.pdf', /pdfunite/, 'conversionFailed'],
    [{ filename: 'x.pdf', blob_to_append: 'nothing' }, 'x.pdf', /blob_to_append: .*'nothing'/, 'badRequest'],
    [{ filename: ' ' }, 'x.pdf', /filename/, 'badRequest'],
    [{}, 'x.pdf', /filename/, 'badRequest'],
  ])('Blob.ConcatenatePDFs %j of %s is refused', async (params, name, message, code) => {
    const blobs = [await storedBlob('no PDF', name), await pdf('one')]
    const call = run('Blob.ConcatenatePDFs', { input: { type: 'blobs', blobs }, params })
    await expect(call).rejects.toMatchObject(refused(message, code))
  })
})

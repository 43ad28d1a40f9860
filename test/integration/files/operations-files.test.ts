import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

const outside = await mkdtemp(join(tmpdir(), 'archivolt-outside-'))
const exports = join(outside, 'exports')
const bench = await createOperationBench({
  PATH: process.env.PATH,
  ARCHIVOLT_EXPORT_FOLDER: exports,
  ARCHIVOLT_HTTP_ALLOW: '127.0.0.1',
  ARCHIVOLT_MAX_UPLOAD_BYTES: '100000',
})
afterAll(async () => {
  await bench.close()
  await rm(outside, { recursive: true })
})

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

/** Names and contents as another program reads them. */
const unzip = async (blob: BlobValue): Promise<[string, string][]> =>
  store.withFile(blob, async (path) => {
    const script =
      'import sys,zipfile,json;z=zipfile.ZipFile(sys.argv[1]);print(json.dumps([[n,z.read(n).decode()] for n in z.namelist()]))'
    return JSON.parse((await promisify(execFile)('python3', ['-c', script, path])).stdout)
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

describe('files of the server', () => {
  const at = (blob: BlobValue, directory: string, more: Properties = {}) =>
    run('Blob.ExportToFS', { input: { type: 'blob', blob }, params: { directory, ...more } })

  it.each([
    ['in/there', {}, 'in/there/a.txt'],
    [exports, {}, 'a.txt'],
    [join(exports, 'deep'), { prefix: 'p-' }, 'deep/p-a.txt'],
    ['.', { prefix: '../' }, '.._a.txt'],
  ])('Blob.ExportToFS writes to %s %j', async (directory, more, expected) => {
    for (const content of ['first', 'second']) {
      const blob = await storedBlob(content)
      expect(await at(blob, directory, more)).toEqual({ type: 'blob', blob })
      expect(await readFile(join(exports, expected), 'utf8')).toBe(content)
    }
    expect((await readdir(exports)).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })

  it('Blob.ExportToFS writes nowhere else', async () => {
    await mkdir(exports, { recursive: true })
    await symlink(outside, join(exports, 'link'))
    await writeFile(join(exports, 'plain'), '')
    const blob = await storedBlob('x', 'escaped.txt')
    for (const directory of ['..', '/tmp', `${exports}-beside`, 'a/../../x', 'link', 'link/new', '/'])
      await expect(at(blob, directory), directory).rejects.toMatchObject(refused(/directory/))
    await expect(at(blob, 'plain')).rejects.toMatchObject(refused(/directory: 'plain'/))
    await expect(run('Blob.ToFile', { input: { type: 'blob', blob } })).rejects.toMatchObject(
      refused(/directory/),
    )
    expect((await readdir(outside)).sort()).toEqual(['exports'])
  })
})

describe('other servers', () => {
  type Answer = (request: IncomingMessage, response: ServerResponse) => void
  let answer: Answer = (_, response) => response.end()
  const server = createServer((request, response) => answer(request, response))
  let base: string
  beforeEach(async () => {
    if (!server.listening) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => void server.close())

  it.each<[Properties, Properties]>([
    [{}, { name: 'räport.pdf', 'mime-type': 'text/csv', encoding: null }],
    [
      { filename: 'x.bin', 'mime-type': 'text/plain', encoding: 'ISO-8859-1' },
      { name: 'x.bin', 'mime-type': 'text/plain', encoding: 'ISO-8859-1' },
    ],
  ])('Blob.CreateFromURL %j fetches a file', async (params, expected) => {
    answer = (_, response) => response.setHeader('content-type', 'text/csv; charset=utf-8').end('a,b')
    const call = { params: { file: `${base}/r%C3%A4port.pdf?x=1`, ...params } }
    const blob = blobOf(await run('Blob.CreateFromURL', call))
    expect(blob).toMatchObject(expected)
    expect(await contentOf(blob)).toBe('a,b')
  })

  it.each<[string, string, RegExp]>([
    ['http://10.1.2.3/', 'badRequest', /10\.1\.2\.3/],
    ['http://localhost/', 'badRequest', /localhost/],
    ['http://example.org/', 'badRequest', /example\.org/],
    ['not an address', 'badRequest', /file: 'not an address'/],
    ['ftp://example.org/x', 'notSupported', /FTP/],
  ])('Blob.CreateFromURL refuses %s', async (address, code, message) => {
    const call = run('Blob.CreateFromURL', { params: { file: address } })
    await expect(call).rejects.toMatchObject(refused(message, code))
  })

  it('Blob.CreateFromURL gives nothing for other addresses, and no answer that is none', async () => {
    expect(await run('Blob.Create', { params: { file: 'mailto:a@b.org' } })).toEqual({ type: 'void' })
    answer = (_, response) => response.writeHead(404).end()
    const fetching = () => run('Blob.CreateFromURL', { params: { file: base } })
    await expect(fetching()).rejects.toMatchObject(refused(/status 404/, 'operationFailed'))
    answer = (_, response) => response.end(Buffer.alloc(100_001))
    await expect(fetching()).rejects.toMatchObject({ code: 'tooLarge' })
    answer = (_, response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end()
    await expect(fetching()).rejects.toMatchObject(refused(/169\.254/))
  })

  it('Blob.PostToURL posts each file and passes it on', async () => {
    const seen: unknown[] = []
    answer = async (request, response) => {
      seen.push([request.method, request.headers['content-type'], await text(request)])
      response.end()
    }
    const list: Value = { type: 'blobs', blobs: [await storedBlob('one'), await storedBlob('two', 'b.pdf')] }
    expect(await run('Blob.PostToURL', { input: list, params: { url: base } })).toEqual(list)
    expect(seen).toEqual([
      ['POST', 'text/plain', 'one'],
      ['POST', 'application/pdf', 'two'],
    ])
  })

  it.each<[Properties, string, RegExp]>([
    [{}, 'badRequest', /url/],
    [{ url: 'http://10.0.0.1/' }, 'badRequest', /10\.0\.0\.1/],
    [{ url: 'BASE' }, 'operationFailed', /status 500/],
  ])('Blob.PostToURL %j is refused', async (params, code, message) => {
    answer = (request, response) => void request.resume().on('end', () => response.writeHead(500).end())
    const given = params.url === 'BASE' ? { url: base } : params
    const call = run('Blob.Post', { input: { type: 'blob', blob: await storedBlob('x') }, params: given })
    await expect(call).rejects.toMatchObject(refused(message, code))
  })

  it.each([
    ['Blob.CreateFromURL', { file: 'http://127.0.0.1/' }],
    ['Blob.PostToURL', { url: 'http://127.0.0.1/' }],
    ['Blob.ExportToFS', { directory: '.' }],
  ])('%s is kept for administrators, by way of others too', async (id, parameters) => {
    const call = { input: { type: 'blob', blob: await storedBlob('x') } as const, as: ANN }
    const nested = run('RunFileOperation', { ...call, params: { id, parameters } })
    await expect(nested).rejects.toMatchObject({ code: 'notFound' })
  })
})

import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { Value } from '../../../core/automation/language/index.js'
import type { BlobValue, Properties } from '../../../core/model/properties/index.js'
import { ANN, createOperationBench } from '../support/operations-support.js'

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

const { run, storedBlob } = bench
const { blobs: store } = bench.platform

const blobOf = (value: Value): BlobValue => {
  if (value.type === 'blob') return value.blob
  throw new Error(`Not a blob: ${JSON.stringify(value)}`)
}

const contentOf = async (blob: BlobValue): Promise<string> => text(await store.open(blob))

const refused = (message: RegExp, code = 'badRequest') => ({ code, message: expect.stringMatching(message) })

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

import { randomBytes } from 'node:crypto'
import { type OutgoingHttpHeaders, request } from 'node:http'
import { Readable } from 'node:stream'
import Nuxeo from 'nuxeo'
import { describe, expect, test } from 'vitest'
import { ADMIN_PASSWORD } from '../../../support/platform.js'
import { seededRandom, testSeed } from '../../../support/random.js'
import { sized } from '../../../support/size.js'
import { createWire, refusalOf, WORKSPACES } from '../../support/wire-support.js'

const { baseURL, client } = await createWire()
const nuxeo = client()
const LOGIN = `Administrator:${ADMIN_PASSWORD}`

const blobOf = (name: string, content: string | Buffer): Nuxeo.Blob =>
  new Nuxeo.Blob({
    content: Readable.from([Buffer.from(content)]),
    name,
    mimeType: 'text/plain',
    size: Buffer.byteLength(content),
  })

const fileOf = async (document: Nuxeo.Document, xpath?: string): Promise<string> =>
  (await document.fetchBlob(xpath)).text()

/** Sends a chunk; one that is cut ends its connection in the middle of the body. */
const sendChunk = (
  path: string,
  { bytes, headers, isCut }: { bytes: Buffer; headers: OutgoingHttpHeaders; isCut: boolean },
): Promise<number | undefined> =>
  new Promise((resolve) => {
    const sent = request(
      new URL(path, baseURL),
      { method: 'POST', headers: { ...headers, 'Content-Length': bytes.length }, auth: LOGIN },
      (response) => {
        response.resume()
        response.on('end', () => resolve(response.statusCode))
      },
    )
    sent.on('error', () => resolve(undefined))
    if (!isCut) return void sent.end(bytes)
    sent.write(bytes.subarray(0, bytes.length / 2), () => sent.destroy())
  })

test('chunks that are cut, repeated and out of order make the same file', async () => {
  const random = seededRandom(testSeed())
  const bytes = randomBytes(sized({ full: 500, sample: 6 }) * 1_000_000)
  const size = 300_000
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  )
  const { batchId } = await nuxeo.request('upload').post<{ batchId: string }>()
  const send = (chunk: number, isCut: boolean) =>
    sendChunk(`api/v1/upload/${batchId}/0`, {
      bytes: chunks[chunk]!,
      isCut,
      headers: {
        ...{ 'X-Upload-Type': 'chunked', 'X-Upload-Chunk-Index': chunk, 'X-File-Name': 'cut.bin' },
        ...{ 'X-Upload-Chunk-Count': chunks.length, 'X-File-Size': bytes.length },
      },
    })
  const order = [...chunks.keys(), ...chunks.keys()]
    .map((chunk) => ({ chunk, at: random() }))
    .sort((a, b) => a.at - b.at)
  const statuses = await Promise.all(order.map(({ chunk }) => send(chunk, random() < 0.4)))
  expect(statuses.filter((status) => status !== undefined && status !== 201 && status !== 202)).toEqual([])
  const place = nuxeo.request(`upload/${batchId}/0`)
  const { uploadedChunkIds } = await place.get<{ uploadedChunkIds: number[] }>()
  for (const chunk of chunks.keys()) if (!uploadedChunkIds.includes(chunk)) await send(chunk, false)
  const document = await nuxeo.repository().create(WORKSPACES, {
    type: 'File',
    name: 'cut',
    properties: { 'file:content': { 'upload-batch': batchId, 'upload-fileId': '0' } },
  })
  const answer = await document.fetchBlob()
  expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true)
})

test('a body that the store has no room for is answered, though more of it was to come', async () => {
  const store = nuxeo.request('contributions/transientStores/default')
  await store.put({ body: { absoluteMaxSizeMB: 1 } })
  try {
    const { batchId } = await nuxeo.request('upload').post<{ batchId: string }>()
    const status = await sendChunk(`api/v1/upload/${batchId}/0`, {
      bytes: randomBytes(20_000_000),
      isCut: false,
      headers: {
        ...{ 'X-Upload-Type': 'chunked', 'X-Upload-Chunk-Index': 0, 'X-Upload-Chunk-Count': 2 },
        'X-File-Size': 40_000_000,
      },
    })
    expect(status).toBe(507)
  } finally {
    await store.delete()
  }
})

describe('batchUpload', () => {
  test('uploads several files at once, which become properties of a document', async () => {
    const contents = Array.from({ length: 7 }, () => randomBytes(30_000).toString('hex'))
    const batch = nuxeo.batchUpload()
    await batch.upload(...contents.map((content, at) => blobOf(`ä ${at}.txt`, content)))
    const { blobs } = await batch.done()
    const document = await nuxeo.repository().create(WORKSPACES, {
      type: 'File',
      name: 'uploaded',
      properties: { 'file:content': blobs[0], 'files:files': blobs.slice(1).map((file) => ({ file })) },
    })
    expect(await fileOf(document)).toBe(contents[0])
    for (const [at, content] of contents.slice(1).entries())
      expect(await fileOf(document, `files:files/${at}/file`)).toBe(content)
    expect((await refusalOf(batch.fetchBlobs())).status).toBe(404)
  })

  test('lists and removes its files, and is cancelled', async () => {
    const batch = nuxeo.batchUpload()
    await batch.upload(blobOf('a.txt', 'a'), blobOf('b.txt', 'bb'))
    const { blobs } = await batch.fetchBlobs()
    expect(blobs).toEqual([
      expect.objectContaining({ name: 'a.txt', size: 1 }),
      expect.objectContaining({ name: 'b.txt', size: 2 }),
    ])
    expect((await batch.fetchBlob(1)).blob).toMatchObject({ name: 'b.txt', size: 2 })
    await batch.removeBlob(1)
    expect((await refusalOf(batch.fetchBlob(1))).status).toBe(404)
    await batch.cancel()
  })

  test('is the input of an operation, whole or one file of it', async () => {
    const document = await nuxeo.repository().create(WORKSPACES, { type: 'File', name: 'attached' })
    const batch = nuxeo.batchUpload()
    await batch.upload(blobOf('a.txt', 'first'), blobOf('b.txt', 'second'))
    const { blobs } = await batch.done()
    await nuxeo
      .operation('Blob.AttachOnDocument')
      .param('document', document.uid)
      .input(blobs[0])
      .execute({ headers: { 'X-Batch-No-Drop': 'true', 'X-NXVoidOperation': 'true' } })
    await nuxeo
      .operation('Blob.AttachOnDocument')
      .params({ document: document.uid, xpath: 'files:files' })
      .input(batch)
      .execute({ headers: { 'X-NXVoidOperation': 'true' } })
    expect(await fileOf(document)).toBe('first')
    expect(await fileOf(document, 'files:files/1/file')).toBe('second')
  })
})

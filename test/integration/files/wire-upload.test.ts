import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import Nuxeo from 'nuxeo'
import { describe, expect, test } from 'vitest'
import { createWire, refusalOf, WORKSPACES } from '../support/wire-support.js'

const { client } = await createWire()
const nuxeo = client()

const blobOf = (name: string, content: string | Buffer): Nuxeo.Blob =>
  new Nuxeo.Blob({
    content: Readable.from([Buffer.from(content)]),
    name,
    mimeType: 'text/plain',
    size: Buffer.byteLength(content),
  })

const fileOf = async (document: Nuxeo.Document, xpath?: string): Promise<string> =>
  (await document.fetchBlob(xpath)).text()

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

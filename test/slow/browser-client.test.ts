import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWire, WORKSPACES } from '../integration/support/wire-support.js'
import { ADMIN_PASSWORD } from '../support/platform.js'
import { launchBrowser } from './browser.js'

/** The JavaScript client, unmodified, on a page of another site in a real browser. */

const { baseURL, client } = await createWire()
const nuxeo = client()
const CLIENT = createRequire(import.meta.url).resolve('nuxeo/nuxeo.js')

const site = createServer((_, response) => {
  response.setHeader('Content-Type', 'text/html')
  response.end('<!doctype html><title>Elsewhere</title>')
})
let browser: Browser
let origin: string

beforeAll(async () => {
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  // Another host than the server's: another site.
  origin = `http://localhost:${(site.address() as AddressInfo).port}`
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await new Promise((resolve) => site.close(resolve))
})

/** What scripts of the page find: a client, and bytes that are the same in each page. */
const PRELUDE = `
  const nuxeo = new Nuxeo({
    baseURL: '${baseURL}',
    auth: { method: 'basic', username: 'Administrator', password: '${ADMIN_PASSWORD}' },
  })
  const bytesOf = (length, seed) => Uint8Array.from({ length }, (_, at) => ((at * 31 + seed) ^ (at >> 8)) & 255)
  const isSame = async (answer, bytes) => {
    const got = new Uint8Array(await answer.arrayBuffer())
    return got.length === bytes.length && got.every((byte, at) => byte === bytes[at])
  }
`

const openPage = async (): Promise<Page> => {
  const page = await browser.newPage()
  await page.goto(origin)
  await page.addScriptTag({ path: CLIENT })
  return page
}

/** What a script of a page gives; its last expression is a promise of it. */
const run = (page: Page, script: string): Promise<unknown> =>
  page.evaluate(`(async () => { ${PRELUDE} ${script} })()`)

/** Uploads three files, and gives a document two of them. */
const UPLOAD = `
  const files = [bytesOf(3_000_000, 1), bytesOf(70_000, 2), bytesOf(0, 3)]
  const batch = nuxeo.batchUpload()
  await batch.upload(...files.map((bytes, at) => new Nuxeo.Blob({
    content: new Blob([bytes]), name: 'ä ' + at + '.bin', mimeType: 'application/octet-stream', size: bytes.length,
  })))
  const { blobs } = await batch.done()
  const document = await nuxeo.repository().create('${WORKSPACES}', {
    type: 'File',
    name: 'browser',
    properties: { 'file:content': blobs[0], 'files:files': [{ file: blobs[1] }] },
  })
  return [
    await isSame(await document.fetchBlob(), files[0]),
    await isSame(await document.fetchBlob('files:files/0/file'), files[1]),
    blobs.length,
  ]
`

const CHUNK = 500_000
const COUNT = 6

/** Sends chunks of a file in an order, one after the other. */
const sendChunks = (batch: string, order: readonly number[]): string => `
  const bytes = bytesOf(${CHUNK * COUNT - 7}, 5)
  for (const chunk of ${JSON.stringify(order)}) {
    const body = new Blob([bytes.subarray(chunk * ${CHUNK}, (chunk + 1) * ${CHUNK})])
    await nuxeo.http({
      url: '${baseURL}api/v1/upload/${batch}/0',
      method: 'POST',
      json: false,
      body,
      headers: {
        'X-Upload-Type': 'chunked',
        'X-Upload-Chunk-Index': String(chunk),
        'X-Upload-Chunk-Count': '${COUNT}',
        'X-File-Size': String(bytes.length),
        'X-File-Name': 'resumed.bin',
        'X-File-Type': 'application/octet-stream',
      },
    })
  }
`

const allow = (): Promise<unknown> =>
  nuxeo.request('contributions/corsConfig/partner').put({
    body: { pattern: '/nuxeo/.*', allowOrigin: origin },
  })

test('a page of another site uploads nothing', async () => {
  const page = await openPage()
  await expect(run(page, UPLOAD)).rejects.toThrow('Failed to fetch')
})

describe('a page of an allowed site', () => {
  beforeAll(allow)

  test('uploads files, which become properties, and downloads them', async () => {
    expect(await run(await openPage(), UPLOAD)).toEqual([true, true, 3])
  })

  test('goes on with chunks that another page has left', async () => {
    const { batchId } = await nuxeo.request('upload').post<{ batchId: string }>()
    const left = await openPage()
    await run(left, sendChunks(batchId, [4, 1]))
    // A chunk is under way while its page is closed.
    const held = left.waitForRequest((request) => request.method() === 'POST')
    const ending = run(left, sendChunks(batchId, [0])).catch(() => undefined)
    await held
    await left.close()
    await ending

    const page = await openPage()
    const missing = (await run(
      page,
      `const { uploadedChunkIds, chunkCount } = await nuxeo.request('upload/${batchId}/0').get()
       return [...Array(chunkCount).keys()].filter((chunk) => !uploadedChunkIds.includes(chunk))`,
    )) as number[]
    expect(missing).toEqual(expect.arrayContaining([2, 3, 5]))
    await run(page, sendChunks(batchId, missing))
    const properties = `{ 'file:content': { 'upload-batch': '${batchId}', 'upload-fileId': '0' } }`
    const same = await run(
      page,
      `const document = await nuxeo.repository().create('${WORKSPACES}', {
         type: 'File', name: 'resumed', properties: ${properties},
       })
       return isSame(await document.fetchBlob(), bytesOf(${CHUNK * COUNT - 7}, 5))`,
    )
    expect(same).toBe(true)
  })
})

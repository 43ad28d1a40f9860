import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createUploadBench, UPLOAD, upload } from '../../support/upload-support.js'

const { call, newBatch, send, sendChunk, createFile, textOf } = await createUploadBench()

describe('chunks', () => {
  test('come in any order and more than once, and are resumed', async () => {
    const batch = await newBatch()
    const first = await sendChunk(batch, 2, { body: 'ccc' })
    expect([first.status, first.json]).toEqual([
      202,
      {
        ...{ uploaded: 'true', batchId: batch, fileIdx: '0', uploadType: 'chunked' },
        ...{ uploadedSize: expect.any(String), uploadedChunkIds: [2], chunkCount: 3 },
      },
    ])
    expect((await sendChunk(batch, 0, { body: 'aaa', name: 'ignored' })).json.uploadedChunkIds).toEqual([
      0, 2,
    ])
    const complete = await call('POST', `${UPLOAD}/${batch}/0/complete`, {
      json: { fileSize: 9, md5: '97bc592b27a0cb1b0a7d0f5b8a8a0e09', name: 'c.txt' },
    })
    expect(complete.status).toBe(409)
    const partial = await call('GET', `${UPLOAD}/${batch}/0`)
    expect([partial.status, partial.json]).toEqual([
      202,
      { name: 'c.txt', size: 9, uploadType: 'chunked', uploadedChunkIds: [0, 2], chunkCount: 3 },
    ])
    expect((await sendChunk(batch, 0, { body: 'aaa' })).status).toBe(202)
    const other = await sendChunk(batch, 0, { body: 'aaaa' })
    expect([other.status, other.json.message]).toEqual([409, expect.stringContaining('Chunk 0 is there')])
    expect((await createFile({ 'file:content': upload(batch, '0') })).status).toBe(400)
    const last = await sendChunk(batch, 1, { body: 'bbb' })
    expect([last.status, last.json.uploadedChunkIds]).toEqual([201, [0, 1, 2]])
    expect((await sendChunk(batch, 1, { body: 'bbb' })).status).toBe(201)
    expect((await call('GET', `${UPLOAD}/${batch}/0`)).status).toBe(200)
    const { status, json } = await createFile({ 'file:content': upload(batch, '0') })
    expect(status).toBe(201)
    expect(await textOf(json.uid)).toBe('aaabbbccc')
  })

  test('of many files at once are each put together', async () => {
    const batch = await newBatch()
    const parts = Array.from({ length: 6 }, () => randomBytes(20_000).toString('hex'))
    const headers = (chunk: number) => ({
      'X-Upload-Type': 'chunked',
      'X-Upload-Chunk-Index': String(chunk),
      'X-Upload-Chunk-Count': '6',
      'X-File-Size': '240000',
    })
    const sent = await Promise.all(
      [5, 7].flatMap((index) =>
        [3, 0, 5, 1, 4, 2].map((chunk) =>
          call('POST', `${UPLOAD}/${batch}/${index}`, { body: parts[chunk]!, headers: headers(chunk) }),
        ),
      ),
    )
    expect(sent.filter(({ status }) => status !== 201 && status !== 202)).toEqual([])
    const { json } = await createFile({
      'files:files': [{ file: upload(batch, '7') }, { file: upload(batch, '5') }],
    })
    for (const place of [0, 1])
      expect(await textOf(json.uid, `files:files/${place}/file`)).toBe(parts.join(''))
  })

  test('that come for a file without chunks are refused', async () => {
    const batch = await newBatch()
    await send(batch, 0, 'whole')
    expect((await sendChunk(batch, 0, { body: 'aaa' })).status).toBe(409)
    expect((await call('GET', `${UPLOAD}/${batch}/0`)).json).toMatchObject({ size: 5, uploadType: 'normal' })
  })

  test('are nothing when the connection ends within one', async () => {
    const batch = await newBatch()
    const cut = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(Buffer.from('aa')),
      pull: (controller) => controller.error(new Error('connection lost')),
    })
    const answer = await call('POST', `${UPLOAD}/${batch}/0`, {
      body: cut,
      headers: {
        ...{ 'X-Upload-Type': 'chunked', 'X-Upload-Chunk-Index': '0' },
        ...{ 'X-Upload-Chunk-Count': '2', 'X-File-Size': '6' },
      },
    })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect((await call('GET', `${UPLOAD}/${batch}/0`)).json.uploadedChunkIds).toEqual([])
    expect((await sendChunk(batch, 0, { body: 'aaa', count: 2 })).status).toBe(202)
  })
})

test('progress comes as server-sent events', async () => {
  const batch = await newBatch()
  await sendChunk(batch, 0, { body: 'aaa' })
  const events = call('GET', `${UPLOAD}/${batch}`, { headers: { Accept: 'text/event-stream' } })
  await sendChunk(batch, 1, { body: 'bbb' })
  await call('DELETE', `${UPLOAD}/${batch}`)
  const { headers, text } = await events
  expect(headers.get('content-type')).toMatch(/^text\/event-stream/)
  const [first] = text.split('\n\n')
  expect(first).toMatch(
    /^event: progress\ndata: \[\{"fileIdx":"0","name":"c.txt","size":9,"uploadedSize":\d,/,
  )
  expect(text.trimEnd()).toMatch(/event: dropped\ndata: \{\}$/)
})

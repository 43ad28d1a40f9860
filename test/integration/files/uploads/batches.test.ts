import { describe, expect, test } from 'vitest'
import { addUser } from '../../support/rest-client.js'
import { createUploadBench, UPLOAD, upload } from '../../support/upload-support.js'

const { platform, call, newBatch, send, sendChunk, createFile } = await createUploadBench()
await addUser(platform, 'ann', ['members'])

describe('a batch', () => {
  test('is created, listed, described and dropped', async () => {
    const batch = await newBatch()
    expect(batch).toMatch(/^batchId-[0-9a-f-]{36}$/)
    expect((await call('GET', `${UPLOAD}/${batch}`)).status).toBe(204)
    const sent = await send(batch, 0, 'grüße', { name: 'plan ä.txt', type: 'text/plain' })
    expect([sent.status, sent.json]).toEqual([
      201,
      {
        uploaded: 'true',
        batchId: batch,
        fileIdx: '0',
        uploadType: 'normal',
        uploadedSize: expect.any(String),
      },
    ])
    expect(sent.headers.get('content-type')).toBe('application/json; charset=UTF-8')
    await send(batch, 10, '', { name: 'empty' })
    await send(batch, 2, 'two')
    const files = [
      { name: 'plan ä.txt', size: 7, uploadType: 'normal' },
      { name: 'a.txt', size: 3, uploadType: 'normal' },
      { name: 'empty', size: 0, uploadType: 'normal' },
    ]
    expect((await call('GET', `${UPLOAD}/${batch}`)).json).toEqual(files)
    expect((await call('GET', `${UPLOAD}/${batch}/info`)).json).toEqual({
      provider: 'default',
      fileEntries: files,
      batchId: batch,
    })
    expect((await call('GET', `${UPLOAD}/${batch}/2`)).json).toEqual(files[1])
    expect((await call('DELETE', `${UPLOAD}/${batch}/2`)).status).toBe(204)
    expect((await call('DELETE', `${UPLOAD}/${batch}/2`)).status).toBe(404)
    expect((await call('GET', `${UPLOAD}/${batch}`)).json).toHaveLength(2)
    expect((await call('DELETE', `${UPLOAD}/${batch}`)).status).toBe(204)
    expect((await call('GET', `${UPLOAD}/${batch}`)).status).toBe(404)
  })

  test('has so many files, with names that are not too long', async () => {
    const batch = await newBatch()
    const beyond = await send(batch, 10_000, 'x')
    expect([beyond.status, beyond.text]).toEqual([400, expect.stringContaining('at most 10000 files')])
    expect((await send(batch, 9_999, 'x', { name: 'n'.repeat(1_000) })).status).toBe(201)
    const long = await send(batch, 1, 'x', { name: 'n'.repeat(1_001) })
    expect([long.status, long.json.message]).toEqual([400, 'X-File-Name: must have at most 1000 characters'])
  })

  test('that a client does not have is 404 with an empty body, also that of somebody else', async () => {
    const batch = await newBatch('ann')
    await send(batch, 0, 'secret', { user: 'ann' })
    for (const id of [batch, 'batchId-none'])
      for (const [verb, path] of [
        ['GET', ''],
        ['GET', '/info'],
        ['GET', '/0'],
        ['POST', '/0'],
        ['DELETE', '/0'],
        ['POST', '/0/execute/Blob.AttachOnDocument'],
        ['POST', '/execute/Blob.AttachOnDocument'],
        ['POST', '/refreshToken'],
        ['DELETE', ''],
      ] as const) {
        const answer = await call(verb, `${UPLOAD}/${id}${path}`, verb === 'POST' ? { json: {} } : {})
        expect([verb, path, answer.status, answer.text]).toEqual([verb, path, 404, ''])
      }
    const attached = await createFile({ 'file:content': upload(batch, '0') })
    expect([attached.status, attached.json.message]).toEqual([
      400,
      expect.stringContaining(`there is no upload batch '${batch}'`),
    ])
    expect((await call('GET', `${UPLOAD}/${batch}`, { user: 'ann' })).json).toHaveLength(1)
  })

  test('is of a handler', async () => {
    expect((await call('GET', `${UPLOAD}/handlers`)).json).toEqual({ handlers: [{ name: 'default' }] })
    expect((await call('GET', `${UPLOAD}/handlers/default`)).json).toEqual({ name: 'default' })
    expect((await call('GET', `${UPLOAD}/handlers/none`)).status).toBe(404)
    const made = await call('POST', `${UPLOAD}/new/default`)
    expect([made.status, made.json]).toEqual([
      200,
      { provider: 'default', fileEntries: [], batchId: expect.any(String) },
    ])
    const unknown = await call('POST', `${UPLOAD}/new/none`)
    expect([unknown.status, unknown.json.message]).toEqual([400, expect.stringContaining("handler: 'none'")])
    expect((await call('POST', `${UPLOAD}/${made.json.batchId}/refreshToken`)).status).toBe(501)
  })

  test('says whether a file is the one that was sent', async () => {
    const batch = await newBatch()
    await send(batch, 0, 'hello world', { type: 'text/plain' })
    const complete = (md5: string, fileSize: number) =>
      call('POST', `${UPLOAD}/${batch}/0/complete`, { json: { md5, fileSize, name: 'a.txt' } })
    const same = await complete('5eb63bbbe01eeed093cb22bb8f5acdc3', 11)
    expect([same.status, same.json]).toEqual([200, { uploaded: 'true', batchId: batch, fileIdx: '0' }])
    expect((await complete('5eb63bbbe01eeed093cb22bb8f5acdc4', 11)).status).toBe(409)
    expect((await complete('5eb63bbbe01eeed093cb22bb8f5acdc3', 12)).status).toBe(409)
  })

  test('another file takes the place of the one at its index', async () => {
    const batch = await newBatch()
    await sendChunk(batch, 1, { body: 'bbb' })
    await send(batch, 0, 'first')
    await send(batch, '00', 'second', { name: 'b+c.txt' })
    expect((await call('GET', `${UPLOAD}/${batch}`)).json).toEqual([
      { name: 'b+c.txt', size: 6, uploadType: 'normal' },
    ])
  })

  test.each<[string, Record<string, string>, string, RegExp]>([
    ['x', {}, 'not a number', /^fileIdx/],
    ['0', { 'Content-Type': 'multipart/form-data; boundary=x' }, '', /Content-Type/],
    ['0', { 'X-File-Name': '%ff' }, '', /X-File-Name/],
    ['0', { 'X-Upload-Type': 'chunked' }, '', /X-Upload-Chunk-Count/],
    ['0', { 'X-Upload-Type': 'chunked', 'X-Upload-Chunk-Count': '2' }, '', /X-File-Size/],
    [
      '0',
      {
        'X-Upload-Type': 'chunked',
        'X-Upload-Chunk-Count': '2',
        'X-File-Size': '4',
        'X-Upload-Chunk-Index': '-1',
      },
      '',
      /X-Upload-Chunk-Index/,
    ],
    [
      '0',
      {
        'X-Upload-Type': 'chunked',
        'X-Upload-Chunk-Count': '2',
        'X-File-Size': '4',
        'X-Upload-Chunk-Index': '2',
      },
      '',
      /Chunk 2/,
    ],
    ['0', { 'Content-Length': '7' }, '', /Content-Length: 7 bytes/],
  ])('refuses an upload to %s with %j', async (index, headers, _, message) => {
    const batch = await newBatch()
    const answer = await call('POST', `${UPLOAD}/${batch}/${index}`, { body: 'text', headers })
    expect([answer.status, answer.json?.message ?? answer.text]).toEqual([
      400,
      expect.stringMatching(message),
    ])
    expect((await call('GET', `${UPLOAD}/${batch}/0`)).status).not.toBe(200)
  })

  test('refuses a file that is too large', async () => {
    const batch = await newBatch()
    expect((await send(batch, 0, 'x'.repeat(3_000_001))).status).toBe(413)
    expect((await sendChunk(batch, 0, { body: 'x', size: 3_000_001 })).status).toBe(413)
    expect((await call('GET', `${UPLOAD}/${batch}`)).status).toBe(204)
  })
})

import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createEngine } from '../../../api/engine.js'
import { removeExpiredUploads } from '../../../runtime/index.js'
import { addUser, createClient, type Entity } from '../support/rest-client.js'
import { createTestPlatform } from '../support/rest-support.js'

const platform = await createTestPlatform({ ARCHIVOLT_MAX_UPLOAD_BYTES: '3000000' })
const call = createClient(platform, await createEngine(platform))
await addUser(platform, 'ann', ['members'])

const UPLOAD = '/api/v1/upload'
const WORKSPACES = '/api/v1/path/default-domain/workspaces'

const newBatch = async (user = 'Administrator'): Promise<string> => {
  const { status, json } = await call('POST', `${UPLOAD}/`, { user })
  expect(status).toBe(201)
  return json.batchId
}

type Sent = { name?: string; type?: string; user?: string }

const send = (
  batch: string,
  index: number | string,
  body: string,
  { name = 'a.txt', type, user }: Sent = {},
) =>
  call('POST', `${UPLOAD}/${batch}/${index}`, {
    body,
    ...(user && { user }),
    headers: { 'X-File-Name': encodeURIComponent(name), ...(type && { 'X-File-Type': type }) },
  })

const sendChunk = (
  batch: string,
  chunk: number | string,
  {
    body,
    count = 3,
    size = 9,
    name = 'c.txt',
  }: { body: string; count?: number; size?: number; name?: string },
) =>
  call('POST', `${UPLOAD}/${batch}/0`, {
    body,
    headers: {
      'X-Upload-Type': 'chunked',
      'X-Upload-Chunk-Index': String(chunk),
      'X-Upload-Chunk-Count': String(count),
      'X-File-Size': String(size),
      'X-File-Name': name,
      'X-File-Type': 'text/plain',
    },
  })

const upload = (batch: string, file: string) => ({ 'upload-batch': batch, 'upload-fileId': file })

let made = 0
const createFile = (properties: object, headers: Record<string, string> = {}) =>
  call('POST', WORKSPACES, {
    json: { 'entity-type': 'document', name: `uploaded-${++made}`, type: 'File', properties },
    headers: { properties: '*', ...headers },
  })

const textOf = async (uid: string, xpath = 'file:content'): Promise<string> =>
  (await call('GET', `/nxfile/default/${uid}/${xpath}`)).text

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

test('what is uploaded is kept from the collection of files until its batch is gone', async () => {
  const batch = await newBatch()
  await send(batch, 0, `kept for ${batch}`)
  const key = createHash('sha256').update(`kept for ${batch}`).digest('hex')
  const found: string[] = []
  for (const { references } of platform.transientStores()) await references((each) => found.push(each))
  expect(found).toContain(key)
  expect(await removeExpiredUploads(platform)).toBe(0)
  expect((await call('GET', `${UPLOAD}/${batch}/0`)).status).toBe(200)
})

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

describe('an uploaded file', () => {
  test('becomes a property when a document is created or changed, and its batch goes', async () => {
    const batch = await newBatch()
    await send(batch, 0, 'one', { name: 'one.pdf', type: 'pdf' })
    const { json, status } = await createFile({
      'file:content': { ...upload(batch, '0'), name: 'ignored', size: 3, uploadType: 'normal' },
    })
    expect([status, json.properties['file:content']]).toEqual([
      201,
      expect.objectContaining({ name: 'one.pdf', 'mime-type': 'application/pdf', length: '3' }),
    ])
    expect((await call('GET', `${UPLOAD}/${batch}`)).status).toBe(404)
    const next = await newBatch()
    await send(next, 3, 'two')
    const changed = await call('PUT', `/api/v1/id/${json.uid}`, {
      json: { 'entity-type': 'document', properties: { 'file:content': upload(next, '3') } },
      headers: { 'X-Batch-No-Drop': 'true' },
    })
    expect([changed.status, await textOf(json.uid)]).toEqual([200, 'two'])
    expect((await call('GET', `${UPLOAD}/${next}`)).status).toBe(200)
  })

  test('stays when the request that names it is refused', async () => {
    const batch = await newBatch()
    await send(batch, 0, 'one')
    const refused = await createFile({ 'file:content': upload(batch, '0'), 'dc:issued': 'never' })
    expect(refused.status).toBe(400)
    const unknown = await createFile({ 'file:content': upload(batch, '1') })
    expect([unknown.status, unknown.json.message]).toEqual([
      400,
      expect.stringContaining(`'${batch}' has no complete file '1'`),
    ])
    expect((await createFile({ 'file:content': upload(batch, '0') })).status).toBe(201)
  })

  test('is there for the same request with its idempotency key', async () => {
    const batch = await newBatch()
    await send(batch, 0, 'once')
    const json = {
      'entity-type': 'document',
      ...{ name: 'once', type: 'File', properties: { 'file:content': upload(batch, '0') } },
    }
    const create = () => call('POST', WORKSPACES, { json, headers: { 'Idempotency-Key': `doc-${batch}` } })
    const [first, again] = [await create(), await create()]
    expect([first.status, again.status, again.json.uid]).toEqual([201, 201, first.json.uid])
  })
})

describe('operations', () => {
  const execute = (path: string, body: object, headers: Record<string, string> = {}) =>
    call('POST', `${UPLOAD}/${path}`, { json: body, headers })

  let document: Entity
  const fresh = async (): Promise<Entity> => {
    document = (await createFile({})).json
    return document
  }

  test('take a file of a batch, which goes afterwards', async () => {
    const { uid } = await fresh()
    const batch = await newBatch()
    await send(batch, 0, 'main', { name: 'main.txt' })
    const kept = await execute(
      `${batch}/0/execute/Blob.Attach`,
      { params: { document: uid } },
      { 'X-Batch-No-Drop': 'true', 'X-NXVoidOperation': 'true' },
    )
    expect([kept.status, await textOf(uid)]).toEqual([204, 'main'])
    const failed = await execute(`${batch}/0/execute/Blob.Attach`, { params: { document: 'none' } })
    expect(failed.status).toBe(404)
    expect((await call('GET', `${UPLOAD}/${batch}`)).status).toBe(404)
  })

  test('take all files of a batch in the order of their indexes', async () => {
    const { uid } = await fresh()
    const batch = await newBatch()
    for (const [index, body] of [
      [10, 'ten'],
      [2, 'two'],
    ] as const)
      await send(batch, index, body)
    await sendChunk(batch, 0, { body: 'incomplete' })
    const params = { document: uid, xpath: 'files:files' }
    expect((await execute(`${batch}/execute/Blob.Attach`, { params })).status).toBe(200)
    expect([await textOf(uid, 'files:files/0/file'), await textOf(uid, 'files:files/1/file')]).toEqual([
      'two',
      'ten',
    ])
    expect((await call('GET', `${UPLOAD}/${batch}`)).status).toBe(404)
  })

  test('import files into a folder', async () => {
    const batch = await newBatch()
    await send(batch, 0, 'imported', { name: 'imported.txt', type: 'text/plain' })
    const { status, json } = await execute(`${batch}/0/execute/FileManager.Import`, {
      context: { currentDocument: '/default-domain/workspaces' },
      params: { context: { currentDocument: '/default-domain/workspaces' } },
    })
    expect([status, json.title]).toEqual([200, 'imported.txt'])
  })

  test('are told apart by their address: unknown ones and files are 404', async () => {
    const batch = await newBatch()
    await send(batch, 0, 'x')
    expect((await execute(`${batch}/1/execute/Blob.Attach`, {})).status).toBe(404)
    expect((await execute(`${batch}/0/execute/No.Such`, {})).status).toBe(404)
  })

  test('happen once for an idempotency key', async () => {
    const { uid } = await fresh()
    const batch = await newBatch()
    await send(batch, 0, 'once')
    const run = (name: string) =>
      execute(
        `${batch}/0/execute/Blob.Attach`,
        { params: { document: uid, xpath: name } },
        { 'Idempotency-Key': `attach-${batch}`, 'X-NXVoidOperation': 'true' },
      )
    expect((await run('files:files')).status).toBe(204)
    expect((await run('files:files')).status).toBe(204)
    expect((await run('file:content')).status).toBe(409)
    const { json } = await call('GET', `/api/v1/id/${uid}`, { headers: { properties: '*' } })
    expect(json.properties['files:files']).toHaveLength(1)
  })

  test('take uploads as input, as parameters and inside of parameters', async () => {
    const { uid } = await fresh()
    const batch = await newBatch()
    for (const [index, body] of ['zero', 'one', 'two'].entries()) await send(batch, index, body)
    const automation = (operation: string, json: object) =>
      call('POST', `/api/v1/automation/${operation}`, { json, headers: { 'X-Batch-No-Drop': 'true' } })
    const attached = await automation('Blob.Attach', { input: upload(batch, '0'), params: { document: uid } })
    expect([attached.status, await textOf(uid)]).toEqual([200, 'zero'])
    const set = await automation('Document.SetBlob', {
      input: `doc:${uid}`,
      params: { file: upload(batch, '1'), save: true },
    })
    expect([set.status, await textOf(uid)]).toEqual([200, 'one'])
    const created = await automation('Document.Create', {
      input: 'doc:/default-domain/workspaces',
      params: { type: 'File', name: 'by-operation', properties: { 'file:content': upload(batch, '2') } },
    })
    expect([created.status, await textOf(created.json.uid)]).toEqual([200, 'two'])
    const listed = await automation('Blob.Attach', {
      input: [upload(batch, '1'), upload(batch, '2')],
      params: { document: uid, xpath: 'files:files' },
    })
    expect([listed.status, await textOf(uid, 'files:files/1/file')]).toEqual([200, 'two'])
    const refused = await automation('Document.SetBlob', {
      input: `doc:${uid}`,
      params: { file: upload(batch, '9') },
    })
    expect([refused.status, refused.json.message]).toEqual([400, expect.stringMatching(/^params\.file: /)])
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

describe('the older protocol', () => {
  const BATCH = '/nuxeo/site/automation/batch'

  test('uploads under an id of the client, and executes', async () => {
    const batch = `my batch/${randomBytes(4).toString('hex')}`
    const headers = (index: string) => ({
      'X-Batch-Id': batch,
      'X-File-Idx': index,
      'X-File-Name': `${index}.txt`,
    })
    for (const index of ['0', '1']) {
      const sent = await call('POST', `${BATCH}/upload`, { body: `file ${index}`, headers: headers(index) })
      expect([sent.status, sent.json]).toEqual([200, { batchId: batch, uploaded: 'true' }])
    }
    const path = encodeURIComponent(batch)
    expect((await call('GET', `${BATCH}/files/${path}`)).json).toEqual([
      { name: '0.txt', size: 6 },
      { name: '1.txt', size: 6 },
    ])
    const { uid } = (await createFile({})).json
    const executed = await call('POST', `${BATCH}/execute`, {
      json: { params: { operationId: 'Blob.Attach', batchId: batch, fileIdx: 1, document: uid } },
      headers: { 'X-Batch-No-Drop': 'true' },
    })
    expect([executed.status, await textOf(uid)]).toEqual([200, 'file 1'])
    for (let times = 0; times < 2; times++) {
      const dropped = await call('GET', `${BATCH}/drop/${path}`)
      expect([dropped.status, dropped.json]).toEqual([200, { batchId: batch, dropped: 'true' }])
    }
    expect((await call('GET', `${BATCH}/files/${path}`)).json).toEqual([])
  })

  test.each([
    ['upload', {}, /^X-Batch-Id/],
    ['upload', { 'X-Batch-Id': 'b', 'X-File-Idx': 'x' }, /^X-File-Idx/],
    ['execute', { 'Content-Type': 'application/json' }, /^params/],
  ])('refuses %s with %j', async (route, headers, message) => {
    const answer = await call('POST', `${BATCH}/${route}`, { body: '{}', headers: headers as never })
    expect([answer.status, answer.json.message]).toEqual([400, expect.stringMatching(message)])
  })
})

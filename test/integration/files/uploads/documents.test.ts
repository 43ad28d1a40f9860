import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { removeExpiredUploads } from '../../../../runtime/index.js'
import { createUploadBench, UPLOAD, upload, WORKSPACES } from '../../support/upload-support.js'

const { platform, call, newBatch, send, createFile, textOf } = await createUploadBench()

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

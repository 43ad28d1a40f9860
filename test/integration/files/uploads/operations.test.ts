import { describe, expect, test } from 'vitest'
import type { Entity } from '../../support/rest-client.js'
import { createUploadBench, UPLOAD, upload } from '../../support/upload-support.js'

const { call, newBatch, send, sendChunk, createFile, textOf } = await createUploadBench()

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

  test('are distinguished by their address: unknown ones and files are 404', async () => {
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

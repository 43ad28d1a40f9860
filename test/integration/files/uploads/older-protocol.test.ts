import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createUploadBench } from '../../support/upload-support.js'

const { call, createFile, textOf } = await createUploadBench()

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
      const foreign: Record<string, string>[] = [
        { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors' },
        { 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'no-cors' },
        { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' },
        { Referer: 'https://elsewhere.example/page' },
      ]
      for (const headers of foreign)
        expect((await call('GET', `${BATCH}/drop/${path}`, { headers })).status).toBe(403)
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

import { Client, Connection } from '@temporalio/client'
import { afterAll, expect, inject, test } from 'vitest'
import { createEngine } from '../../../api/engine.js'
import { soon } from '../../support/soon.js'
import { uniqueName } from '../../support/template.js'
import { type Answer, addUser, createClient } from '../support/rest-client.js'
import { createTestPlatform } from '../support/rest-support.js'

const address = inject('temporalAddress')
const platform = await createTestPlatform({
  TEMPORAL_ADDRESS: address,
  ARCHIVOLT_TASK_QUEUE: uniqueName('queue'),
  ARCHIVOLT_OPEN_CONVERSIONS: '3',
})
const engine = await createEngine(platform)
const client = new Client({ connection: await Connection.connect({ address }) })
const call = createClient(platform, engine)

/** No worker is here, so that conversions stay open until they are ended. */
const opened: string[] = []
const end = (id: string): Promise<unknown> =>
  client.workflow
    .getHandle(`conversion-${id}`)
    .terminate()
    .catch(() => undefined)
afterAll(async () => {
  await Promise.all(opened.map(end))
  await client.connection.close()
  await engine.close()
})

const file = { name: 'a.txt', 'mime-type': 'text/plain', data: 'words' }
const { json: document } = await call('POST', '/api/v1/path/default-domain/workspaces', {
  json: { 'entity-type': 'document', type: 'File', name: 'a', properties: { 'file:content': file } },
})
for (const user of ['ann', 'bob']) {
  await addUser(platform, user, ['members'])
  const params = { permission: 'Read', username: user }
  const added = await call('POST', '/api/v1/automation/Document.AddPermission', {
    json: { params, input: document.uid },
  })
  expect(added.status, added.text).toBeLessThan(300)
}

const convertLater = async (user: string): Promise<Answer> => {
  const path = `/api/v1/id/${document.uid}/@convert?format=html&async=true`
  const answer = await call('POST', path, { user })
  if (answer.status === 202) opened.push(answer.json.conversionId)
  return answer
}
const convertHere = (user: string): Promise<Answer> =>
  call('POST', '/api/v1/automation/Blob.Convert', {
    user,
    json: { params: { mimeType: 'text/html' }, input: document.uid },
  })

test('a user may have so many open conversions, and more when one has ended', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => convertLater('ann')))
  expect(answers.map(({ status }) => status).sort()).toEqual([202, 202, 202, 429, 429, 429, 429, 429])
  const refused = answers.find(({ status }) => status === 429)
  expect(refused?.headers.get('Retry-After')).toBe('2')
  expect(refused?.json.message).toContain('User ann has 3 open conversions')
  expect((await convertHere('ann')).status).toBe(429)
  expect((await call('GET', `/api/v1/id/${document.uid}/@rendition/pdf`, { user: 'ann' })).status).toBe(429)
  expect((await convertHere('bob')).status).toBe(200)
  expect((await convertHere('Administrator')).status).toBe(200)
  await end(opened[0] ?? '')
  await soon(async () => expect((await convertHere('ann')).status).toBe(200))
})

test('conversions are listed for their caller, found by what they are about, and end when they are cancelled', async () => {
  const scheduled = (await convertLater('bob')).json
  const path = (what: string) => `/api/v1/conversion/${scheduled.conversionId}${what}`
  const poll = () => call('GET', path('/poll'), { user: 'bob' })
  const waiting = await poll()
  expect([waiting.status, waiting.json.status, waiting.headers.get('Retry-After')]).toEqual([
    200,
    'scheduled',
    '1',
  ])
  await soon(async () => {
    const { json } = await call('GET', '/api/v1/conversions', { user: 'bob' })
    expect(json.entries).toEqual([
      expect.objectContaining({
        'entity-type': 'conversion',
        conversionId: scheduled.conversionId,
        state: 'RUNNING',
        file: 'a.txt',
        target: 'html',
        documentId: document.uid,
        pollingURL: expect.stringContaining(`/conversions/${scheduled.conversionId}/poll`),
      }),
    ])
  })
  const others = await call('GET', '/api/v1/conversions', { user: 'ann' })
  expect(others.text).not.toContain(scheduled.conversionId)
  const query = `ChainId = 'html' AND Principal = 'bob' AND DocumentId = '${document.uid}' AND RequestId IS NOT NULL`
  await soon(async () => expect((await client.workflow.count(query)).count).toBe(1))
  expect((await call('DELETE', path(''), { user: 'ann' })).status).toBe(404)
  expect((await call('DELETE', path(''), { user: 'bob' })).status).toBe(202)
  // A cancellation takes a worker.
  await end(scheduled.conversionId)
  const cancelled = await poll()
  expect([cancelled.status, cancelled.json.code]).toEqual([410, 'gone'])
  expect((await call('GET', path('/result'), { user: 'bob' })).status).toBe(410)
  expect((await call('DELETE', path(''), { user: 'bob' })).status).toBe(409)
})

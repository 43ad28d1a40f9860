import { afterAll, expect, inject, test } from 'vitest'
import { createApp } from '../../../api/app.js'
import { createEngine } from '../../../api/engine.js'
import { ADMIN_PASSWORD, createTestPlatform } from '../../support/platform.js'
import { uniqueName } from '../../support/template.js'

const { platform } = await createTestPlatform({
  TEMPORAL_ADDRESS: inject('temporalAddress'),
  ARCHIVOLT_TASK_QUEUE: uniqueName('queue'),
})
const engine = await createEngine(platform)
afterAll(() => engine.close())
const app = createApp(platform, engine)

const request = (path: string, init: RequestInit = {}, timeout?: string) =>
  app.request(`http://localhost/api/v1${path}`, {
    ...init,
    headers: {
      authorization: `Basic ${Buffer.from(`Administrator:${ADMIN_PASSWORD}`).toString('base64')}`,
      'content-type': 'application/json',
      ...(timeout !== undefined && { 'Nuxeo-Transaction-Timeout': timeout }),
    },
  })

const create = (name: string, timeout: string) =>
  request(
    '/automation/Document.Create',
    { method: 'POST', body: JSON.stringify({ input: 'doc:/', params: { type: 'Folder', name } }) },
    timeout,
  )

test('a transaction that lasts longer than its caller allows is rolled back, and said so', async () => {
  const answer = await create('late', '0.0001')
  expect(answer.status).toBe(504)
  expect(await answer.json()).toMatchObject({
    'entity-type': 'exception',
    message: expect.stringContaining('lasted longer than it may'),
  })
  expect((await request('/path/late')).status).toBe(404)
})

test.each([['300'], ['soon'], ['0'], ['-1'], ['']])('a limit of %j lets it be', async (timeout) => {
  expect((await create(`made-${timeout}`, timeout)).status).toBe(200)
})

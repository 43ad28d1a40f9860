import { expect, test } from 'vitest'
import { createApp } from '../../../../api/app.js'
import { startServer } from '../../../../api/server.js'
import { soon } from '../../../support/soon.js'
import { addUser, type Entity, USER_PASSWORD } from '../../support/rest-client.js'
import { createUploadBench, UPLOAD } from '../../support/upload-support.js'

const { platform, call } = await createUploadBench({
  ARCHIVOLT_PROGRESS_STREAMS: '2',
  ARCHIVOLT_ALL_PROGRESS_STREAMS: '3',
  ARCHIVOLT_OPEN_BATCHES: '2',
})
for (const user of ['ann', 'bob', 'cora']) await addUser(platform, user)

const newBatch = (user: string) => call('POST', UPLOAD, { user })

test('a user has so many batches', async () => {
  const [first] = [await newBatch('cora'), await newBatch('cora')]
  const refused = await newBatch('cora')
  expect([refused.status, refused.headers.get('Retry-After'), refused.json.message]).toEqual([
    429,
    '10',
    'User cora has 2 batches of uploads, which is the maximum',
  ])
  expect((await call('DELETE', `${UPLOAD}/${first!.json.batchId}`, { user: 'cora' })).status).toBe(204)
  expect((await newBatch('cora')).status).toBe(201)
})

test('a user, and all together, follow so many things at a time', async () => {
  const server = await startServer(createApp(platform), { host: '127.0.0.1', port: 0 })
  const batches = { ann: (await newBatch('ann')).json.batchId, bob: (await newBatch('bob')).json.batchId }
  const open = (user: 'ann' | 'bob', init: RequestInit = {}): Promise<Response> =>
    fetch(`http://127.0.0.1:${server.port}${UPLOAD}/${batches[user]}`, {
      ...init,
      headers: {
        Accept: 'text/event-stream',
        Authorization: `Basic ${Buffer.from(`${user}:${USER_PASSWORD}`).toString('base64')}`,
      },
    })
  const gone = new AbortController()
  try {
    for (let asked = 0; asked < 3; asked++) expect((await open('ann', { method: 'HEAD' })).status).toBe(200)
    const { signal } = gone
    expect([(await open('ann', { signal })).status, (await open('ann', { signal })).status]).toEqual([
      200, 200,
    ])
    const refused = await open('ann')
    expect([
      refused.status,
      refused.headers.get('Retry-After'),
      ((await refused.json()) as Entity).message,
    ]).toEqual([429, '10', 'User ann, or this server, has too many open streams of progress'])
    expect((await open('bob')).status).toBe(200)
    expect((await open('bob')).status).toBe(429)
    gone.abort()
    await soon(async () => expect((await open('ann')).status).toBe(200))
  } finally {
    await server.stop(100)
  }
})

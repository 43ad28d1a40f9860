import { expect, test } from 'vitest'
import { runDeployed } from '../../../../core/automation/execution/index.js'
import { createLooseTasks } from '../../../../core/automation/routing/instances/index.js'
import { getDocument } from '../../../../core/content/documents/index.js'
import { createAutomationRuntime } from '../../../../runtime/index.js'
import { ADMINISTRATOR } from '../../support/operations-support.js'
import { API, createWorkflowBench } from '../../support/workflow-support.js'

const { call, ok, file, platform } = await createWorkflowBench({ ARCHIVOLT_OPEN_TASKS: '3' })

const ACTORS = 'additional list of actors prefixed ids'

const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => `user:u${index}`)

const create = (user: string, document: string, params: object) =>
  call('POST', `${API}/automation/Task.Create`, {
    user,
    json: { input: `doc:${document}`, params: { 'task name': 'look', ...params } },
  })

const openTasks = async (): Promise<number> => (await ok(call('GET', `${API}/task?pageSize=1`))).resultsCount

test('Task.Create names so many actors at most, with a task each and with one for all', async () => {
  const document = await file()
  for (const isOneEach of [true, false])
    expect(
      await create('Administrator', document, {
        [ACTORS]: numbered(101),
        'create one task per actor': isOneEach,
      }),
    ).toMatchObject({
      status: 400,
      json: { message: expect.stringContaining(`${ACTORS}: there would be 101, and 100 at most`) },
    })
  const shared = { [ACTORS]: numbered(100), 'create one task per actor': false }
  await ok(create('Administrator', document, shared))
})

test('a user may have made so many open tasks, and makes further ones when they have ended', async () => {
  const document = await file()
  await ok(create('ann', document, { [ACTORS]: ['user:bob', 'user:eve'] }))
  const before = await openTasks()
  const refused = await create('ann', document, { [ACTORS]: ['user:bob', 'user:eve'] })
  expect(refused).toMatchObject({
    status: 429,
    json: { message: expect.stringContaining('User ann may have 3 open tasks made by Task.Create') },
  })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await openTasks()).toBe(before)
  await ok(create('ann', document, { [ACTORS]: ['user:bob'] }))
  expect((await create('ann', document, { [ACTORS]: ['user:bob'] })).status).toBe(429)
  const { entries } = await ok(call('GET', `${API}/task?userId=bob`, { user: 'bob' }))
  const json = { 'entity-type': 'task', id: entries[0].id }
  await ok(call('PUT', `${API}/task/${entries[0].id}/accept`, { user: 'bob', json }))
  await ok(create('ann', document, { [ACTORS]: ['user:bob'] }))
  await ok(create('bob', document, { [ACTORS]: ['user:ann'] }))
})

test('a transaction that makes tasks holds up nobody else, and ends with its caller', async () => {
  const document = await file()
  const runtime = await createAutomationRuntime(platform)
  const caller = new AbortController()
  const before = await openTasks()
  const wanted = { name: 'look', actors: ['user:bob', 'user:eve'], isOneEach: true }
  try {
    const work = runDeployed(
      runtime.segments(),
      { principal: ADMINISTRATOR, signal: caller.signal },
      async (context) => {
        const record = await getDocument(context.session, document)
        await createLooseTasks(context, record, wanted)
        // The transaction is open, and what it has made is not committed.
        await ok(create('Administrator', document, { [ACTORS]: ['user:eve'] }))
        caller.abort(new Error('the caller has gone'))
        await createLooseTasks(context, record, wanted)
        return {}
      },
    )
    await expect(work).rejects.toThrow('the caller has gone')
  } finally {
    await runtime.close()
  }
  expect(await openTasks()).toBe(before + 1)
})

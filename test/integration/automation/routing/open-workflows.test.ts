import { expect, test } from 'vitest'
import { API, createWorkflowBench } from '../../support/workflow-support.js'

const { call, ok, start, file } = await createWorkflowBench({
  ARCHIVOLT_OPEN_WORKFLOWS: '2',
  ARCHIVOLT_ALL_OPEN_WORKFLOWS: '3',
})

const asked = (user: string, id: string) =>
  call('POST', `${API}/workflow`, {
    user,
    json: {
      'entity-type': 'workflow',
      workflowModelName: 'ParallelDocumentReview',
      attachedDocumentIds: [id],
    },
  })

test('a user, and all together, may have so many open workflows, whatever starts them', async () => {
  const id = await file()
  for (const username of ['bob', 'eve']) {
    const json = { input: `doc:${id}`, params: { username, permission: 'ReadWrite' } }
    await ok(call('POST', `${API}/automation/Document.AddPermission`, { json }))
  }
  const [first] = [await start('ParallelDocumentReview', [id]), await start('ParallelDocumentReview', [id])]
  const refused = await asked('ann', id)
  expect(refused).toMatchObject({
    status: 429,
    json: { message: 'User ann has 2 open workflows, which is the maximum' },
  })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  const json = { input: `doc:${id}`, params: { id: 'ParallelDocumentReview', start: false } }
  expect((await call('POST', `${API}/automation/Context.StartWorkflow`, { user: 'ann', json })).status).toBe(
    429,
  )
  await start('ParallelDocumentReview', [id], { user: 'bob' })
  expect(await asked('eve', id)).toMatchObject({
    status: 429,
    json: { message: 'There are 3 open workflows, which is the maximum' },
  })
  await start('ParallelDocumentReview', [id], { user: 'Administrator' })
  await ok(call('DELETE', `${API}/workflow/${first.id}`, { user: 'ann' }), 204)
  await ok(call('DELETE', `${API}/workflow/${first.id}`, { user: 'ann' }), 409)
})

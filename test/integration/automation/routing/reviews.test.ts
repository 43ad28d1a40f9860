import { describe, expect, test } from 'vitest'
import { soon } from '../../../support/soon.js'
import type { Entity } from '../../support/rest-client.js'
import { API, createWorkflowBench } from '../../support/workflow-support.js'

const bench = await createWorkflowBench({
  ARCHIVOLT_ESCALATION_SECONDS: '1',
  // Nothing is sent: the mail waits.
  ARCHIVOLT_SMTP_URL: 'smtp://127.0.0.1:9',
})
const { call, ok, start, tasks, complete, workflow, document, file } = bench

const only = async (user: string, id: string): Promise<Entity> => {
  const found = await tasks(user, id)
  expect(found).toHaveLength(1)
  return found[0]!
}

const lockOwner = async (id: string): Promise<string | undefined> =>
  (await ok(call('GET', `${API}/id/${id}`, { headers: { 'fetch-document': 'lock' } }))).lockOwner

describe('the serial review', () => {
  test('ends at once when its initiator cancels, without any validation', async () => {
    const id = await file()
    const started = await start('SerialDocumentReview', [id])
    await ok(complete('ann', await only('ann', started.id), 'cancel'))
    expect(await workflow(started.id)).toMatchObject({ state: 'done', variables: { index: 0 } })
    expect(await document(id)).toMatchObject({ state: 'project', isCheckedOut: true })
  })

  test('leaves the document as it is when a review alone was asked for, and mails the initiator', async () => {
    const properties = { email: 'ann@example.com' }
    await ok(call('PUT', `${API}/user/ann`, { json: { 'entity-type': 'user', id: 'ann', properties } }))
    const id = await file()
    const started = await start('SerialDocumentReview', [id])
    const variables = { participants: ['bob'], validationOrReview: 'review' }
    await ok(complete('ann', await only('ann', started.id), 'start_review', { comment: 'look', variables }))
    const review = await only('bob', started.id)
    expect(review.variables.comment).toBe('')
    await ok(complete('bob', review, 'validate'))
    expect(await workflow(started.id)).toMatchObject({
      state: 'done',
      variables: { validationOrReview: 'review', initiatorComment: 'look' },
    })
    expect(await document(id)).toMatchObject({ state: 'project', isCheckedOut: true })
    const mails = await bench.platform.database.sql<{ message: { to: string[]; subject: string } }[]>`
      SELECT message FROM mails WHERE message ->> 'subject' LIKE '%has ended'`
    expect(mails.map(({ message }) => message)).toMatchObject([
      { to: ['ann@example.com'], subject: expect.stringContaining('The review of') },
    ])
  })

  test('is cancelled by its initiator after the first one has rejected', async () => {
    const id = await file()
    const started = await start('SerialDocumentReview', [id])
    const variables = { participants: ['bob'] }
    await ok(complete('ann', await only('ann', started.id), 'start_review', { variables }))
    await ok(complete('bob', await only('bob', started.id), 'reject'))
    await ok(complete('ann', await only('ann', started.id), 'cancel'))
    expect(await workflow(started.id)).toMatchObject({ state: 'done', variables: { index: -1 } })
    expect((await document(id)).state).toBe('project')
  })
})

describe('the parallel review', () => {
  const begun = async (variables: object) => {
    const id = await file()
    const started = await start('ParallelDocumentReview', [id])
    await ok(complete('ann', await only('ann', started.id), 'start_review', { variables }))
    return { id, workflowId: started.id as string }
  }

  test('unlocks the document when its initiator cancels', async () => {
    const id = await file()
    const started = await start('ParallelDocumentReview', [id])
    expect(await lockOwner(id)).toBeUndefined()
    await ok(complete('ann', await only('ann', started.id), 'cancel'))
    expect(await lockOwner(id)).toBeUndefined()
    expect(await workflow(started.id)).toMatchObject({ state: 'done' })
    const graph = await ok(call('GET', `${API}/workflow/${started.id}/graph`))
    expect(graph.nodes.find((node: Entity) => node.id === 'Task328d').state).toBe('ready')
  })

  test('locks the document, keeps the opinions as a file, and ends unapproved when they are rejected', async () => {
    const { id, workflowId } = await begun({ participants: ['bob'], end_date: '2030-01-01T00:00:00.000Z' })
    expect(await lockOwner(id)).toBe('ann')
    const other = { 'entity-type': 'workflow', workflowModelName: 'ParallelDocumentReview' }
    expect((await call('POST', `${API}/id/${id}/@workflow`, { user: 'ann', json: other })).status).toBe(400)
    await ok(complete('bob', await only('bob', workflowId), 'reject', { comment: 'no' }))
    const consolidate = await only('ann', workflowId)
    expect(consolidate.variables.review_result).toBe('<ul><li>bob: reject - no</li></ul>')
    expect(consolidate.variables.review_result_file).toMatchObject({
      name: 'review_result.html',
      'mime-type': 'text/html',
    })
    await ok(complete('ann', consolidate, 'reject'))
    expect(await lockOwner(id)).toBeUndefined()
    expect(await workflow(workflowId)).toMatchObject({ state: 'done' })
    expect((await document(id)).state).toBe('project')
  })

  test('goes on without those who have not answered a day after its end date', async () => {
    const day = 24 * 60 * 60 * 1_000
    const soonOver = new Date(Date.now() - day + 3_000).toISOString()
    const { workflowId } = await begun({ participants: ['bob', 'eve'], end_date: soonOver })
    await ok(complete('bob', await only('bob', workflowId), 'approve'))
    expect(await tasks('ann', workflowId)).toEqual([])
    await soon(async () =>
      expect(await only('ann', workflowId)).toMatchObject({
        nodeName: 'Task2169',
        variables: { review_result: '<ul><li>bob: approve</li></ul>' },
      }),
    )
    expect(await tasks('eve', workflowId)).toEqual([])
    const { entries } = await ok(call('GET', `${API}/workflow/${workflowId}/escalations`, { user: 'ann' }))
    expect(entries).toMatchObject([{ node: 'Task328d', rule: 'forceNext', error: null }])
    expect(Date.parse(entries[0].executedAt)).toBeGreaterThanOrEqual(Date.parse(soonOver) + day)
  })
})

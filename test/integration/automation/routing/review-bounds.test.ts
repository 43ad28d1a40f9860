import { expect, test } from 'vitest'
import { createDocument, getDocument, setAcls } from '../../../../core/content/documents/index.js'
import { uniqueName } from '../../../support/template.js'
import { ADMINISTRATOR } from '../../support/operations-support.js'
import { addUser } from '../../support/rest-client.js'
import { API, createWorkflowBench } from '../../support/workflow-support.js'

const { platform, call, ok, start, tasks, only, complete, file, deploy, document, workflow } =
  await createWorkflowBench()
const { sql } = platform.database

const REVIEW = `permission: ReadWrite
variables: { reviewers: { type: list }, notes: {} }
nodes:
  begin: { start: true, transitions: [{ name: go, targetId: choose }] }
  choose:
    hasTask: true
    taskAssignees: ['ann']
    globalVariables: [reviewers, notes]
    transitions: [{ name: go, targetId: review }]
  review:
    hasTask: true
    hasMultipleTasks: true
    taskAssigneesExpr: WorkflowVariables["reviewers"]
    taskAssigneesPermission: Read
    transitions: [{ name: go, targetId: end }]
  end: { stop: true }
`
await ok(deploy('routes', 'bounded', REVIEW), 201)

const TWELVE = Array.from({ length: 12 }, (_, index) => `reviewer${index}`)
for (const user of TWELVE) await addUser(platform, user)

const count = async (table: 'outbox' | 'documents'): Promise<number> =>
  Number((await sql`SELECT count(*) AS rows FROM ${sql(table)}`)[0]?.rows)

const aclNames = async (id: string): Promise<string[]> =>
  (await platform.readSession(ADMINISTRATOR).stores.acls.local(id)).map(({ name }) => name)

/** Files that ann may read and write. */
const files = (wanted: number): Promise<string[]> =>
  platform.withSession(ADMINISTRATOR, async (session) => {
    const folder = await createDocument(session, { parent: '/', type: 'Folder', name: uniqueName('many') })
    await setAcls(session, folder, [
      { name: 'local', aces: [{ username: 'ann', permission: 'ReadWrite', granted: true }] },
    ])
    const ids: string[] = []
    for (let index = 0; index < wanted; index++)
      ids.push((await createDocument(session, { parent: folder.id, type: 'File', name: `f${index}` })).id)
    return ids
  })

const reviewed = async (documents: string[], reviewers: string[]) => {
  const { id } = await start('bounded', documents)
  const task = await only('ann', id)
  return { id, task, answer: await complete('ann', task, 'go', { variables: { reviewers } }) }
}

test('reviewers times documents of a move are bounded, and nothing of one beyond has happened', async () => {
  const documents = await files(1_000)
  const { id } = await start('bounded', documents)
  const task = await only('ann', id)
  const before = [await count('outbox'), await count('documents')]
  expect(await complete('ann', task, 'go', { variables: { reviewers: TWELVE } })).toMatchObject({
    status: 400,
    json: { message: expect.stringMatching(/^Node review: 12 assignees on 1000 documents .* 10000 at most/) },
  })
  expect([await count('outbox'), await count('documents')]).toEqual(before)
  expect(await only('ann', id)).toMatchObject({ id: task.id })
  expect((await workflow(id)).variables).toMatchObject({ reviewers: [] })
  await ok(call('DELETE', `${API}/workflow/${id}`, { user: 'ann' }), 204)
})

test('a cancelled workflow changes the rights of each document once, for all of its tasks', async () => {
  const documents = await files(20)
  const { id, answer } = await reviewed(documents, TWELVE)
  expect(answer.status).toBe(200)
  const names = await aclNames(documents[0]!)
  expect(names.filter((name) => name.startsWith('routing/'))).toHaveLength(12)
  const changes = async () =>
    Number(
      (
        await sql`SELECT count(*) AS rows FROM outbox
          WHERE event = 'documentSecurityUpdated' AND document_id IN ${sql(documents)}`
      )[0]?.rows,
    )
  const before = await changes()
  await ok(call('DELETE', `${API}/workflow/${id}`, { user: 'ann' }), 204)
  expect((await changes()) - before).toBe(20)
  expect((await aclNames(documents[0]!)).filter((name) => name.startsWith('routing/'))).toEqual([])
  expect(await tasks('reviewer1', id)).toEqual([])
})

test('long variables are shortened in the events of a workflow', async () => {
  const { id } = await start('bounded', [await file()])
  const task = await only('ann', id)
  const variables = { reviewers: ['bob', 'eve'], notes: 'x'.repeat(500_000) }
  await ok(complete('ann', task, 'go', { variables }))
  const events = await sql<
    { event: string; length: number; infos: { [key: string]: { [name: string]: unknown } } }[]
  >`
    SELECT event, length(payload::text) AS length, payload -> 'extendedInfos' AS infos FROM outbox
    WHERE event IN ('afterWorkflowTaskCreated', 'afterWorkflowTaskEnded') AND payload::text LIKE '%xxxx%'`
  expect(events.map(({ event }) => event).sort()).toEqual([
    'afterWorkflowTaskCreated',
    'afterWorkflowTaskCreated',
    'afterWorkflowTaskEnded',
  ])
  for (const { length, infos } of events) {
    expect(length).toBeLessThan(20_000)
    expect(infos.workflowVariables).toEqual({
      reviewers: ['bob', 'eve'],
      notes: expect.stringMatching(/^x{1000,}…$/),
    })
  }
  expect((await workflow(id)).variables.notes).toBe(variables.notes)
})

test('tasks have few entries on a document, and keep nobody from changing its rights', async () => {
  const id = await file()
  const hundred = Array.from({ length: 100 }, (_, index) => `crowd${index}`)
  for (const user of hundred) await addUser(platform, user)
  const ids: string[] = []
  for (const expected of [200, 200, 400]) {
    const { id: started, answer } = await reviewed([id], hundred)
    expect(answer.status, answer.text).toBe(expected)
    ids.push(started)
    if (expected === 400) expect(answer.json.message).toMatch(/at most 200 entries by open tasks/)
  }
  // The task of the third stays open, and can be ended when there is room.
  const task = await only('ann', ids[2]!)
  const local = Array.from({ length: 1_000 }, (_, index) => ({
    ...{ username: `u${index}`, permission: 'Read', granted: true },
  }))
  await platform.withSession(ADMINISTRATOR, async (session) => {
    const found = await getDocument(session, id)
    const kept = (await session.stores.acls.local(id)).filter(({ name }) => name !== 'local')
    return setAcls(session, found, [...kept, { name: 'local', aces: local }])
  })
  const operation = (name: string, params: object) =>
    call('POST', `${API}/automation/${name}`, { json: { input: `doc:${id}`, params } })
  const more = { user: 'bob', permission: 'Write', grant: true, overwrite: false }
  expect((await operation('Document.SetACE', more)).status).toBe(400)
  await ok(operation('Document.SetACE', { ...more, grant: false }))
  await ok(operation('Document.BlockPermissionInheritance', {}))
  await ok(call('DELETE', `${API}/workflow/${ids[0]}`), 204)
  await ok(complete('Administrator', task, 'go', { variables: { reviewers: ['bob'] } }))
  expect(await document(id)).toMatchObject({ uid: id })
})

test('whom nobody knows is refused by who names them, and gets no right later', async () => {
  const id = await file()
  const { id: started, task, answer } = await reviewed([id], ['bob', 'nobody'])
  const refused = {
    status: 400,
    json: { message: "Node review: assignees of its task: there is no user or group 'nobody'" },
  }
  expect(answer).toMatchObject(refused)
  const params = { id: started, properties: { reviewers: '["bob", "nobody", "group:bob"]' } }
  await ok(
    call('POST', `${API}/automation/Workflow.SetWorkflowVariables`, { user: 'ann', json: { params } }),
    204,
  )
  await ok(complete('ann', task, 'go'))
  const acls = await platform.readSession(ADMINISTRATOR).stores.acls.local(id)
  const granted = acls.filter(({ name }) => name.startsWith('routing/')).flatMap(({ aces }) => aces)
  expect(granted.map(({ username }) => username)).toEqual(['bob'])
})

test('whom a power user names by a variable gets no more than the power user has', async () => {
  await addUser(platform, 'pat')
  await ok(call('POST', `${API}/user/pat/group/powerusers`), 201)
  const id = await file()
  await ok(
    call('POST', `${API}/automation/Document.BlockPermissionInheritance`, { json: { input: `doc:${id}` } }),
  )
  const status = async (user: string) => (await call('GET', `${API}/id/${id}`, { user })).status
  expect(await status('pat')).not.toBe(200)
  const name = async (user: string, operation: string, params: object) => {
    await ok(call('POST', `${API}/automation/${operation}`, { user, json: { params } }), 204)
  }
  const started = async (): Promise<string> => (await start('bounded', [id])).id
  /** While pat may write it himself. */
  const nameAsWriter = async (operation: string, params: object) => {
    const right = (change: string, more: object) =>
      ok(
        call('POST', `${API}/automation/Document.${change}Permission`, {
          json: { input: `doc:${id}`, params: more },
        }),
      )
    await right('Add', { username: 'pat', permission: 'ReadWrite' })
    await name('pat', operation, params)
    await right('Remove', { user: 'pat' })
  }
  const first = await started()
  const early = { id: first, properties: { reviewers: '["pat", "bob"]' } }
  const params = { user: 'pat', json: { params: early } }
  expect((await call('POST', `${API}/automation/Workflow.SetWorkflowVariables`, params)).status).toBe(403)
  await nameAsWriter('Workflow.SetWorkflowVariables', early)
  await ok(complete('ann', await only('ann', first), 'go'))
  expect(await tasks('pat', first)).toHaveLength(1)
  expect([await status('pat'), await status('bob')]).not.toContain(200)
  const second = await started()
  const asked = { workflowInstanceId: second, name: 'reviewers', value: ['bob'] }
  await nameAsWriter('Context.SetWorkflowVar', asked)
  await ok(complete('ann', await only('ann', second), 'go'))
  expect(await status('bob')).not.toBe(200)
  // Who names them and has the right gives it.
  const third = await started()
  await nameAsWriter('Context.SetWorkflowVar', { ...asked, workflowInstanceId: third })
  await name('ann', 'Context.SetWorkflowVar', { ...asked, workflowInstanceId: third })
  await ok(complete('ann', await only('ann', third), 'go'))
  expect(await status('bob')).toBe(200)
})

test('a workflow is about a thousand documents at most, in a trial too', async () => {
  const id = await file()
  const tried = (times: number) =>
    call('POST', `${API}/workflowModel/bounded/trial`, {
      json: { 'entity-type': 'workflowTrial', attachedDocumentIds: Array(times).fill(id), end: 'P1D' },
    })
  const { status, text } = await tried(1_001)
  expect([status, text]).toEqual([
    expect.any(Number),
    expect.stringContaining('attachedDocumentIds: there would be 1001, and 1000 at most'),
  ])
  expect((await tried(2)).text).not.toContain('attachedDocumentIds: there would be')
})

test('large documents of a task keep nobody from the list of tasks', async () => {
  const documents = await files(6)
  const { id } = await start('bounded', documents)
  await sql`UPDATE documents SET properties = properties || jsonb_build_object('dc:source', repeat(chr(1), 2500000))
    WHERE id = ANY (${documents})`
  const listed = await call('GET', `${API}/task?userId=ann&workflowInstanceId=${id}`, {
    user: 'ann',
    headers: { 'fetch.task': 'targetDocumentIds' },
  })
  expect(listed.status, listed.json.message).toBe(200)
  expect(listed.json.entries).toHaveLength(1)
  expect(listed.json.entries[0].targetDocumentIds.map(({ uid }: { uid: string }) => uid)).toEqual(documents)
  const { status } = await call('POST', '/api/v1/automation/Workflow.UserTaskPageProvider', {
    user: 'ann',
    json: { params: {} },
  })
  expect(status).toBe(200)
  await sql`UPDATE documents SET properties = properties - 'dc:source' WHERE id = ANY (${documents})`
})

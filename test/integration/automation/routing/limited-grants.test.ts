import { expect, test } from 'vitest'
import { EVERYONE, EVERYTHING } from '../../../../core/access/security/index.js'
import { createDocument, setAcls } from '../../../../core/content/documents/index.js'
import { soon } from '../../../support/soon.js'
import { uniqueName } from '../../../support/template.js'
import { ADMINISTRATOR } from '../../support/operations-support.js'
import { addUser } from '../../support/rest-client.js'
import { API, createWorkflowBench } from '../../support/workflow-support.js'

const { platform, client, call, ok, start, only, complete, deploy } = await createWorkflowBench()

const CHOSEN = `permission: ReadWrite
variables: { reviewers: { type: list } }
nodes:
  begin: { start: true, transitions: [{ name: go, targetId: choose }] }
  choose:
    hasTask: true
    taskAssigneesExpr: workflowInitiator
    globalVariables: [reviewers]
    transitions: [{ name: go, targetId: review }]
  review:
    hasTask: true
    taskAssigneesExpr: WorkflowVariables["reviewers"]
    taskAssignees: ['user:bob']
    taskAssigneesPermission: ReadWrite
    transitions: [{ name: go, targetId: end }]
  end: { stop: true }
`
await ok(deploy('routes', 'chosen', CHOSEN), 201)
await addUser(platform, 'cyn')

/** A folder with a file in it, on which nobody has a right. */
const closed = async () =>
  platform.withSession(ADMINISTRATOR, async (session) => {
    const folder = await createDocument(session, { parent: '/', type: 'Folder', name: uniqueName('closed') })
    const aces = [{ username: EVERYONE, permission: EVERYTHING, granted: false }]
    await setAcls(session, folder, [{ name: 'local', aces }])
    const file = await createDocument(session, { parent: folder.id, type: 'File', name: 'file' })
    return { folder: folder.id, file: file.id }
  })

const grant = (id: string, params: object) =>
  ok(call('POST', `${API}/automation/Document.AddPermission`, { json: { input: `doc:${id}`, params } }))
const remove = (id: string, user: string) =>
  ok(
    call('POST', `${API}/automation/Document.RemovePermission`, {
      json: { input: `doc:${id}`, params: { user } },
    }),
  )
/** What they get who read it, and change it. */
const access = async (id: string, user: string): Promise<number[]> => {
  const json = { 'entity-type': 'document', properties: { 'dc:description': uniqueName('by') } }
  const read = await call('GET', `${API}/id/${id}`, { user })
  const written = await call('PUT', `${API}/id/${id}`, { user, json })
  return [read.status, written.status]
}
/** Ann starts a review of a file by cyn and herself, and by bob, whom the model names. */
const reviewed = async (file: string): Promise<void> => {
  const { id } = await start('chosen', [file])
  const variables = { reviewers: ['user:cyn', 'user:ann'] }
  await ok(complete('ann', await only('ann', id), 'go', { variables }))
  expect(await access(file, 'cyn')).toEqual([200, 200])
}

test('what chosen reviewers have ends with the right of who has started it, and that of others does not', async () => {
  const { folder, file } = await closed()
  await grant(folder, { username: 'ann', permission: 'ReadWrite' })
  await reviewed(file)
  await grant(folder, { username: 'eve', permission: 'Read' })
  expect(await access(file, 'cyn')).toEqual([200, 200])
  await remove(folder, 'ann')
  expect(await access(file, 'cyn')).toEqual([404, 404])
  expect(await access(file, 'ann')).toEqual([404, 404])
  expect(await access(file, 'bob')).toEqual([200, 200])
})

test('it ends on each of the documents of a workflow, and where another workflow has them, too', async () => {
  const { folder, file } = await closed()
  await grant(folder, { username: 'ann', permission: 'ReadWrite' })
  const others = await platform.withSession(ADMINISTRATOR, (session) =>
    Promise.all(
      ['one', 'two'].map((name) => createDocument(session, { parent: folder, type: 'File', name })),
    ),
  )
  const files = [file, ...others.map(({ id }) => id)]
  for (const documents of [files, files.slice(1)]) {
    const { id } = await start('chosen', documents)
    await ok(complete('ann', await only('ann', id), 'go', { variables: { reviewers: ['user:cyn'] } }))
  }
  await remove(folder, 'ann')
  for (const id of files) {
    expect(await access(id, 'cyn')).toEqual([404, 404])
    expect(await access(id, 'bob')).toEqual([200, 200])
  }
})

test('it is reading where that is left', async () => {
  const { folder, file } = await closed()
  await grant(folder, { username: 'ann', permission: 'Read' })
  await grant(file, { username: 'ann', permission: 'ReadWrite' })
  await reviewed(file)
  await remove(file, 'ann')
  expect(await access(file, 'cyn')).toEqual([200, 403])
  expect(await access(file, 'ann')).toEqual([200, 403])
})

test('it ends when the document, or one above it, is moved to where they may not read', async () => {
  const [from, to] = [await closed(), await closed()]
  await grant(from.folder, { username: 'ann', permission: 'ReadWrite' })
  const inner = await platform.withSession(ADMINISTRATOR, async (session) => {
    const folder = await createDocument(session, { parent: from.folder, type: 'Folder', name: 'inner' })
    return {
      folder: folder.id,
      file: (await createDocument(session, { parent: folder.id, type: 'File', name: 'f' })).id,
    }
  })
  await reviewed(inner.file)
  await ok(
    call('POST', `${API}/automation/Document.Move`, {
      json: { input: `doc:${inner.folder}`, params: { target: to.folder } },
    }),
  )
  expect(await access(inner.file, 'cyn')).toEqual([404, 404])
  expect(await access(inner.file, 'bob')).toEqual([200, 200])
})

const upkeep = () =>
  client.workflow.execute('accessUpkeep', {
    taskQueue: platform.settings.temporal.taskQueue,
    workflowId: uniqueName('upkeep'),
  })

test('the upkeep ends it when a right has ended by its date', async () => {
  const { folder, file } = await closed()
  const end = new Date(Date.now() + 4_000)
  await grant(folder, { username: 'ann', permission: 'ReadWrite', end: end.toISOString() })
  await reviewed(file)
  await soon(() => expect(Date.now()).toBeGreaterThan(end.getTime()))
  await upkeep()
  expect(await access(file, 'cyn')).toEqual([404, 404])
  expect(await access(file, 'bob')).toEqual([200, 200])
})

test('the upkeep ends it when who has started it leaves the group that had the right', async () => {
  const { folder, file } = await closed()
  const team = uniqueName('team')
  const group = { 'entity-type': 'group', groupname: team, memberUsers: ['ann'] }
  await ok(call('POST', `${API}/group`, { json: group }), 201)
  await grant(folder, { username: team, permission: 'ReadWrite' })
  await reviewed(file)
  await upkeep()
  expect(await access(file, 'cyn')).toEqual([200, 200])
  await ok(call('DELETE', `${API}/user/ann/group/${team}`))
  await upkeep()
  expect(await access(file, 'cyn')).toEqual([404, 404])
  expect(await access(file, 'ann')).toEqual([404, 404])
  expect(await access(file, 'bob')).toEqual([200, 200])
})

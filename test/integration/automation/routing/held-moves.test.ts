import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createDocument, setAcls } from '../../../../core/content/documents/index.js'
import { soon } from '../../../support/soon.js'
import { uniqueName } from '../../../support/template.js'
import { ADMINISTRATOR } from '../../support/operations-support.js'
import { createWorkflowBench } from '../../support/workflow-support.js'

const { platform, ok, start, only, complete, deploy, workflow } = await createWorkflowBench({
  ARCHIVOLT_HOLD_SECONDS: '1',
})
const { sql } = platform.database

const REVIEW = `nodes:
  begin: { start: true, transitions: [{ name: go, targetId: choose }] }
  choose:
    hasTask: true
    taskAssignees: ['ann']
    transitions: [{ name: go, targetId: review }]
  review:
    hasTask: true
    taskAssignees: ['bob']
    taskAssigneesPermission: Read
    transitions: [{ name: go, targetId: end }]
  end: { stop: true }
`

test('a move that holds documents for longer than it may ends there, and nothing of it has happened', async () => {
  const model = uniqueName('held')
  await ok(deploy('routes', model, REVIEW), 201)
  const documents = await platform.withSession(ADMINISTRATOR, async (session) => {
    const parent = await createDocument(session, { parent: '/', type: 'Folder', name: model })
    const aces = [{ username: 'ann', permission: 'ReadWrite', granted: true }]
    await setAcls(session, parent, [{ name: 'local', aces }])
    const ids: string[] = []
    for (const name of ['a', 'b', 'c'])
      ids.push((await createDocument(session, { parent: parent.id, type: 'File', name })).id)
    return ids
  })
  const { id } = await start(model, documents, { user: 'Administrator' })
  const task = await only('ann', id)
  // Others have the second document for a while, and the third one until the answer: the move holds the first meanwhile.
  const answer = await sql.begin(async (third) => {
    await third`SELECT FROM documents WHERE id = ${documents[2]!} FOR UPDATE`
    const asked = await sql.begin(async (second) => {
      await second`SELECT FROM documents WHERE id = ${documents[1]!} FOR UPDATE`
      const begun = complete('ann', task, 'go')
      await setTimeout(4_000)
      return () => begun
    })
    return asked()
  })
  expect(answer).toMatchObject({
    status: 504,
    json: { message: expect.stringContaining('was rolled back') },
  })
  expect(await only('ann', id)).toMatchObject({ id: task.id })
  expect(await workflow(id)).toMatchObject({ state: 'running' })
  for (const document of documents) {
    const acls = await platform.readSession(ADMINISTRATOR).stores.acls.local(document)
    expect(acls.map(({ name }) => name)).not.toContainEqual(expect.stringMatching(/^routing\//))
  }
  // Part of the time is given back with each second, and a busy machine may need more than one attempt.
  await soon(async () => ok(complete('ann', task, 'go')))
  await only('bob', id)
})

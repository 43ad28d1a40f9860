import type Nuxeo from 'nuxeo'
import { beforeAll, expect, test } from 'vitest'
import { createWire, refusalOf, WORKSPACES } from '../../support/wire-support.js'

const { client, newUser } = await createWire()
let [ann, bob, eve]: Nuxeo[] = []
let count = 0

beforeAll(async () => {
  ann = await newUser('ann', ['administrators'])
  bob = await newUser('bob', ['members'])
  eve = await newUser('eve', ['members'])
})

const newFile = () =>
  client()
    .repository()
    .create(WORKSPACES, { type: 'File', name: `workflow-${++count}`, properties: {} })

/** The only open task of somebody in a workflow. */
const taskOf = async (by: Nuxeo, actorId: string, { id }: Nuxeo.Workflow): Promise<Nuxeo.Task> => {
  const { entries: tasks } = await by.workflows().fetchTasks({ actorId, workflowInstanceId: id })
  expect(tasks.map(({ state }) => state)).toEqual(['opened'])
  return tasks[0]!
}

test('a workflow: started, fetched, listed, drawn, cancelled', async () => {
  const file = await newFile()
  const started = await ann!
    .workflows()
    .start('SerialDocumentReview', { attachedDocumentIds: [file.uid], variables: { initiatorComment: 'hi' } })
  expect(started).toMatchObject({ state: 'running', initiator: 'ann', variables: { initiatorComment: 'hi' } })
  const fetched = await ann!.workflows().fetch(started.id)
  expect(fetched).toMatchObject({ id: started.id, attachedDocumentIds: [{ id: file.uid }] })
  const { entries: listed } = await ann!.workflows().fetchStartedWorkflows('SerialDocumentReview')
  expect(listed.map(({ id }) => id)).toEqual([started.id])
  expect((await bob!.workflows().fetchStartedWorkflows('SerialDocumentReview')).entries).toEqual([])
  const graph = await listed[0]!.fetchGraph()
  expect(graph.nodes.find(({ id }) => id === 'Task38e')?.state).toBe('suspended')
  expect((await fetched.fetchTasks()).entries.map(({ nodeName }) => nodeName)).toEqual(['Task38e'])
  expect((await refusalOf(bob!.workflows().delete(started.id))).status).toBe(403)
  await ann!.workflows().delete(started.id)
  expect((await ann!.workflows().fetch(started.id)).state).toBe('canceled')
})

test('a workflow of a document: started, listed with its tasks', async () => {
  const fetching = client().repository()
  const file = await fetching.fetch((await newFile()).uid)
  const started = await file.startWorkflow('ParallelDocumentReview')
  expect(started).toMatchObject({ state: 'running', attachedDocumentIds: [{ id: file.uid }] })
  const [listed] = (await file.fetchWorkflows()).entries
  expect(listed!.id).toBe(started.id)
  const { entries: tasks } = await listed!.fetchTasks()
  expect(tasks.map(({ nodeName }) => nodeName)).toEqual(['Task2556'])
  const { entries: opened } = await client()
    .workflows()
    .fetchTasks({ workflowModelName: 'ParallelDocumentReview' }, { fetchProperties: { task: ['actors'] } })
  expect(opened[0]!.actors[0]).toMatchObject({ 'entity-type': 'user', id: 'Administrator' })
})

test('a task: reassigned, delegated, ended with variables and a comment', async () => {
  const file = await newFile()
  const started = await ann!.workflows().start('SerialDocumentReview', { attachedDocumentIds: [file.uid] })
  const choose = await taskOf(ann!, 'ann', started)
  const ended = await choose
    .variable('participants', ['user:bob'])
    .complete('start_review', { comment: 'please' })
  expect(ended).toMatchObject({
    id: choose.id,
    state: 'ended',
    comments: [{ author: 'ann', text: 'please' }],
  })
  const review = await taskOf(bob!, 'bob', started)
  await review.reassign(['user:eve', 'user:ann'], { comment: 'busy' })
  const passed = await taskOf(eve!, 'eve', started)
  expect(passed.actors).toEqual([{ id: 'user:eve' }, { id: 'user:ann' }])
  await passed.delegate('user:bob', { comment: 'help' })
  const helped = await taskOf(bob!, 'bob', started)
  expect(helped.delegatedActors).toEqual([{ id: 'user:bob' }])
  expect(helped.comments.map(({ author, text }) => `${author}: ${text}`)).toEqual(['bob: busy', 'eve: help'])
  expect((await refusalOf(choose.complete('start_review'))).status).toBe(409)
  expect(await helped.complete('validate', { variables: {} })).toMatchObject({ state: 'ended' })
  expect(await ann!.workflows().fetch(started.id)).toMatchObject({ state: 'done', variables: { index: 1 } })
})

import { beforeEach, describe, expect, it } from 'vitest'
import { allowedTransitions, followTransition } from '../../../core/content/lifecycle/index.js'
import { checkIn } from '../../../core/content/versioning/index.js'
import type { DocumentRecord } from '../../../core/model/properties/index.js'
import { createDocumentBench, namesOf } from '../support/document-support.js'
import { ANN, documentOf, input } from '../support/operations-support.js'

const { run, read, create, as, events, grant, workspace } = await createDocumentBench('lifecycle')

let folder: DocumentRecord
let file: DocumentRecord

beforeEach(async () => {
  folder = await workspace()
  file = await create(folder.id, 'File', 'file')
})

const follow = (document: { id: string }, value: string, options = {}) =>
  run('Document.FollowLifecycleTransition', { input: input(document), params: { value }, ...options })

describe('transitions of the default life cycle', () => {
  it.each<[path: string[], state: string]>([
    [['approve'], 'approved'],
    [['obsolete'], 'obsolete'],
    [['approve', 'backToProject'], 'project'],
    [['obsolete', 'backToProject'], 'project'],
  ])('%j leads to %s', async (path, state) => {
    for (const transition of path) await follow(file, transition)
    expect((await read(file.id)).lifecycleState).toBe(state)
  })

  it.each<[path: string[], refused: string, state: string, allowed: string]>([
    [[], 'backToProject', 'project', 'approve, obsolete, delete'],
    [['approve'], 'obsolete', 'approved', 'backToProject, delete'],
    [['obsolete'], 'approve', 'obsolete', 'backToProject, delete'],
    [[], 'fly', 'project', 'approve, obsolete, delete'],
  ])('after %j refuses %s', async (path, refused, state, allowed) => {
    for (const transition of path) await follow(file, transition)
    await expect(follow(file, refused)).rejects.toMatchObject({
      code: 'badRequest',
      message: expect.stringContaining(
        `Not allowed to follow transition ${refused} from state ${state} on ${file.path}: allowed are ${allowed}`,
      ),
    })
    expect((await read(file.id)).lifecycleState).toBe(state)
  })

  it('reports which are allowed, out of the trash only the way back', async () => {
    const allowed = (document: DocumentRecord) => as(async (session) => allowedTransitions(session, document))
    expect(await allowed(file)).toEqual(['approve', 'obsolete', 'delete'])
    expect(await allowed({ ...file, isTrashed: true })).toEqual(['undelete'])
  })

  it('needs WriteLifeCycle', async () => {
    await expect(follow(file, 'approve', { as: ANN })).rejects.toMatchObject({ code: 'forbidden' })
    await grant(file.id, 'ann', ['WriteLifeCycle'])
    expect(documentOf(await follow(file, 'approve', { as: ANN })).lifecycleState).toBe('approved')
  })

  it('never changes a version', async () => {
    const { version } = await as((session) => checkIn(session, file, { increment: 'MAJOR' }))
    await expect(follow(version, 'approve')).rejects.toMatchObject({ code: 'badRequest' })
  })
})

describe('the event of a transition', () => {
  it('reports states, transition and comment', async () => {
    await events()
    await follow(file, 'approve', { variables: { comment: { type: 'string', value: 'Well done' } } })
    expect(await events()).toEqual([
      {
        event: 'lifecycle_transition_event',
        documentId: file.id,
        principal: 'Administrator',
        payload: expect.objectContaining({
          category: 'eventLifeCycleCategory',
          transition: 'approve',
          from: 'project',
          to: 'approved',
          comment: 'Well done',
          path: file.path,
          type: 'File',
        }),
      },
    ])
  })

  it('carries no more of a comment than the audit keeps, below a folder, too', async () => {
    const group = await create(folder.id, 'Folder', 'group')
    await create(group.id, 'File', 'below')
    await events()
    await follow(group, 'approve', { variables: { comment: { type: 'string', value: 'x'.repeat(100_000) } } })
    const transitions = (await events()).filter(({ event }) => event === 'lifecycle_transition_event')
    expect(transitions.map(({ payload }) => payload.comment)).toEqual(['x'.repeat(4_000), 'x'.repeat(4_000)])
  })

  it('has no comment when none was given', async () => {
    await events()
    await follow(file, 'approve')
    expect((await events())[0]?.payload).toMatchObject({ comment: null })
  })
})

it('checks a checked-in document out first', async () => {
  await as((session) => checkIn(session, file, { increment: 'MAJOR' }))
  await events()
  const approved = documentOf(await follow(file, 'approve'))
  expect(approved).toMatchObject({ isCheckedIn: false, lifecycleState: 'approved' })
  expect(namesOf(await events())).toEqual(['documentCheckedOut', 'lifecycle_transition_event'])
})

describe('a folder', () => {
  it('takes along what is below it, as far as states allow', async () => {
    const below = await create(folder.id, 'Folder', 'below')
    const deep = await create(below.id, 'File', 'deep')
    const done = await create(below.id, 'File', 'done')
    await follow(done, 'obsolete')
    await as((session) => checkIn(session, deep, { increment: 'MINOR' }))
    await events()
    await follow(folder, 'approve')
    const states = await Promise.all([folder, file, below, deep, done].map(({ id }) => read(id)))
    expect(states.map(({ lifecycleState }) => lifecycleState)).toEqual([
      'approved',
      'approved',
      'approved',
      'approved',
      'obsolete',
    ])
    expect((await read(deep.id)).isCheckedIn).toBe(false)
    const reported = (await events()).map(({ event, documentId }) => [event, documentId])
    expect(reported).toEqual([
      ['lifecycle_transition_event', folder.id],
      ['lifecycle_transition_event', below.id],
      ['documentCheckedOut', deep.id],
      ['lifecycle_transition_event', deep.id],
      ['lifecycle_transition_event', file.id],
    ])
  })

  it('leaves behind what its caller may not change or somebody else has locked', async () => {
    const locked = await create(folder.id, 'File', 'locked')
    await run('Document.Lock', { input: input(locked) })
    const closed = await create(folder.id, 'File', 'closed')
    await grant(folder.id, 'ann', ['WriteLifeCycle'])
    await grant(closed.id, 'ann', ['Read'], true)
    await follow(folder, 'approve', { as: ANN })
    const states = await Promise.all([file, locked, closed].map(({ id }) => read(id)))
    expect(states.map(({ lifecycleState }) => lifecycleState)).toEqual(['approved', 'project', 'project'])
  })
})

describe('delete and undelete', () => {
  it.each(['Document.FollowLifecycleTransition', 'Document.SetLifeCycle'])(
    'are a way to the trash and back, state unchanged, by %s',
    async (operation) => {
      await follow(file, 'approve')
      const trashed = documentOf(await run(operation, { input: input(file), params: { value: 'delete' } }))
      expect(trashed).toMatchObject({ isTrashed: true, lifecycleState: 'approved' })
      expect(trashed.name).toMatch(/^file\._\d+_\.trashed$/)
      const back = documentOf(await run(operation, { input: input(file), params: { value: 'undelete' } }))
      expect(back).toMatchObject({ isTrashed: false, lifecycleState: 'approved', name: 'file' })
    },
  )
})

it('follows on the target what is asked of a live proxy', async () => {
  const proxy = documentOf(
    await run('Document.CreateLiveProxy', {
      input: input(file),
      params: { 'Destination Path': '/default-domain/workspaces' },
    }),
  )
  const followed = await as((session) => followTransition(session, proxy, 'approve'))
  expect(followed).toMatchObject({ id: proxy.id, lifecycleState: 'approved' })
  expect((await read(file.id)).lifecycleState).toBe('approved')
})

describe('Event.Fire', () => {
  const fire = (name: string, options = {}) => run('Event.Fire', { params: { name }, ...options })

  it('emits an event of the input documents, or of none', async () => {
    await events()
    await fire('contractSigned', { input: input(file), as: ANN })
    await run('Notification.SendEvent', { params: { name: 'yearEnded' } })
    expect(await events()).toEqual([
      {
        event: 'contractSigned',
        documentId: file.id,
        principal: 'ann',
        payload: expect.objectContaining({ path: file.path, parentId: folder.id }),
      },
      { event: 'yearEnded', documentId: null, principal: 'Administrator', payload: {} },
    ])
  })

  it.each([
    'documentRemoved',
    'lifecycle_transition_event',
    'commentAdded',
    'workflowTaskCompleted',
    'ACEStatusUpdated',
    ' ',
    'x'.repeat(201),
  ])('does not say %j, which has not happened or is no name', async (name) => {
    await events()
    await expect(fire(name, { input: input(file) })).rejects.toMatchObject({ code: 'badRequest' })
    expect(await events()).toEqual([])
  })
})

import { beforeEach, describe, expect, test } from 'vitest'
import type { DocumentRecord } from '../../../core/model/properties/index.js'
import {
  createCollaborationBench,
  eventsOf,
  NOBODY,
  READER,
  refused,
  setAces,
  WRITER,
} from '../support/collaboration-support.js'
import { documentOf, input, inputs } from '../support/operations-support.js'
import { addUser } from '../support/rest-client.js'

const bench = await createCollaborationBench('notified')
const { run, call, platform } = bench
await addUser(platform, 'rita')

const ALL = ['Creation', 'Modification', 'Publication', 'CommentAdded', 'CommentUpdated']

let file: DocumentRecord

beforeEach(async () => {
  const folder = await bench.folder()
  file = await bench.create(folder.id, 'File', 'file')
})

const subscribe = (notifications?: string, as = READER) =>
  run('Document.Subscribe', {
    input: input(file),
    params: notifications === undefined ? {} : { notifications },
    as,
  })
const unsubscribe = (notifications?: string, as = READER) =>
  run('Document.Unsubscribe', {
    input: input(file),
    params: notifications === undefined ? {} : { notifications },
    as,
  })
const seenBy = async (user: string) =>
  (
    await call('GET', `/api/v1/id/${file.id}`, {
      user,
      headers: { 'enrichers-document': 'subscribedNotifications' },
    })
  ).json.contextParameters.subscribedNotifications

describe('Document.Subscribe', () => {
  test('subscribes to everything but what comes by itself when nothing is named', async () => {
    await subscribe()
    expect(await seenBy('rita')).toEqual(ALL)
    expect(await seenBy('Administrator')).toEqual([])
  })

  test('subscribes to what is named, once, beside others', async () => {
    await subscribe('Modification,Task assigned,Modification')
    await subscribe('Modification')
    await subscribe('Modification', WRITER)
    expect((await bench.read(file.id)).properties['notif:notifications']).toEqual([
      { name: 'Modification', subscribers: ['user:rita', 'user:will'] },
      { name: 'Task assigned', subscribers: ['user:rita'] },
    ])
  })

  test('is a note of a reader: facet, one event, and nothing modified', async () => {
    await subscribe('Creation')
    const after = await bench.read(file.id)
    expect(after.facets).toContain('Notifiable')
    expect([after.userToken, after.properties['dc:modified']]).toEqual([
      file.userToken,
      file.properties['dc:modified'],
    ])
    expect((await eventsOf(platform, file.id)).map(({ event }) => event)).toEqual([
      'documentCreated',
      'subscriptionAssigned',
    ])
  })

  test.each([subscribe, unsubscribe])('refuses a notification that does not exist', async (operation) => {
    await expect(operation('Modification,Weather')).rejects.toEqual(
      refused('badRequest', /notifications: unknown notification 'Weather'/),
    )
    expect(await seenBy('rita')).toEqual([])
  })

  test.each([subscribe, unsubscribe])('discloses nothing of a hidden document', async (operation) => {
    await expect(operation('Creation', NOBODY)).rejects.toEqual(refused('notFound', /./))
  })

  test('of a proxy is kept with what it shows, and answered with the proxy', async () => {
    const section = await bench.section()
    const proxy = documentOf(
      await run('Document.CreateLiveProxy', {
        input: input(file),
        params: { 'Destination Path': section.id },
      }),
    )
    await setAces(platform, file.id, [{ username: 'Everyone', permission: 'Everything', granted: false }])
    const answer = documentOf(
      await run('Document.Subscribe', {
        input: input(proxy),
        params: { notifications: 'Creation' },
        as: READER,
      }),
    )
    expect([answer.id, answer.path]).toEqual([proxy.id, proxy.path])
    for (const id of [proxy.id, file.id])
      expect((await bench.read(id)).properties['notif:notifications']).toEqual([
        { name: 'Creation', subscribers: ['user:rita'] },
      ])
  })

  test('takes lists of documents', async () => {
    const other = await bench.create(file.parentId as string, 'Note', 'other')
    await run('Document.Subscribe', { input: inputs(file, other), as: READER })
    expect((await bench.read(other.id)).facets).toContain('Notifiable')
  })
})

describe('Document.Unsubscribe', () => {
  test('ends what is named, or everything, of the caller alone', async () => {
    await subscribe()
    await subscribe('Creation', WRITER)
    await unsubscribe('Creation,Publication')
    expect(await seenBy('rita')).toEqual(ALL.filter((name) => name !== 'Creation' && name !== 'Publication'))
    await unsubscribe()
    expect(await seenBy('rita')).toEqual([])
    expect(JSON.stringify((await bench.read(file.id)).properties['notif:notifications'])).toContain(
      'user:will',
    )
  })
})

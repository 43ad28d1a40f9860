import { beforeEach, describe, expect, it } from 'vitest'
import {
  createDocument,
  getDocument,
  removeDocument,
  type Session,
  updateDocument,
  versionLabel,
} from '../../../core/content/documents/index.js'
import { checkIn, saveDocument } from '../../../core/content/versioning/index.js'
import type { DocumentRecord } from '../../../core/model/properties/index.js'
import { createDocumentBench, namesOf } from '../support/document-support.js'
import { ADMINISTRATOR, ANN, documentOf, idsOf, input } from '../support/operations-support.js'

const { platform, run, read, create, as, events, grant, workspace } = await createDocumentBench('versions')

let folder: DocumentRecord
let file: DocumentRecord

beforeEach(async () => {
  folder = await workspace()
  file = await create(folder.id, 'File', 'file', { 'dc:title': 'First' })
})

const label = async ({ id }: { id: string }) => versionLabel(await read(id))

const version = async (increment: 'MAJOR' | 'MINOR'): Promise<DocumentRecord> =>
  (
    await as(async (session) =>
      checkIn(session, (await session.stores.documents.get(file.id))!, { increment }),
    )
  ).version

const retitle = (title: string, principal?: typeof ANN) =>
  as(
    async (session) =>
      (await saveDocument(session, (await session.stores.documents.get(file.id))!, { 'dc:title': title }))
        .document,
    principal,
  )

describe('labels', () => {
  it('count versions and report what changed since', async () => {
    expect(await label(file)).toBe('0.0')
    await version('MINOR')
    expect(await label(file)).toBe('0.1')
    await retitle('Second')
    expect(await label(file)).toBe('0.1+')
    await version('MAJOR')
    expect(await label(file)).toBe('1.0')
    await retitle('Third')
    await version('MINOR')
    expect(await label(file)).toBe('1.1')
    expect((await read(file.id)).properties).toMatchObject({ 'uid:major_version': 1, 'uid:minor_version': 1 })
  })

  it('stay when nothing changed since the last version', async () => {
    const first = await version('MINOR')
    expect((await version('MAJOR')).id).toBe(first.id)
    expect(await label(file)).toBe('0.1')
  })
})

describe('saving', () => {
  it('checks a checked-in document out, and reports so first', async () => {
    await version('MAJOR')
    await events()
    expect(await retitle('Second')).toMatchObject({ isCheckedIn: false })
    expect(namesOf(await events())).toEqual(['documentCheckedOut', 'documentModified'])
  })

  it.each(['approve', 'obsolete'])('takes a checked-in document after %s back to project', async (way) => {
    await run('Document.FollowLifecycleTransition', { input: input(file), params: { value: way } })
    await version('MAJOR')
    await events()
    expect(await retitle('Second')).toMatchObject({ isCheckedIn: false, lifecycleState: 'project' })
    expect(namesOf(await events())).toEqual([
      'documentCheckedOut',
      'lifecycle_transition_event',
      'documentModified',
    ])
  })

  it('leaves the state of what is checked out alone', async () => {
    await run('Document.FollowLifecycleTransition', { input: input(file), params: { value: 'approve' } })
    expect(await retitle('Second')).toMatchObject({ lifecycleState: 'approved' })
  })

  it('never changes a version', async () => {
    const made = await version('MAJOR')
    await expect(
      as((session) => updateDocument(session, made, { 'dc:title': 'Other' })),
    ).rejects.toMatchObject({ code: 'badRequest', message: expect.stringContaining('read-only') })
    await expect(
      run('Document.Update', { input: input(made), params: { properties: 'dc:title=Other' } }),
    ).rejects.toMatchObject({ code: 'badRequest' })
    expect((await read(made.id)).properties['dc:title']).toBe('First')
  })
})

describe('policies', () => {
  it('keep a note after each save, and nothing when it is made', async () => {
    const note = await create(folder.id, 'Note', 'note')
    expect(await label(note)).toBe('0.0')
    for (const [text, expected] of [
      ['One', '0.1'],
      ['Two', '0.2'],
    ]) {
      await run('Document.Update', { input: input(note), params: { properties: { 'note:note': text! } } })
      expect(await label(note)).toBe(expected)
    }
    const ids = idsOf(await run('Document.GetVersions', { input: input(note) }))
    const texts = (await Promise.all(ids.map(read))).map(({ properties }) => properties['note:note'])
    expect(texts).toEqual(['One', 'Two'])
  })

  it('keep a file as the one before left it, before somebody else changes it', async () => {
    await grant(folder.id, 'ann', ['ReadWrite'])
    await retitle('Mine')
    expect(await label(file)).toBe('0.0')
    await retitle('Hers', ANN)
    expect(await label(file)).toBe('0.1+')
    const [kept] = idsOf(await run('Document.GetVersions', { input: input(file) }))
    expect((await read(kept!)).properties['dc:title']).toBe('Mine')
    await retitle('Hers again', ANN)
    expect(idsOf(await run('Document.GetVersions', { input: input(file) }))).toHaveLength(1)
  })

  it('give way to what the caller asks for', async () => {
    const note = await create(folder.id, 'Note', 'note')
    const save = (increment: 'NONE' | 'MAJOR') =>
      as(async (session) =>
        saveDocument(
          session,
          (await session.stores.documents.get(note.id))!,
          { 'note:note': increment },
          { increment },
        ),
      )
    await save('NONE')
    expect(await label(note)).toBe('0.0')
    const { version: made } = await save('MAJOR')
    expect(made).toMatchObject({ isVersion: true, versionLabel: '1.0', versionSeriesId: note.id })
  })
})

describe('the increment', () => {
  it.each([
    ['a folder', 'Folder', 'MINOR'],
    ['a workspace', 'Workspace', 'MAJOR'],
  ])('of %s is refused', async (_title, type, increment) => {
    const container = await create(folder.id, type, 'container')
    await expect(
      run('Document.CreateVersion', { input: input(container), params: { increment } }),
    ).rejects.toMatchObject({ code: 'badRequest', message: expect.stringContaining('not versionable') })
  })
})

describe('reading versions', () => {
  it('Document.GetVersions lists them, the oldest first, also for a version', async () => {
    const first = await version('MINOR')
    await retitle('Second')
    const second = await version('MAJOR')
    const expected = [first.id, second.id]
    for (const document of [file, first])
      expect(idsOf(await run('Document.GetVersions', { input: input(document) }))).toEqual(expected)
  })

  it('Document.GetLastVersion gives the newest, or nothing', async () => {
    expect((await run('Document.GetLastVersion', { input: input(file) })).type).toBe('void')
    await version('MINOR')
    await retitle('Second')
    const second = await version('MINOR')
    expect(documentOf(await run('Document.GetLastVersion', { input: input(file) })).id).toBe(second.id)
  })
})

it('counts on whatever the clock says: a unit of work that waited began before the one it waited for', async () => {
  const checkInAt = (now: Date) =>
    as(async (session) => {
      const current = (await session.stores.documents.get(file.id))!
      const changed = await updateDocument(session, current, { 'dc:source': now.toISOString() })
      return (await checkIn({ ...session, now }, changed, { increment: 'MINOR' })).version
    })
  const first = await checkInAt(new Date('2030-01-01'))
  const second = await checkInAt(new Date('2020-01-01'))
  await checkInAt(new Date('2025-01-01'))
  expect(await label(file)).toBe('0.3')
  const ids = idsOf(await run('Document.GetVersions', { input: input(file) }))
  expect(ids.slice(0, 2)).toEqual([first.id, second.id])
  expect(documentOf(await run('Document.GetLastVersion', { input: input(file) })).id).toBe(ids[2])
})

describe('Document.RestoreVersion', () => {
  let first: DocumentRecord
  beforeEach(async () => {
    first = await version('MAJOR')
    await retitle('Second')
    await version('MAJOR')
    await retitle('Third')
  })

  const restore = async (params = {}) =>
    documentOf(await run('Document.RestoreVersion', { input: input(first), params }))

  it('makes the live document what the version is, checked in', async () => {
    await events()
    const restored = await restore()
    expect(restored).toMatchObject({
      id: file.id,
      path: file.path,
      isCheckedIn: true,
      baseVersionId: first.id,
      properties: first.properties,
    })
    expect(versionLabel(restored)).toBe('1.0')
    expect(namesOf(await events())).toEqual(['documentRestored'])
    expect(idsOf(await run('Document.GetVersions', { input: input(file) }))).toHaveLength(2)
  })

  it('changes the state for those alone who may', async () => {
    await run('Document.SetLifeCycle', { input: input(file), params: { value: 'approve' } })
    for (const [permission, grant] of [
      ['WriteLifeCycle', false],
      ['ReadWrite', true],
    ] as const) {
      const params = { user: ANN.name, permission, grant, overwrite: false }
      await run('Document.AddACE', { input: input(file), params })
    }
    await expect(run('Document.RestoreVersion', { input: input(first), as: ANN })).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('WriteLifeCycle'),
    })
  })

  it('keeps what the live document held when it is asked to', async () => {
    await restore({ createVersion: true })
    const ids = idsOf(await run('Document.GetVersions', { input: input(file) }))
    expect((await read(ids[2]!)).properties).toMatchObject({ 'dc:title': 'Third' })
    expect((await read(ids[2]!)).versionLabel).toBe('2.1')
  })

  it.each<[string, () => Promise<unknown>]>([
    ['checkout', () => restore({ checkout: true })],
    ['Document.CheckOut', async () => run('Document.CheckOut', { input: input(await restore()) })],
    ['a save', async () => (await restore()) && retitle('Fourth')],
    [
      'a transition',
      async () =>
        run('Document.SetLifeCycle', { input: input(await restore()), params: { value: 'approve' } }),
    ],
  ])('counts on from the latest version after %s', async (_title, checkOut) => {
    await checkOut()
    expect(await label(file)).toBe('2.0+')
    expect((await read(file.id)).properties).toMatchObject({ 'uid:major_version': 2, 'uid:minor_version': 0 })
    expect(await version('MINOR')).toMatchObject({ versionLabel: '2.1', isLatestVersion: true })
  })

  it('clears what the version did not have, and gives back its facets and state', async () => {
    await run('Document.AddFacet', { input: input(file), params: { facet: 'Thumbnail' } })
    await run('Document.SetLifeCycle', { input: input(file), params: { value: 'obsolete' } })
    await run('Document.SetProperty', { input: input(file), params: { xpath: 'dc:source', value: 'x' } })
    expect(await restore()).toMatchObject({ facets: [], lifecycleState: 'project' })
    expect((await read(file.id)).properties).not.toHaveProperty('dc:source')
  })

  it('refuses what is no version, and whoever may only read', async () => {
    await expect(run('Document.RestoreVersion', { input: input(file) })).rejects.toMatchObject({
      code: 'badRequest',
    })
    await grant(folder.id, 'ann', ['Read'])
    await expect(run('Document.RestoreVersion', { input: input(first), as: ANN })).rejects.toMatchObject({
      code: 'forbidden',
    })
  })
})

describe('removing a version', () => {
  const remove = (document: DocumentRecord, principal?: typeof ANN) =>
    as(
      async (session) => removeDocument(session, (await session.stores.documents.get(document.id))!),
      principal,
    )

  it('makes the one before it the latest, and emits an event of the document', async () => {
    const first = await version('MAJOR')
    await retitle('Second')
    const second = await version('MINOR')
    await retitle('Third')
    await events()
    await remove(second)
    expect(await events()).toEqual([
      expect.objectContaining({
        event: 'versionRemoved',
        documentId: file.id,
        payload: expect.objectContaining({ comment: '1.1', version: second.id }),
      }),
    ])
    expect(await read(first.id)).toMatchObject({ isLatestVersion: true, isLatestMajorVersion: true })
    await expect(read(second.id)).rejects.toMatchObject({ code: 'notFound' })
  })

  it('is refused while the document is checked in as it', async () => {
    const only = await version('MINOR')
    await expect(remove(only)).rejects.toMatchObject({ code: 'conflict' })
  })

  it('is refused while it is published', async () => {
    const only = await version('MINOR')
    await retitle('Second')
    await run('Document.PublishToSection', {
      input: input(only),
      params: { target: '/default-domain/sections' },
    })
    await expect(remove(only)).rejects.toMatchObject({ code: 'conflict' })
  })

  it('needs WriteVersion on the live document', async () => {
    const only = await version('MINOR')
    await retitle('Second')
    await grant(folder.id, 'ann', ['Read', 'Remove'])
    await expect(remove(only, ANN)).rejects.toMatchObject({ code: 'forbidden' })
  })
})

it('keeps versions from copies, and removes them with their document', async () => {
  const made = await version('MAJOR')
  const copy = documentOf(
    await run('Document.Copy', { input: input(file), params: { target: folder.id, name: 'copy' } }),
  )
  expect(versionLabel(copy)).toBe('0.0')
  expect(idsOf(await run('Document.GetVersions', { input: input(copy) }))).toEqual([])
  await run('Document.Delete', { input: input(file) })
  await expect(read(made.id)).rejects.toMatchObject({ code: 'notFound' })
})

it('reports a version before it reports that the document is checked in', async () => {
  await events()
  const made = await version('MINOR')
  expect((await events()).map(({ event, documentId }) => [event, documentId])).toEqual([
    ['documentCreated', made.id],
    ['documentCheckedIn', file.id],
  ])
})

describe('a write outside of a transaction', () => {
  const attempts = async (work: (session: Session) => Promise<unknown>): Promise<boolean[]> => {
    const atomic: boolean[] = []
    await platform.withSingleWrite(ADMINISTRATOR, (session) => {
      atomic.push(session.isAtomic)
      return work(session)
    })
    return atomic
  }

  it.each<[string, (session: Session) => Promise<unknown>, boolean[]]>([
    [
      'makes a file',
      (session) => createDocument(session, { parent: folder.id, type: 'File', name: 'f' }),
      [false],
    ],
    [
      'makes a note',
      (session) => createDocument(session, { parent: folder.id, type: 'Note', name: 'n' }),
      [false],
    ],
    [
      'changes a file',
      async (session) => saveDocument(session, await getDocument(session, file.id), { 'dc:title': 'New' }),
      [false],
    ],
    [
      'keeps a note, which takes two writes and so is done in one',
      async (session) => {
        const note = await getDocument(session, `${folder.path}/kept`)
        return saveDocument(session, note, { 'note:note': 'New' })
      },
      [false, true],
    ],
  ])('%s', async (_title, work, expected) => {
    await create(folder.id, 'Note', 'kept')
    expect(await attempts(work)).toEqual(expected)
  })
})

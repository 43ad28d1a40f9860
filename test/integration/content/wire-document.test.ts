import Nuxeo from 'nuxeo'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createWire, refusalOf, WORKSPACES } from '../support/wire-support.js'

const { client, newUser } = await createWire()
const repository = client().repository({ schemas: ['dublincore', 'file'] })
let ann: Nuxeo
let folder: Nuxeo.Document
let file: Nuxeo.Document
let count = 0

beforeAll(async () => {
  ann = await newUser('ann', ['members'])
})

beforeEach(async () => {
  folder = await repository.create(WORKSPACES, { type: 'Workspace', name: `ws-${count++}` })
  file = await repository.create(folder.path, {
    type: 'File',
    name: 'bar.txt',
    properties: { 'dc:title': 'Bar', 'file:content': { name: 'bar.txt', data: 'foo' } },
  })
})

describe('what a document reports of itself', () => {
  test('its facets', () => {
    expect([folder.isFolder(), file.isFolder()]).toEqual([true, false])
    expect([file.hasFacet('Versionable'), file.hasFacet('Folderish')]).toEqual([true, false])
    expect([folder.isCollectable(), file.isCollectable()]).toEqual([true, true])
  })

  test('its properties, changed or not', () => {
    expect([file.get('dc:title'), file.get('dc:description'), file.get('dc:nothing')]).toEqual([
      'Bar',
      null,
      undefined,
    ])
    file.set({ 'dc:title': 'Changed' })
    expect([file.get('dc:title'), file.properties['dc:title']]).toEqual(['Changed', 'Bar'])
  })
})

describe('save', () => {
  test('sends what was set and nothing else', async () => {
    await repository.update({ uid: file.uid, properties: { 'dc:rights': 'of somebody else' } })
    const saved = await file.set({ 'dc:description': 'saved', 'dc:subjects': ['art'] }).save()
    expect(saved.properties).toMatchObject({
      'dc:title': 'Bar',
      'dc:description': 'saved',
      'dc:subjects': ['art'],
      'dc:rights': 'of somebody else',
      'dc:lastContributor': 'Administrator',
    })
  })

  test('sends a file back as it was fetched', async () => {
    const saved = await file.set({ 'file:content': file.get('file:content') }).save()
    expect(await (await saved.fetchBlob()).text()).toBe('foo')
  })

  test('makes a version when asked', async () => {
    const headers = { 'X-Versioning-Option': 'MAJOR' }
    const version = await file.set({ 'dc:title': 'One' }).save({ headers })
    expect([version.isVersion, version.get('dc:title')]).toEqual([true, 'One'])
  })

  test('is refused without the right to', async () => {
    const { entity, status } = await refusalOf(
      (await ann.repository().fetch(file.uid)).set({ 'dc:title': 'x' }).save(),
    )
    expect(status).toBe(403)
    expect(entity.message).toMatch(/'WriteProperties'.*'ann'/)
  })
})

describe('fetchBlob', () => {
  test.each([undefined, 'file:content', 'blobholder:0'])('at %s', async (xpath) => {
    const answer = await file.fetchBlob(xpath)
    expect(await answer.text()).toBe('foo')
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
    expect(answer.headers.get('content-disposition')).toContain('bar.txt')
  })

  test('keeps bytes and names of every kind', async () => {
    const bytes = Uint8Array.from({ length: 70_000 }, (_, place) => (place * 7919) % 256)
    const made = await repository.create(folder.path, { type: 'File', name: 'bytes' })
    const input = new Nuxeo.Blob({ content: Buffer.from(bytes), name: 'café.bin' })
    await client()
      .operation('Blob.AttachOnDocument')
      .param('document', made.path)
      .input(input)
      .execute<Nuxeo.Answer>()
    const answer = await made.fetchBlob()
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(bytes)
    expect(answer.headers.get('content-disposition')).toContain("filename*=UTF-8''caf%C3%A9.bin")
  })

  test.each(['file:nothing', 'files:files/3/file', 'dc:title'])(
    'at %s is refused with 404',
    async (xpath) => {
      expect((await refusalOf(file.fetchBlob(xpath))).status).toBe(404)
    },
  )
})

describe('move', () => {
  test('to a path or an id, under the same or another name', async () => {
    const target = await repository.create(folder.path, { type: 'Folder', name: 'target' })
    const moved = await file.move(target.path)
    expect([moved.uid, moved.path]).toEqual([file.uid, `${target.path}/bar.txt`])
    const renamed = await moved.move(folder.uid, 'renamed')
    expect([renamed.uid, renamed.path]).toEqual([file.uid, `${folder.path}/renamed`])
  })

  test('is refused below itself, and to where nothing is', async () => {
    const inner = await repository.create(folder.path, { type: 'Folder', name: 'inner' })
    expect((await refusalOf(folder.move(inner.path))).status).toBe(400)
    expect((await refusalOf(file.move('/no/such'))).status).toBe(404)
    expect((await repository.fetch(file.uid)).path).toBe(file.path)
  })
})

describe('followTransition', () => {
  test('changes the state', async () => {
    expect(file.state).toBe('project')
    expect((await file.followTransition('approve')).state).toBe('approved')
    expect((await repository.fetch(file.uid)).state).toBe('approved')
  })

  test('is refused where the life cycle has no such transition', async () => {
    const { status, entity } = await refusalOf(file.followTransition('fly'))
    expect(status).toBe(400)
    expect(entity.message).toContain('fly')
  })
})

describe('permissions', () => {
  test('are fetched, those from above included', async () => {
    const [inherited, ...others] = await file.fetchACLs()
    expect([inherited?.name, others]).toEqual(['inherited', []])
    expect(inherited?.aces.map(({ username, permission }) => `${username} ${permission}`)).toContain(
      'members Read',
    )
  })

  test('are added and removed, by id and by user', async () => {
    const grant = { username: 'ann', permission: 'Write' }
    const added = await file.addPermission(grant)
    const [local, inherited] = await added.fetchACLs()
    expect(local).toMatchObject({ name: 'local', aces: [{ ...grant, id: 'ann:Write:true:Administrator::' }] })
    expect(inherited?.name).toBe('inherited')
    expect(await (await ann.repository().fetch(file.uid)).hasPermission('Write')).toBe(true)

    const removed = await added.removePermission({ id: 'ann:Write:true:Administrator::' })
    expect((await removed.fetchACLs()).map(({ name }) => name)).toEqual(['inherited'])
    expect(await (await ann.repository().fetch(file.uid)).hasPermission('Write')).toBe(false)

    await removed.addPermission(grant)
    await removed.removePermission({ user: 'ann' })
    expect((await (await repository.fetch(file.uid)).fetchACLs()).map(({ name }) => name)).toEqual([
      'inherited',
    ])
  })

  test('of the caller are reported', async () => {
    expect(await file.hasPermission('Write')).toBe(true)
    expect(await file.hasPermission('Fly')).toBe(false)
    const seenByAnn = await ann.repository().fetch(file.uid)
    expect([await seenByAnn.hasPermission('Read'), await seenByAnn.hasPermission('Write')]).toEqual([
      true,
      false,
    ])
  })

  test('are refused when they are unknown, or to those who may not give them', async () => {
    expect((await refusalOf(file.addPermission({ username: 'ann', permission: 'Fly' }))).status).toBe(400)
    expect((await refusalOf(file.removePermission({}))).status).toBe(400)
    const seenByAnn = await ann.repository().fetch(file.uid)
    expect((await refusalOf(seenByAnn.addPermission({ username: 'ann', permission: 'Write' }))).status).toBe(
      403,
    )
  })
})

describe('lock', () => {
  test('and unlock, as the status reports', async () => {
    expect(await file.fetchLockStatus()).toEqual({})
    await file.lock()
    expect(await file.fetchLockStatus()).toEqual({
      lockOwner: 'Administrator',
      lockCreated: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    })
    expect(await (await file.unlock()).fetchLockStatus()).toEqual({})
  })

  test('is refused when there is one, unlock without one does nothing', async () => {
    await file.lock()
    expect((await refusalOf(file.lock())).status).toBe(409)
    await file.unlock()
    expect((await file.unlock()).uid).toBe(file.uid)
  })

  test('keeps others from writing', async () => {
    await file.addPermission({ username: 'ann', permission: 'ReadWrite' })
    await file.lock()
    const seenByAnn = await ann.repository().fetch(file.uid)
    expect((await refusalOf(seenByAnn.set({ 'dc:title': 'x' }).save())).status).toBe(403)
    expect((await refusalOf(seenByAnn.unlock())).status).toBe(403)
    await file.unlock()
    expect((await seenByAnn.save({ schemas: ['dublincore'] })).get('dc:title')).toBe('x')
  })
})

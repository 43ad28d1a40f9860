import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createEngine } from '../../../api/engine.js'
import { uniqueName } from '../../support/template.js'
import { addUser, createClient, type Entity } from '../support/rest-client.js'
import { createTestPlatform } from '../support/rest-support.js'

const config = mkdtempSync(join(tmpdir(), 'archivolt-acp-'))
writeFileSync(
  join(config, 'rights.yaml'),
  `
permissions:
  Review: { includes: [Browse, Comment], aliases: [Revision] }
  ReadWrite: { removes: [Write] }
visiblePermissions:
  default: { items: { Review: { order: 20 }, Everything: { show: false } } }
  Note: { items: { Moderate: { order: 5 } } }
securityPolicies:
  lock: { enabled: false }
  drafts:
    order: 5
    permissions: [Read]
    when: { types: [Note], lifecycleStates: [project] }
  open:
    order: 1
    decision: grant
    permissions: [Read]
    when: { types: [Note], identities: [boss] }
  titled: { order: 20, permissions: [Browse], when: { types: [Domain] }, query: "dc:title IS NULL OR dc:title <> 'hidden'" }
  embargo: { permissions: [Browse], query: "ecm:primaryType <> 'File' OR dc:title <> 'embargoed'" }
  secret: { permissions: [Browse], query: "comment:text IS NULL OR comment:text <> 'secret'" }
  frozen: { permissions: [WriteProperties], query: "dc:source IS NULL OR dc:source <> 'frozen'" }
enrichers:
  permissions: { parameters: { permissions: [Read, Write, Everything] } }
`,
)

const platform = await createTestPlatform({
  ARCHIVOLT_CONFIG: config,
  TEMPORAL_ADDRESS: inject('temporalAddress'),
  ARCHIVOLT_TASK_QUEUE: uniqueName('queue'),
})
const engine = await createEngine(platform)
afterAll(() => engine.close())
const call = createClient(platform, engine)
const PLACE = '/default-domain/workspaces'

const create = async (type: string, name: string): Promise<Entity> =>
  (
    await call('POST', `/api/v1/path${PLACE}`, {
      json: { 'entity-type': 'document', name, type, properties: { 'dc:title': name } },
    })
  ).json

const operate = (operation: string, id: string, params: object, as?: string) =>
  call('POST', `/api/v1/automation/${operation}`, {
    json: { input: `doc:${id}`, params },
    ...(as && { user: as }),
  })

const found = async (as: string): Promise<string[]> => {
  const query = encodeURIComponent(
    `SELECT * FROM Document WHERE ecm:path STARTSWITH '${PLACE}' AND ecm:isVersion = 0`,
  )
  const { json } = await call('GET', `/api/v1/search/lang/NXQL/execute?query=${query}`, { user: as })
  return json.entries.map((entry: Entity) => entry.title).sort()
}

const localAces = async (id: string) => {
  const { json } = await call('GET', `/api/v1/id/${id}/@acl`)
  return json.acl.filter(({ name }: { name: string }) => name !== 'inherited')
}

let note: Entity
let file: Entity

beforeAll(async () => {
  for (const user of ['ann', 'bob', 'boss']) await addUser(platform, user, ['members'])
  note = await create('Note', 'note')
  file = await create('File', 'file')
  await create('File', 'hidden')
})

test('a policy decides before ACLs, in reads as in queries, and its words are part of every query', async () => {
  expect(await found('ann')).toEqual(['file'])
  expect(await found('boss')).toEqual(['file', 'note'])
  expect((await call('GET', `/api/v1/id/${note.uid}`, { user: 'ann' })).status).toBe(404)
  expect((await call('GET', `/api/v1/id/${note.uid}`, { user: 'boss' })).status).toBe(200)
  await call('POST', '/api/v1/automation/Document.FollowLifecycleTransition', {
    json: { input: `doc:${note.uid}`, params: { value: 'approve' } },
  })
  expect(await found('ann')).toEqual(['file', 'note'])
  expect((await call('GET', `/api/v1/id/${note.uid}`, { user: 'ann' })).status).toBe(200)
})

test('what does not match the words of a policy is in no query, and is not there for a single read', async () => {
  const { uid, path } = await create('File', 'embargoed')
  expect(await found('ann')).toEqual(['file', 'note'])
  expect(await found('Administrator')).toContain('embargoed')
  const asked: [string, string][] = [
    ['GET', `/api/v1/id/${uid}`],
    ['GET', `/api/v1/path${path}`],
    ['PUT', `/api/v1/id/${uid}`],
    ['DELETE', `/api/v1/id/${uid}`],
    ['GET', `/api/v1/id/${uid}/@acl`],
  ]
  for (const [method, address] of asked) {
    const json = method === 'PUT' ? { 'entity-type': 'document', uid, properties: {} } : undefined
    const { status } = await call(method, address, { user: 'boss', ...(json && { json }) })
    expect([method, address, status]).toEqual([method, address, 404])
  }
  expect((await call('GET', `/api/v1/id/${uid}`)).status).toBe(200)
  await call('PUT', `/api/v1/id/${uid}`, {
    json: { 'entity-type': 'document', uid, properties: { 'dc:title': 'released' } },
  })
  expect((await call('GET', `/api/v1/id/${uid}`, { user: 'ann' })).status).toBe(200)
  await call('DELETE', `/api/v1/id/${uid}`)
})

test('the words of a policy about writing keep nobody from reading', async () => {
  const { uid } = await create('File', 'writable')
  await operate('Document.AddPermission', uid, { username: 'boss', permission: 'Everything' })
  const write = (properties: object) =>
    call('PUT', `/api/v1/id/${uid}`, { json: { 'entity-type': 'document', uid, properties }, user: 'boss' })
  expect((await write({ 'dc:source': 'frozen' })).status).toBe(200)
  expect((await write({ 'dc:source': 'thawed' })).status).toBe(403)
  expect((await call('GET', `/api/v1/id/${uid}`, { user: 'boss' })).json.uid).toBe(uid)
  expect(await found('boss')).toContain('writable')
  await call('DELETE', `/api/v1/id/${uid}`)
})

test('a policy that denies to browse denies all else too', async () => {
  expect((await call('GET', '/api/v1/path/default-domain', { user: 'ann' })).status).toBe(404)
  expect((await call('GET', '/api/v1/path/default-domain')).status).toBe(200)
})

test('what the words of a policy keep hidden stays behind in a copy, and keeps its folder where it is', async () => {
  const folder = await create('Folder', 'partly')
  for (const name of ['seen', 'embargoed'])
    await call('POST', `/api/v1/id/${folder.uid}`, {
      json: { 'entity-type': 'document', name, type: 'File', properties: { 'dc:title': name } },
    })
  await operate('Document.AddPermission', folder.uid, { username: 'ann', permission: 'Everything' })
  const target = await create('Folder', 'copies')
  await operate('Document.AddPermission', target.uid, { username: 'ann', permission: 'Everything' })
  const copied = await operate('Document.Copy', folder.uid, { target: target.uid, name: 'copy' }, 'ann')
  const children = await call('GET', `/api/v1/id/${copied.json.uid}/@children`)
  expect(children.json.entries.map((entry: Entity) => entry.title)).toEqual(['seen'])
  expect((await call('DELETE', `/api/v1/id/${folder.uid}`, { user: 'ann' })).status).toBe(403)
  expect((await call('GET', `/api/v1/id/${folder.uid}/@children`)).json.entries).toHaveLength(2)
})

test('a contributed permission grants what it includes, under its alias too, and what was removed is not granted', async () => {
  const { uid } = await create('Folder', 'reviewed')
  await operate('Document.BlockPermissionInheritance', uid, {})
  expect((await call('GET', `/api/v1/id/${uid}`, { user: 'ann' })).status).toBe(404)
  expect(
    (await operate('Document.AddPermission', uid, { username: 'ann', permission: 'Revision' })).status,
  ).toBe(200)
  expect(await found('ann')).toContain('reviewed')
  expect((await call('GET', `/api/v1/id/${uid}`, { user: 'ann' })).status).toBe(403)
  await operate('Document.AddPermission', uid, { username: 'bob', permission: 'ReadWrite' })
  const write = { json: { 'entity-type': 'document', properties: { 'dc:title': 'x' } }, user: 'bob' }
  expect((await call('PUT', `/api/v1/id/${uid}`, write)).status).toBe(403)
})

test('enrichers list the permissions that a deployment lists and those that it offers', async () => {
  const enrichers = { 'enrichers-document': 'permissions,userVisiblePermissions,AllowedPermissions' }
  const of = async (uid: string, as?: string) =>
    (await call('GET', `/api/v1/id/${uid}`, { headers: enrichers, ...(as && { user: as }) })).json
      .contextParameters
  expect(await of(file.uid, 'ann')).toEqual({
    permissions: ['Read'],
    userVisiblePermissions: ['Read', 'Review', 'ReadWrite'],
    AllowedPermissions: ['Read', 'Review', 'ReadWrite'],
  })
  expect(await of(note.uid)).toMatchObject({
    permissions: ['Read', 'Write', 'Everything'],
    AllowedPermissions: ['Moderate', 'Read', 'Review', 'ReadWrite'],
  })
})

test('an entry for some time, with what the mail says, in the forms of @acl and of the enricher', async () => {
  const params = {
    users: ['ann', 'bob'],
    permission: 'Read',
    begin: '2016-03-01T00:00:00Z',
    end: '2016-07-01T00:00:00.000Z',
    notify: true,
    comment: 'have a look',
  }
  expect((await operate('Document.AddPermission', file.uid, params)).status).toBe(200)
  const [acl] = await localAces(file.uid)
  const ann = {
    id: 'ann:Read:true:Administrator:1456790400000:1467331200000',
    username: 'ann',
    permission: 'Read',
    granted: true,
    creator: 'Administrator',
    begin: '2016-03-01T00:00:00.00Z',
    end: '2016-07-01T00:00:00.00Z',
    status: 'archived',
  }
  expect(acl).toMatchObject({ name: 'local', ace: [ann, { username: 'bob' }] })
  const enriched = await call(
    'GET',
    `/api/v1/id/${file.uid}?enrichers-document=acls&fetch-acls=username,creator,extended`,
  )
  const { name, aces, ace } = enriched.json.contextParameters.acls[0]
  expect(name).toBe('local')
  expect(ace).toEqual(aces)
  expect(aces[0]).toMatchObject({
    username: { 'entity-type': 'user', id: 'ann' },
    creator: { 'entity-type': 'user', id: 'Administrator' },
    externalUser: false,
    notify: true,
    comment: 'have a look',
  })
  const older = await call('GET', `/api/v1/id/${file.uid}?enrichers-document=extendedAcls`)
  expect(older.json.contextParameters.acls[0].ace[0]).toMatchObject({ username: 'ann', notify: true })
})

test('adding what is there already changes nothing and notifies nobody', async () => {
  const { uid } = await create('Folder', 'twice')
  const params = { username: 'ann', permission: 'Write' }
  await operate('Document.AddPermission', uid, params)
  const events = () => platform.database.sql`
    SELECT FROM outbox WHERE document_id = ${uid} AND event = 'documentSecurityUpdated'`
  expect(await events()).toHaveLength(1)
  expect((await operate('Document.AddPermission', uid, params)).status).toBe(200)
  expect(await events()).toHaveLength(1)
})

test('an entry is replaced in its place, by its id', async () => {
  const { uid } = await create('Folder', 'replaced')
  for (const username of ['ann', 'bob', 'boss'])
    await operate('Document.AddPermission', uid, { username, permission: 'Read' })
  const replace = { id: 'bob:Read:true:Administrator', username: 'bob', permission: 'Write' }
  expect((await operate('Document.UpdatePermission', uid, replace)).status).toBe(200)
  const [acl] = await localAces(uid)
  expect(acl.ace.map(({ username, permission }: Entity) => [username, permission])).toEqual([
    ['ann', 'Read'],
    ['bob', 'Write'],
    ['boss', 'Read'],
  ])
  expect((await operate('Document.ReplacePermission', uid, { ...replace, id: 'bob' })).status).toBe(400)
})

test('Document.AddACE overwrites all ACLs unless asked otherwise; Document.RemoveACL takes one', async () => {
  const { uid } = await create('Folder', 'overwritten')
  await operate('Document.AddPermission', uid, { username: 'ann', permission: 'Read', acl: 'other' })
  await operate('Document.AddPermission', uid, { username: 'bob', permission: 'Read' })
  await operate('Document.AddACE', uid, { user: 'boss', permission: 'Read', overwrite: false, grant: false })
  expect((await localAces(uid)).map(({ name, ace }: Entity) => [name, ace.length])).toEqual([
    ['other', 1],
    ['local', 2],
  ])
  await operate('Document.RemoveACL', uid, { acl: 'other' })
  expect((await localAces(uid)).map(({ name }: Entity) => name)).toEqual(['local'])
  await operate('Document.SetACE', uid, { user: 'boss', permission: 'Everything' })
  expect(await localAces(uid)).toMatchObject([{ name: 'local', ace: [{ id: 'boss:Everything:true:::' }] }])
})

test('the first matching entry decides: no denial wins by itself, no user comes before a group (surprise 1)', async () => {
  const { uid } = await create('Folder', 'ordered')
  await operate('Document.AddACE', uid, { user: 'members', permission: 'Read' })
  await operate('Document.AddACE', uid, { user: 'ann', permission: 'Read', grant: false, overwrite: false })
  expect((await call('GET', `/api/v1/id/${uid}`, { user: 'ann' })).status).toBe(200)
  await operate('Document.AddACE', uid, { user: 'ann', permission: 'Read', grant: false })
  expect((await call('GET', `/api/v1/id/${uid}`, { user: 'ann' })).status).toBe(404)
  expect((await call('GET', `/api/v1/id/${uid}`, { user: 'bob' })).status).toBe(200)
})

test('a mail address stands for somebody outside, for as long as the entry says', async () => {
  const { uid } = await create('Folder', 'outside')
  const params = { email: 'who@example.org', permission: 'Read', end: '2999-01-01' }
  expect((await operate('Document.AddPermission', uid, params)).status).toBe(200)
  const { json } = await call('GET', `/api/v1/id/${uid}?enrichers-document=acls`)
  expect(json.contextParameters.acls[0].aces[0]).toMatchObject({
    username: 'transient/who@example.org',
    externalUser: true,
  })
})

test('ReadVersion alone lets one read versions, not the live document', async () => {
  const folder = await create('Folder', 'versions')
  await operate('Document.BlockPermissionInheritance', folder.uid, {})
  const made = await call('POST', `/api/v1/id/${folder.uid}`, {
    json: { 'entity-type': 'document', name: 'v', type: 'File', properties: { 'dc:title': 'versioned' } },
  })
  const live = made.json.uid
  await operate('Document.AddPermission', live, { username: 'ann', permission: 'ReadVersion' })
  await operate('Document.CreateVersion', live, { increment: 'Major' })
  const query = encodeURIComponent(`SELECT * FROM File WHERE ecm:versionVersionableId = '${live}'`)
  const versions = await call('GET', `/api/v1/search/lang/NXQL/execute?query=${query}`, { user: 'ann' })
  expect(versions.json.entries).toHaveLength(1)
  expect((await call('GET', `/api/v1/id/${versions.json.entries[0].uid}`, { user: 'ann' })).status).toBe(200)
  expect((await call('GET', `/api/v1/id/${live}`, { user: 'ann' })).status).toBe(404)
  expect(await found('ann')).not.toContain('versioned')
})

test('what a policy hides is not copied along with a folder', async () => {
  const folder = await create('Folder', 'mixed')
  const inside = async (type: string, name: string) =>
    (
      await call('POST', `/api/v1/id/${folder.uid}`, {
        json: { 'entity-type': 'document', name, type, properties: { 'dc:title': name } },
      })
    ).json
  await inside('File', 'seen')
  await inside('Note', 'draft')
  await operate('Document.AddPermission', folder.uid, { username: 'ann', permission: 'Everything' })
  const target = await create('Folder', 'target')
  await operate('Document.AddPermission', target.uid, { username: 'ann', permission: 'Everything' })
  const copied = await operate('Document.Copy', folder.uid, { target: target.uid, name: 'copy' }, 'ann')
  expect(copied.status).toBe(200)
  const children = await call('GET', `/api/v1/id/${copied.json.uid}/@children`)
  expect(children.json.entries.map((entry: Entity) => entry.title)).toEqual(['seen'])
})

test.each([
  ['begin', '0000-01-01T00:00:00Z'],
  ['end', '0000-06-01'],
])('a date that cannot be kept is refused by its name: %s %s', async (field, date) => {
  const params = { username: 'ann', permission: 'Read', [field]: date }
  const before = await localAces(file.uid)
  const { status, json } = await operate('Document.AddPermission', file.uid, params)
  expect([status, json.message]).toEqual([400, expect.stringContaining(`${field}: 0000-`)])
  expect(await localAces(file.uid)).toEqual(before)
})

test('comments that a policy hides are not counted', async () => {
  const commented = await create('File', 'commented')
  for (const text of ['first', 'secret', 'second', 'third'])
    await call('POST', `/api/v1/id/${commented.uid}/@comment`, {
      json: { 'entity-type': 'comment', parentId: commented.uid, text },
    })
  const page = async (user: string, query = '') => {
    const { json } = await call('GET', `/api/v1/id/${commented.uid}/@comment${query}`, { user })
    return [json.totalSize, ...json.entries.map(({ text }: Entity) => text)]
  }
  expect(await page('ann')).toEqual([3, 'first', 'second', 'third'])
  expect(await page('ann', '?pageSize=2&currentPageIndex=1')).toEqual([3, 'third'])
  expect(await page('Administrator', '?pageSize=2')).toEqual([4, 'first', 'secret'])
})

test('a search finds what may be browsed, and shows what it holds to those who may read it', async () => {
  await addUser(platform, 'glance')
  const { uid } = await create('File', 'glanced')
  await call('PUT', `/api/v1/id/${uid}`, {
    json: {
      'entity-type': 'document',
      properties: { 'dc:description': 'content', 'file:content': { name: 'a.txt', data: 'text' } },
    },
  })
  await operate('Document.BlockPermissionInheritance', uid, {})
  await operate('Document.AddPermission', uid, { username: 'glance', permission: 'Browse' })
  const query = `query=${encodeURIComponent("SELECT * FROM File WHERE dc:title = 'glanced'")}`
  const { json } = await call('GET', `/api/v1/search/lang/NXQL/execute?${query}`, {
    user: 'glance',
    headers: { properties: '*', 'enrichers-document': 'audit' },
  })
  expect(json.entries[0].contextParameters?.audit).toBeUndefined()
  expect(json.entries.map(({ title }: Entity) => title)).toEqual(['glanced'])
  expect(json.entries[0].properties['dc:description']).toBeNull()
  expect(json.entries[0].properties['file:content']).toBeNull()
  const blob = (user: string) =>
    call('POST', `/api/v1/path${PLACE}/@search/@op/Document.GetBlob?${query}`, { user, json: { params: {} } })
  expect((await blob('Administrator')).text).toContain('a.txt')
  expect((await blob('glance')).text).not.toContain('a.txt')
  const rows = async (select: string, user = 'glance') => {
    const { json } = await call('POST', '/api/v1/automation/Repository.ResultSetQuery', {
      user,
      json: { params: { query: `SELECT ${select} FROM File WHERE dc:title = 'glanced'` } },
    })
    return json.entries
  }
  const SELECT = 'dc:description'
  expect(await rows(SELECT, 'Administrator')).toEqual([{ [SELECT]: 'content' }])
  expect(await rows(SELECT)).toEqual([])
  expect(await rows(`MIN(${SELECT})`)).toEqual([{ [`MIN(${SELECT})`]: null }])
  await operate('Document.AddPermission', uid, { username: 'glance', permission: 'Read' })
  expect(await rows(SELECT)).toEqual([{ [SELECT]: 'content' }])
  expect((await blob('glance')).text).toContain('a.txt')
})

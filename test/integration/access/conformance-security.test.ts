import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createEngine } from '../../../api/engine.js'
import { createIdentityStore } from '../../../storage/postgres/index.js'
import { uniqueName } from '../../support/template.js'
import { addUser, createClient, type Entity } from '../support/rest-client.js'
import { createTestPlatform } from '../support/rest-support.js'

const configuration = mkdtempSync(join(tmpdir(), 'archivolt-security-'))
writeFileSync(
  join(configuration, 'security.yaml'),
  `
groups: { staff: {}, owners: {}, zebras: { label: A first one } }
configuration: { nuxeo.automation.allowVirtualUser: { value: " TRUE " } }
directories:
  limited: { extends: template-vocabulary, querySizeLimit: 2 }
userManager:
  default:
    defaultGroup: staff
    defaultAdministrators: [Administrator, chief]
    administratorsGroups: [owners]
    disableDefaultAdministratorsGroup: true
    userPasswordPattern: "[0-9]"
    users:
      listingMode: all
      sortField: lastName
      searchFields: { substring: [lastName], exact: [email] }
      substringMatchType: subinitial
    groups: { listingMode: tabbed, sortField: grouplabel }
`,
)
const platform = await createTestPlatform({
  ARCHIVOLT_CONFIG: configuration,
  TEMPORAL_ADDRESS: inject('temporalAddress'),
  ARCHIVOLT_TASK_QUEUE: uniqueName('queue'),
})
const engine = await createEngine(platform)
afterAll(() => engine.close())
const call = createClient(platform, engine)
const store = createIdentityStore(platform.database.sql)
const PLACE = '/default-domain/workspaces'

const create = async (type: string, name: string, parent = PLACE): Promise<Entity> => {
  const json = { 'entity-type': 'document', name, type, properties: { 'dc:title': name } }
  const answer = await call('POST', `/api/v1/path${parent}`, { json })
  expect(answer.status, answer.text).toBe(201)
  return answer.json
}

const operate = (operation: string, input: string, params: object = {}, user = 'Administrator') =>
  call('POST', `/api/v1/automation/${operation}`, { json: { input, params }, user })

const grant = async ({ uid }: Entity, username: string, permission: string, acl = 'local') =>
  expect((await operate('Document.AddPermission', uid, { username, permission, acl })).status).toBe(200)

const deny = async ({ uid }: Entity, user: string, permission: string, acl = 'local') => {
  const params = { user, permission, acl, grant: false, overwrite: false }
  expect((await operate('Document.AddACE', uid, params)).status).toBe(200)
}

const status = async ({ uid }: Entity, user: string, adapter = '') =>
  (await call('GET', `/api/v1/id/${uid}${adapter}`, { user })).status

const user = async (name: string) => (await call('GET', `/api/v1/user/${name}`)).json
const idsOf = ({ entries }: Entity): string[] => entries.map(({ id }: Entity) => id)

beforeAll(async () => {
  await addUser(platform, 'ann')
  await addUser(platform, 'bob', ['administrators'])
  await addUser(platform, 'chief')
  await addUser(platform, 'eve')
  await addUser(platform, 'owner', ['owners'])
  await store.updateUser('ann', { lastName: 'Zorn', email: 'ann@example.org' })
  await store.updateUser('bob', { lastName: 'Adler' })
})

describe('access control lists', () => {
  test('of a document are reported to who may read its security alone', async () => {
    const folder = await create('Folder', 'told')
    await deny(folder, 'ann', 'ReadSecurity')
    await grant(folder, 'ann', 'Read')
    expect([await status(folder, 'ann'), await status(folder, 'ann', '/@acl')]).toEqual([200, 403])
    await operate('Document.RemovePermission', folder.uid, { id: 'ann:ReadSecurity:false' })
    await operate('Document.BlockPermissionInheritance', folder.uid)
    const { json } = await call('GET', `/api/v1/id/${folder.uid}/@acl`, { user: 'ann' })
    expect(json['entity-type']).toBe('acls')
    expect(json.acl.map(({ name }: Entity) => name)).toEqual(['local'])
    expect(json.acl[0].ace.at(-1)).toEqual({
      id: 'Everyone:Everything:false:::',
      username: 'Everyone',
      permission: 'Everything',
      granted: false,
      creator: null,
      begin: null,
      end: null,
      status: 'effective',
    })
    expect(json.acl[0].ace.map(({ id }: Entity) => id).slice(0, 3)).toEqual([
      'ann:Read:true:Administrator::',
      'Administrator:Everything:true:Administrator::',
      'owners:Everything:true:Administrator::',
    ])
  })

  test('name a user, a group, a group of groups, or everybody', async () => {
    await store.insertGroup({ groupname: 'outer', label: null, description: null })
    await store.insertGroup({ groupname: 'inner', label: null, description: null })
    await store.addMember('outer', 'inner', 'group')
    await store.addMember('inner', 'ann', 'user')
    for (const name of ['ann', 'inner', 'outer', 'Everyone']) {
      const folder = await create('Folder', `for-${name}`)
      expect(await status(folder, 'ann')).toBe(404)
      await grant(folder, name, 'Read')
      expect([await status(folder, 'ann'), await status(folder, 'eve')]).toEqual([
        200,
        name === 'Everyone' ? 200 : 404,
      ])
    }
  })

  test('inherit, and what is inherited is not stored under a name of its own', async () => {
    const folder = await create('Folder', 'inheriting')
    const { json } = await call('GET', `/api/v1/id/${folder.uid}/@acl`)
    expect(json.acl.map(({ name }: Entity) => name)).toEqual(['inherited'])
    const params = { username: 'ann', permission: 'Read', acl: 'inherited' }
    const refused = await operate('Document.AddPermission', folder.uid, params)
    expect([refused.status, refused.json.message]).toEqual([400, expect.stringContaining('inherited')])
  })

  test('are looked through in their order, those of the document before those of its ancestors', async () => {
    const folder = await create('Folder', 'ordered')
    await grant(folder, 'ann', 'Read', 'first')
    await deny(folder, 'ann', 'Read', 'second')
    expect(await status(folder, 'ann')).toBe(200)
    await operate('Document.RemoveACL', folder.uid, { acl: 'first' })
    expect(await status(folder, 'ann')).toBe(404)
    const child = await create('Folder', 'child', folder.path)
    expect(await status(child, 'ann')).toBe(404)
    await grant(child, 'ann', 'Read')
    expect(await status(child, 'ann')).toBe(200)
  })

  test('of a version are those of its document, and without that administrators alone see it', async () => {
    const section = await create('Section', 'section', '/default-domain/sections')
    const file = await create('File', 'gone')
    await grant(file, 'ann', 'Read')
    const version = (await operate('Document.CreateVersion', file.uid, { increment: 'Major' })).json
    const versions = await call(
      'GET',
      `/api/v1/query?query=${encodeURIComponent(`SELECT * FROM File WHERE ecm:versionVersionableId = '${file.uid}'`)}`,
    )
    const [{ uid }] = versions.json.entries
    expect(version).toBeDefined()
    expect(await status({ uid }, 'ann')).toBe(200)
    await operate('Document.PublishToSection', file.uid, { target: section.uid })
    await call('DELETE', `/api/v1/id/${file.uid}`)
    expect(await status({ uid }, 'ann')).toBe(404)
    expect(await status({ uid }, 'Administrator')).toBe(200)
  })

  test('take names that nobody knows where the deployment says so', async () => {
    const folder = await create('Folder', 'virtual')
    await grant(folder, 'ghost', 'Read')
  })

  test('a permission that is not there is not replaced; the one who replaces is the creator', async () => {
    const folder = await create('Folder', 'replaced')
    await grant(folder, 'ann', 'Read')
    const events = () => platform.database.sql`
      SELECT FROM outbox WHERE document_id = ${folder.uid} AND event = 'documentSecurityUpdated'`
    const reported = (await events()).length
    const replace = (id: string) =>
      operate('Document.ReplacePermission', folder.uid, { id, username: 'ann', permission: 'Write' }, 'chief')
    expect((await replace('bob:Read:true:Administrator')).status).toBe(200)
    expect(await events()).toHaveLength(reported)
    expect((await replace('ann:Read:true:Administrator::')).status).toBe(200)
    const { json } = await call('GET', `/api/v1/id/${folder.uid}/@acl`)
    expect(json.acl[0].ace.map(({ id }: Entity) => id)).toEqual(['ann:Write:true:chief::'])
  })

  test('of several documents are changed at once, and the documents given back', async () => {
    const [one, other] = [await create('Folder', 'one'), await create('Folder', 'other')]
    const answer = await operate('Document.AddPermission', `docs:${one.uid},${other.uid}`, {
      user: 'ann',
      permission: 'Write',
    })
    expect(answer.json.entries.map(({ uid }: Entity) => uid)).toEqual([one.uid, other.uid])
    for (const { uid } of [one, other])
      expect((await call('GET', `/api/v1/id/${uid}/@acl`)).json.acl[0].ace[0].id).toBe(
        'ann:Write:true:Administrator::',
      )
  })
})

describe('the rules of user management', () => {
  test('give everybody the default group, which is stored for nobody', async () => {
    const { properties, extendedGroups } = await user('ann')
    expect(properties.groups).not.toContain('staff')
    expect(extendedGroups).toContainEqual({ name: 'staff', label: 'staff', url: 'group/staff' })
    expect((await store.members('staff', 'user')).entries).toEqual([])
    const folder = await create('Folder', 'of-staff')
    await operate('Document.BlockPermissionInheritance', folder.uid)
    expect(await status(folder, 'ann')).toBe(404)
    await grant(folder, 'staff', 'Read')
    expect(await status(folder, 'ann')).toBe(200)
  })

  test.each([
    ['chief', true, 'by name'],
    ['owner', true, 'by a group of the deployment'],
    ['bob', false, 'not by the group that the deployment has disabled'],
    ['ann', false, 'not at all'],
  ])('make %s an administrator: %s, %s', async (name, isAdministrator) => {
    expect((await user(name)).isAdministrator).toBe(isAdministrator)
    const made = await call('POST', '/api/v1/group', {
      json: { 'entity-type': 'group', groupname: `by-${name}` },
      user: name,
    })
    expect(made.status).toBe(isAdministrator ? 201 : 403)
  })

  test('hold new passwords to a pattern', async () => {
    const make = (password: string) =>
      call('POST', '/api/v1/user', {
        json: { 'entity-type': 'user', properties: { username: `u-${password}`, password } },
      })
    const refused = await make('letters')
    expect([refused.status, refused.json.message]).toEqual([400, expect.stringContaining('password')])
    expect((await make('with4digit')).status).toBe(201)
    const change = { oldPassword: 'pass', newPassword: 'letters' }
    expect((await call('PUT', '/api/v1/me/changepassword', { json: change, user: 'ann' })).status).toBe(400)
  })

  test('say what a search for nothing finds, in which fields it looks, and the order', async () => {
    const found = async (kind: string, q: string) =>
      idsOf((await call('GET', `/api/v1/${kind}/search?q=${encodeURIComponent(q)}`)).json)
    const everybody = await found('user', '')
    expect(everybody.slice(0, 2)).toEqual(['bob', 'ann'])
    expect(everybody).toContain('chief')
    expect(await found('user', 'zor')).toEqual(['ann'])
    expect(await found('user', 'orn')).toEqual([])
    expect(await found('user', 'ann')).toEqual([])
    expect(await found('user', 'ANN@example.org')).toEqual(['ann'])
    expect(await found('user', 'ann@')).toEqual([])
    expect(await found('group', '')).toEqual([])
    expect((await found('group', '*'))[0]).toBe('zebras')
  })
})

describe('a directory with a limit', () => {
  const entries = (directoryName: string) =>
    call('POST', '/api/v1/automation/Directory.Entries', { json: { params: { directoryName } } })

  test('refuses what would give more, and is read in pages', async () => {
    for (const id of ['a', 'b', 'c'])
      await call('POST', '/api/v1/directory/limited', {
        json: { 'entity-type': 'directoryEntry', directoryName: 'limited', properties: { id } },
      })
    const refused = await entries('limited')
    expect([refused.status, refused.json.message]).toEqual([400, expect.stringContaining('at most 2')])
    const page = await call('GET', '/api/v1/directory/limited?pageSize=2&currentPageIndex=1')
    expect(idsOf(page.json)).toEqual(['c'])
  })

  test('users are given fifty at once', async () => {
    for (let number = 0; number < 51; number++)
      await store.insertUser({ ...BARE, username: `many-${number}` })
    const refused = await entries('userDirectory')
    expect([refused.status, refused.json.message]).toEqual([400, expect.stringContaining('at most 50')])
  })
})

const BARE = {
  passwordHash: null,
  firstName: null,
  lastName: null,
  email: null,
  company: null,
  isEnabled: true,
}
